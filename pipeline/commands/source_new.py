"""`utp source new`: begin a provider with its three files."""

import argparse
import keyword
import re
import shutil
import tempfile
from pathlib import Path

from pipeline.commands.output import print_json
from pipeline.settings import known_sources
from schemas.errors import StorageError, UtpError
from schemas.strict import choose
from schemas.tables import FROM_SOURCES
from sources.protocol.discovery import SHIPPED, load_source
from sources.protocol.scaffold import three_files
from sources.tables.mapping import SHIPPED as MAPPINGS
from sources.tables.mapping import find_mappings


def run_new(arguments: argparse.Namespace) -> int:
    """Write the three files of a provider, whole or not at all."""
    name, table = arguments.name, arguments.table
    parent = (arguments.dir or SHIPPED).absolute()
    _refuse_name(name)
    if table not in FROM_SOURCES:
        raise UtpError(f"--table {table!r} takes no rows of providers; {choose(table, FROM_SOURCES)}")
    # A name under .example belongs to nobody, so nobody is asked by mistake.
    base = arguments.base or f"https://{name.replace('_', '-')}.example/api"
    folder = parent / name
    _write(folder, three_files(name, table, base))
    if arguments.json:
        print_json({"source": name, "folder": folder, "files": sorted(path.name for path in folder.iterdir())})
        return 0
    print(f"{folder}: source.yaml, requests.py, parse.py")
    if parent != SHIPPED:
        print(f"to have it found, set UTP_SOURCES={parent}")
    return 0


def _refuse_name(name: str) -> None:
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise UtpError(f"{name!r} is no name of a provider; use a-z, 0-9 and _, a letter first")
    if keyword.iskeyword(name):
        raise UtpError(f"{name!r} is a word of Python, so nothing could import it; choose another name")
    taken = {one: f"a provider in {source.folder}" for one, source in known_sources().items()}
    taken |= dict.fromkeys(find_mappings(MAPPINGS), "a mapping of a file")
    if name in taken:
        raise UtpError(f"{name!r} is already {taken[name]}; choose another name")


def _write(folder: Path, texts: dict[str, str]) -> None:
    if folder.exists():
        raise UtpError(f"{folder} exists; choose another name, or another --dir")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as draft:
            drawn = Path(draft) / folder.name
            drawn.mkdir()
            for file, text in texts.items():
                (drawn / file).write_text(text, encoding="utf-8")
            # What a build would refuse (an address that is none) is refused before anything stands there.
            load_source(drawn)
            shutil.rmtree(drawn / "__pycache__", ignore_errors=True)
            drawn.rename(folder)
    except OSError as error:
        raise StorageError(f"{folder}: {error.strerror or error}; choose another --dir") from None
