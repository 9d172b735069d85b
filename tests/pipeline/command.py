"""How tests call `utp`: as a process of its own, the way a person does."""

import json
import os
import resource
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document of `--json`; more or less than one line is an error."""
        (line,) = self.out.splitlines()
        return json.loads(line)


def start(
    *arguments: object, cwd: Path | None = None, most_bytes: int | None = None, keep: tuple[str, ...] = ()
) -> "subprocess.Popen[str]":
    """Start `utp` with these arguments; `most_bytes` is how large a file may grow, as on a full disk.

    Of our own variables only those of `keep` are handed on.
    """

    def limit() -> None:
        if most_bytes is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    environment = {
        name: value for name, value in os.environ.items() if name in keep or not name.startswith(("UTP_", "DAGSTER_"))
    }
    return subprocess.Popen(
        [sys.executable, "-m", "pipeline.cli", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=environment | {"PYTHONPATH": str(ROOT)},
        preexec_fn=limit,
    )


def utp(*arguments: object, cwd: Path | None = None, keep: tuple[str, ...] = ()) -> Done:
    """Run `utp` to its end; of our own variables only those of `keep` are handed on."""
    process = start(*arguments, cwd=cwd, keep=keep)
    out, err = process.communicate(timeout=300)
    return Done(process.returncode, out, err)
