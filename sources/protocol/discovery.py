"""Which providers exist: every folder with a source.yaml, found by looking. There is no list to keep."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

from schemas.errors import UtpError
from schemas.region import Region
from sources.protocol.cuts import is_too_large
from sources.protocol.declaration import Declaration, load_declaration
from sources.protocol.types import Answer, Known, Parsed, Refusal, Request

SHIPPED = Path(__file__).resolve().parents[1]

Requests = Callable[[Region, Known], Iterable[Request]]
Parse = Callable[[Answer], Iterable[Parsed]]


class SourceError(UtpError, ValueError):
    """A provider whose files cannot be used; the message names file, cause and next step."""


@dataclass(frozen=True)
class Source:
    """A provider, ready for use: what source.yaml says, and the functions of requests.py and parse.py."""

    declaration: Declaration
    requests: Requests
    parse: Parse
    folder: Path

    def read(self, answer: Answer) -> Iterator[Parsed]:
        """Parse an answer. A body that is gone, or never came, is the same for every provider, so it is told here.

        A parser that asks for a too large answer in parts says so itself.
        """
        if answer.body is None:
            yield Refusal(
                "expired", f"the body of this answer had to be dropped; it came on {answer.fetched_at:%Y-%m-%d}"
            )
        elif is_too_large(answer):
            first = next(iter(self.parse(answer)), None)
            is_told = isinstance(first, Refusal) and first.is_split
            yield first if is_told and first else Refusal("too_large", "the answer was larger than its endpoint allows")
        else:
            yield from self.parse(answer)


def find_sources(*folders: Path) -> dict[str, Source]:
    """Load the providers of several folders (without any: those shipped), by id in alphabetical order.

    Raises DeclarationError or SourceError for one that cannot be used or stands twice.
    """
    found: dict[str, Source] = {}
    homes = sorted({path.parent.resolve() for folder in folders or (SHIPPED,) for path in folder.glob("*/source.yaml")})
    for home in homes:
        source = load_source(home)
        name = source.declaration.id
        if name in found:
            raise SourceError(f"{home}: provider {name!r} stands already in {found[name].folder}; rename one of them")
        found[name] = source
    return dict(sorted(found.items()))


def load_source(folder: Path) -> Source:
    """Load the provider of one folder: source.yaml, requests.py, parse.py."""
    folder = folder.resolve()
    declaration = load_declaration(folder / "source.yaml")
    package = _package(folder)
    return Source(
        declaration=declaration,
        requests=_function(package, folder, "requests"),
        parse=_function(package, folder, "parse"),
        folder=folder,
    )


def _package(folder: Path) -> str:
    """Return the package under which a folder's modules are imported; one from elsewhere gets a name of its own."""
    if folder.parent == SHIPPED:
        return f"{__name__.partition('.')[0]}.{folder.name}"
    name = f"utp_source_{folder.name}_{sha256(str(folder).encode()).hexdigest()[:12]}"
    # A folder that a person is working on may have changed since it was loaded.
    for loaded in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
        del sys.modules[loaded]
    importlib.invalidate_caches()
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    sys.modules[name] = importlib.util.module_from_spec(spec)
    return name


def _function(package: str, folder: Path, name: str) -> Callable[..., Any]:
    path = folder / f"{name}.py"
    if not path.is_file():
        raise SourceError(f"{path}: no such file; a provider is source.yaml, requests.py and parse.py")
    try:
        module = importlib.import_module(f"{package}.{name}")
    except Exception as error:
        raise SourceError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    function: Callable[..., Any] | None = getattr(module, name, None)
    if not callable(function):
        raise SourceError(f"{path} has no function {name!r}; write it with the parameters of the source protocol")
    return function
