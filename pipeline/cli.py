"""The command line, `utp`. Only its grammar stands here; each command is loaded when it is called.

Exit status: 0 done; 1 the data or a check says no; 2 wrong usage; 3 a provider or storage failed.
"""

import argparse
import datetime as dt
import importlib
import io
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from schemas.errors import StorageError, UtpError


def _path(text: str) -> Path:
    """An empty path would silently mean the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return Path(text)


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; choose one from 1 to 65535")
    return int(text)


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write it like 2026-03-01") from None


def _days(text: str) -> int:
    if not text.isdecimal() or int(text) > 36_500:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days; choose one from 0 to 36500")
    return int(text)


def _pair(text: str) -> str:
    if text.find("=") < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no K=V")
    return text


def _status(text: str) -> int:
    if not text.isdecimal() or not 100 <= int(text) <= 599:
        raise argparse.ArgumentTypeError(f"{text!r} is no HTTP status; choose one from 100 to 599")
    return int(text)


def _common(parser: argparse.ArgumentParser, handler: str, *, home: bool = True) -> argparse.ArgumentParser:
    parser.set_defaults(handler=handler)
    parser.add_argument("--json", action="store_true", help="one JSON document on one line of standard output")
    if home:
        parser.add_argument(
            "--home",
            type=_path,
            default=Path(os.environ["UTP_HOME"]) if os.environ.get("UTP_HOME") else None,
            help="where everything lives (default: UTP_HOME, else ./data/<region>)",
        )
        parser.add_argument("--region", default="india", help="region (default: %(default)s; `utp region list`)")
    return parser


_WHO_IS_ASKED = "who is asked: a constructed stand-in, nobody (what is archived is taken), or the providers themselves"
_WHOSE_HOME = "whose answers are meant where no home is named; those of sandbox lie in ./data/<region>-sandbox"


def _profile(
    command: argparse.ArgumentParser,
    default: str,
    choices: Sequence[str] = ("sandbox", "replay", "live"),
    text: str = _WHO_IS_ASKED,
) -> argparse.ArgumentParser:
    command.add_argument("--profile", choices=choices, default=default, help=f"{text} (default: %(default)s)")
    return command


def _source_and_endpoint(command: argparse.ArgumentParser) -> None:
    """What tells which question a saved file answers."""
    command.add_argument("--param", action="append", default=[], type=_pair, metavar="K=V", help="part of the question")
    command.add_argument("--status", type=_status, default=200, help="HTTP status (default: %(default)s)")
    command.add_argument("--media-type", default="application/json", help="default: %(default)s")


def _build(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = (
        "Stage, derive, check and publish a release. Reads the region and the files of the tables folder; "
        "writes the home. What has not changed is not done again."
    )
    build = _common(commands.add_parser("build", help="build and publish a release", description=text), "build:run")
    _profile(build, default="replay")
    build.add_argument(
        "--tables-dir", type=_path, metavar="D", help="folder with the files that the mappings name, and own mappings"
    )
    build.add_argument(
        "--audience",
        choices=["internal", "public"],
        default="internal",
        help="public leaves out what the terms are not known to allow (default: %(default)s)",
    )


def _region(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    region = commands.add_parser("region", help="the regions that can be built", description="Look at regions.")
    verbs = region.add_subparsers(dest="verb", required=True, metavar="VERB")
    _common(verbs.add_parser("list", help="all regions; reads pipeline/regions"), "region:run", home=False)
    show = _common(verbs.add_parser("show", help="one region; reads its folder"), "region:run", home=False)
    show.add_argument("region", metavar="R")
    check = _common(
        verbs.add_parser("check", help="whether its cities lie in their states; reads its folder and an OSM file"),
        "region:run",
        home=False,
    )
    check.add_argument("region", metavar="R")
    check.add_argument(
        "--boundaries", type=_path, required=True, metavar="FILE", help="OSM XML (.osm, .gz, .bz2) with admin_level 4"
    )


def _asking(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    source = commands.add_parser("source", help="the providers", description="Look at providers.")
    verbs = source.add_subparsers(dest="verb", required=True, metavar="VERB")
    _common(verbs.add_parser("list", help="all providers; reads their source.yaml"), "asking:run_list", home=False)
    show = _common(verbs.add_parser("show", help="one with limits and prices"), "asking:run_show", home=False)
    show.add_argument("source", metavar="P")
    text = (
        "Begin a provider: write its source.yaml, requests.py and parse.py, which work at once against a stand-in that "
        "answers with a JSON list for each city. Where else than in sources/ it lies, set UTP_SOURCES to its parent."
    )
    new = _common(
        verbs.add_parser("new", help="begin one; writes its three files", description=text),
        "source_new:run_new",
        home=False,
    )
    new.add_argument("name", metavar="NAME")
    new.add_argument("--table", default="attractions", metavar="T", help="what it brings (default: %(default)s)")
    new.add_argument("--dir", type=_path, metavar="D", help="parent of its folder (default: sources/ of the project)")
    new.add_argument("--base", metavar="URL", help="https address of its API (default: one that belongs to nobody)")
    for verb, text in (
        ("plan", "What a fetch would still ask, before it asks. Reads the archive, asks nobody, writes nothing."),
        ("fetch", "Ask, as far as the archive. Writes the home's raw answers; stops at limits and budget."),
    ):
        command = _common(
            commands.add_parser(verb, help=text.split(".")[0].lower(), description=text), f"asking:run_{verb}"
        )
        _profile(command, default="sandbox" if verb == "fetch" else "live")
        command.add_argument("--source", metavar="P", help="only this provider")
    text = "Read one saved answer through its provider's parser. Prints JSON lines, writes nothing."
    parse = commands.add_parser("parse", help="what a saved answer means", description=text)
    parse.set_defaults(handler="asking:run_parse", json=True)
    parse.add_argument("source", metavar="P")
    parse.add_argument("endpoint", metavar="ENDPOINT")
    parse.add_argument("file", type=Path, metavar="FILE")
    _source_and_endpoint(parse)


def _archive(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = (
        "Add saved answers to the archive: those of a provider in a HAR or a WARC, each with its own time, or the body "
        "of a single one, or many bodies, one a line. Keys are taken out. Writes the home's raw answers."
    )
    capture = _common(
        commands.add_parser("capture", help="archive saved answers", description=text), "archive:run_capture"
    )
    # What people save is what providers said.
    capture.set_defaults(profile="live")
    capture.add_argument("file", type=_path, metavar="FILE")
    capture.add_argument("--source", required=True, metavar="P")
    capture.add_argument("--endpoint", metavar="E", help="only this one; saved bodies need it")
    capture.add_argument("--scope", default="captured", help="what was asked about (default: %(default)s)")
    capture.add_argument("--fetched-at", metavar="T", help="when bodies were saved: 2026-03-01T12:00:00Z")
    capture.add_argument("--lines", action="store_true", help="each line of the file is an answer in JSON")
    capture.add_argument(
        "--param-from",
        action="append",
        default=[],
        type=_pair,
        metavar="K=PATH",
        help="with --lines: where a line says what was asked, such as dep=request.departureAirport.requestedCode",
    )
    _source_and_endpoint(capture)
    archive = commands.add_parser("archive", help="the raw answers of a home", description="Look after raw answers.")
    verbs = archive.add_subparsers(dest="verb", required=True, metavar="VERB")

    def add(verb: str, text: str) -> argparse.ArgumentParser:
        command = _common(verbs.add_parser(verb, help=text), f"archive:run_{verb}")
        return _profile(command, default="replay", text=_WHOSE_HOME)

    for verb, text in (
        ("verify", "read everything back; exit status 1 on any fault"),
        ("compact", "merge the segments of each provider; writes"),
        ("stats", "numbers of each provider; reads"),
    ):
        add(verb, text)
    expire = add("expire", "drop bodies whose time is over; writes")
    expire.add_argument("--source", metavar="P", help="only this provider")
    expire.add_argument("--days", type=_days, metavar="N", help="N days after they came, whatever the terms say")
    expire.add_argument("--dry-run", action="store_true", help="only say what would go; writes nothing")
    for verb, text in (
        ("export", "write all answers into one new file; reads the home"),
        ("import", "add the answers of an exported file; writes the home"),
    ):
        command = add(verb, text)
        command.add_argument("file", type=_path, metavar="FILE")
        if verb == "export":
            command.add_argument("--source", metavar="P", help="only this provider")


def _sandbox(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    sandbox = commands.add_parser("sandbox", help="the stand-in for all providers", description="A constructed world.")
    verbs = sandbox.add_subparsers(dest="verb", required=True, metavar="VERB")
    serve = verbs.add_parser("serve", help="serve it on loopback until Ctrl-C; prints its address")
    serve.set_defaults(handler="sandbox:run_serve", json=False)
    serve.add_argument("--region", default="sample", help="default: %(default)s")
    serve.add_argument("--seed", type=int, default=1, help="another seed is another world (default: %(default)s)")
    serve.add_argument("--port", type=int, default=0, help="0 is any free port (default: %(default)s)")
    serve.add_argument(
        "--time-scale",
        type=float,
        metavar="X",
        help="how many times faster limits run than time (default: what builds and fetches keep towards UTP_SANDBOX)",
    )
    serve.add_argument(
        "--as-of",
        type=_day,
        metavar="DAY",
        help="day of the data (default: today); an old one makes a mirror that stopped to follow",
    )
    serve.add_argument(
        "--provider",
        type=_path,
        action="append",
        default=[],
        metavar="FILE",
        help="a module with `routes(world, clock)`, served under its name",
    )
    serve.add_argument("--faults", choices=["none", "flaky"], default="none", help="spoilt answers")


def _tables(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    tables = commands.add_parser("tables", help="bring your own table", description="Try a mapping on a file.")
    verbs = tables.add_subparsers(dest="verb", required=True, metavar="VERB")
    listing = verbs.add_parser("list", help="the mappings that come with the project; reads sources/tables/mappings")
    _common(listing, "tables:run_list", home=False)
    check = _common(
        verbs.add_parser(
            "check",
            help="what a mapping makes of a file",
            description="Show first rows, rejects by reason and unused columns. Reads both files, writes nothing.",
        ),
        "tables:run_check",
        home=False,
    )
    check.add_argument(
        "mapping", metavar="MAPPING", help="a mapping file, or the id of one that comes with the project"
    )
    check.add_argument("file", metavar="FILE", type=Path)


def _release(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    release = commands.add_parser("release", help="published releases", description="Look at releases, or go back.")
    verbs = release.add_subparsers(dest="verb", required=True, metavar="VERB")
    _common(verbs.add_parser("list", help="all releases of a home, newest first; reads"), "release:run_list")
    for verb, text in (
        ("show", "what a release holds; reads its manifest"),
        ("verify", "read every file back and compare with the manifest; exit status 1 on any difference"),
    ):
        command = _common(verbs.add_parser(verb, help=text), f"release:run_{verb}")
        command.add_argument("id", metavar="ID", nargs="?", help="default: the current release")
    rollback = _common(
        verbs.add_parser("rollback", help="make an older release current; writes CURRENT"), "release:run_rollback"
    )
    rollback.add_argument("id", metavar="ID")


def _read(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = "Look into a table of the current release. Reads the release, writes nothing."
    read = _common(commands.add_parser("read", help="look into a table", description=text), "read:run")
    read.add_argument("table", metavar="TABLE")
    read.add_argument("--city", help="only rows of this city (name or alias)")
    read.add_argument("--where", metavar="SQL", help='a condition on columns, e.g. "rating >= 4 and avg_cost < 500"')
    read.add_argument("--limit", type=int, default=20, help="most rows shown (default: %(default)s)")
    read.add_argument("--all", action="store_true", help="also rows that the evaluator does not see")


def _ui(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = "Start Dagster's web page on a home: graph, metadata, checks, runs. Reads and writes the home."
    ui = _common(commands.add_parser("ui", help="Dagster's web page on a home", description=text), "ui:run")
    ui.add_argument("--port", type=_port, default=3000)
    ui.add_argument("--tables-dir", type=_path, metavar="D", help="as in `utp build`")
    _profile(ui, default="replay", choices=("sandbox", "replay"))


def parser() -> argparse.ArgumentParser:
    """Return the grammar of `utp`."""
    root = argparse.ArgumentParser(
        prog="utp", description="Rebuild, extend and audit the database of UTP-Bench.", allow_abbrev=False
    )
    commands = root.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (_build, _region, _asking, _archive, _sandbox, _tables, _release, _read, _ui):
        add(commands)
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    _prepare_streams()
    arguments = parser().parse_args(argv)
    module, function = arguments.handler.split(":")
    try:
        status: int = getattr(importlib.import_module(f"pipeline.commands.{module}"), function)(arguments)
        sys.stdout.flush()
    except UtpError as error:
        print(f"utp: {error}", file=sys.stderr)
        return error.exit_status
    except BrokenPipeError:
        # The reader of our output (`head`, a pager) has gone; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return StorageError.exit_status
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"utp: {where}{error.strerror or error}", file=sys.stderr)
        return StorageError.exit_status
    except KeyboardInterrupt:
        print("utp: stopped; the same command goes on where this one ended", file=sys.stderr)
        return StorageError.exit_status
    return status


def _prepare_streams() -> None:
    """Write UTF-8 whatever the locale says, as the names of places need it; a closed stream takes nothing."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def run() -> NoReturn:
    """Run as a program. The process ends without taking the interpreter down piece by piece.

    Threads that Arrow leaves behind can abort a process in that phase, after all work is done and all output written.
    """
    status = main()
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    run()
