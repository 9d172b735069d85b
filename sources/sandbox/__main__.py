"""`python -m sources.sandbox`: serve the constructed world, or write down what is true in it."""

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from schemas.errors import StorageError, UtpError
from schemas.region import load_region
from sources.sandbox.clock import Clock
from sources.sandbox.faults import PROFILES, Faults
from sources.sandbox.server import HOST, SandboxError, build_app, find_providers, listen, serve
from sources.sandbox.world import build_world

_REGIONS = Path(__file__).resolve().parents[2] / "pipeline" / "regions"

# With more, the time of a long run would leave the calendar.
_FASTEST = 1_000_000


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sources.sandbox", description="Serve a constructed world on loopback.", allow_abbrev=False
    )
    parser.add_argument("--region", default="sample", help="a region's id, or its folder (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed is another world (default: %(default)s)")
    parser.add_argument("--port", type=int, default=0, help="0 is any free port (default: %(default)s)")
    parser.add_argument(
        "--time-scale",
        type=float,
        default=1.0,
        help="how many times faster limits run than time (default: %(default)s)",
    )
    parser.add_argument(
        "--as-of",
        type=date.fromisoformat,
        metavar="DAY",
        help="day of the data (default: today, UTC); an old day makes a mirror that stopped to follow",
    )
    parser.add_argument("--faults", choices=PROFILES, default="none", help="spoilt answers (default: %(default)s)")
    parser.add_argument(
        "--provider", type=Path, action="append", default=[], metavar="FILE", help="a module to mount under its name"
    )
    parser.add_argument("--parent", type=int, metavar="PID", help="end with this process (default: the parent)")
    parser.add_argument("--write-truth", type=Path, metavar="FILE", help="write the truth as JSON, and end")
    return parser


def _region_folder(region: str) -> Path:
    """Return the folder of a region that is named by id, or by its folder. Raises SandboxError."""
    choices = sorted(path.parent.name for path in _REGIONS.glob("*/region.yaml"))
    folder = _REGIONS / region if region in choices else Path(region)
    if not folder.is_dir():
        raise SandboxError(f"there is no region {region!r}; choose one of {', '.join(choices)}, or name a folder")
    return folder


def main(argv: Sequence[str] | None = None) -> int:
    """Run until told to end; returns the exit status."""
    parent = os.getppid()
    arguments = _parser().parse_args(argv)
    try:
        if not 0 < arguments.time_scale <= _FASTEST:
            raise SandboxError(f"--time-scale is {arguments.time_scale}; choose a number above 0, as 60, to {_FASTEST}")
        world = build_world(load_region(_region_folder(arguments.region)), arguments.seed)
        if arguments.write_truth:
            arguments.write_truth.write_text(world.to_json(), encoding="utf-8")
            return 0
        clock = Clock(arguments.time_scale, arguments.as_of or datetime.now(UTC).date())
        app = build_app(world, clock, Faults(arguments.faults, arguments.seed), find_providers(arguments.provider))
        listening = listen(arguments.port)
    except UtpError as error:
        print(f"sandbox: {error}", file=sys.stderr)
        return error.exit_status
    except OSError as error:
        print(f"sandbox: {error.filename}: {error.strerror}", file=sys.stderr)
        return StorageError.exit_status
    # Callers may connect from here on: the socket listens, and what comes early waits.
    print(f"sandbox http://{HOST}:{listening.getsockname()[1]}", flush=True)
    serve(app, listening, arguments.parent or parent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
