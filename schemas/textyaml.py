"""YAML in which every scalar stays the text that was written.

Station code `ON`, train number `01064` and country `NO` are text; YAML 1.1 would make them True, 564 and False. Readers
convert what they know to be a number. Nodes keep their line so that an error can name it.
"""

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml


class TextYamlError(ValueError):
    """A YAML file that cannot be read; the message names file and line."""


class Lined(dict[str, Any]):
    """A mapping that knows the line of each of its keys (counted from 1)."""

    lines: dict[str, int]


class _TextLoader(yaml.CSafeLoader):
    """Safe loader without implicit types; an unquoted empty value, `null` or `~` is None."""


_TextLoader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern) for tag, pattern in resolvers if tag in ("tag:yaml.org,2002:null", "tag:yaml.org,2002:merge")
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _mapping(loader: _TextLoader, node: yaml.MappingNode) -> Iterator[Lined]:
    result = Lined()
    result.lines = {}
    yield result
    for key_node, value_node in node.value:
        # A key is the text that was written, `null` too; only a key that is not there at all is none.
        is_written = isinstance(key_node, yaml.ScalarNode) and key_node.value
        key = key_node.value if is_written else loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            raise TextYamlError(f"line {key_node.start_mark.line + 1}: a key must be text, found {key!r}")
        if key in result:
            raise TextYamlError(f"line {key_node.start_mark.line + 1}: key {key!r} stands twice")
        result[key] = loader.construct_object(value_node, deep=True)
        result.lines[key] = key_node.start_mark.line + 1


def _foreign_tag(_loader: _TextLoader, node: yaml.Node) -> None:
    raise TextYamlError(f"line {node.start_mark.line + 1}: the tag {node.tag!r} is not read; write plain text")


_TextLoader.yaml_constructors = {
    "tag:yaml.org,2002:map": _mapping,
    **{
        f"tag:yaml.org,2002:{kind}": yaml.SafeLoader.yaml_constructors[f"tag:yaml.org,2002:{kind}"]
        for kind in ("str", "seq", "null")
    },
    None: _foreign_tag,
}


def load_text(path: Path) -> Any:
    """Read a YAML file with all scalars as `str` (or None); mappings are `Lined`.

    Raises OSError, and TextYamlError with file and line when the file is not readable as YAML.
    """
    return parse_text(read_file(path), path)


def read_file(path: Path) -> bytes:
    """Return the content of a regular file; of a pipe or a device, which may never end, FileNotFoundError."""
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "no such file" if not path.exists() else "not a regular file", str(path))
    return path.read_bytes()


def parse_text(data: bytes, path: Path) -> Any:
    """Read the content of a YAML file as `load_text` does; `path` is what errors name."""
    try:
        return yaml.load(data.decode("utf-8"), Loader=_TextLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise TextYamlError(f"{path.name}, line {line}: {error.problem or error}") from None
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise TextYamlError(f"{path.name}: {error}") from None
    except TextYamlError as error:
        raise TextYamlError(f"{path.name}, {error}") from None
