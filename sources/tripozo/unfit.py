"""A value that cannot be used, as everything here reports it, and how values are shown in reports."""

from sources.protocol.types import Refusal

_SHOWN = 120


class UnfitError(ValueError):
    """A value that cannot be used: the code of the refusal, what is wrong in words, and where in the record."""

    def __init__(self, code: str, message: str, where: str = "") -> None:
        self.code, self.message, self.where = code, message, where
        super().__init__(message)

    def refusal(self, table: str, prefix: str = "", value: str | None = None) -> Refusal:
        """Return the refusal of the record at `prefix`."""
        where = ".".join(filter(None, (prefix, self.where)))
        return Refusal(self.code, self.message, where, table=table, value=value)


def shown(value: object) -> str:
    """Return a value as text that can stand in any file: cut, and without what UTF-8 cannot write."""
    text = value if isinstance(value, str) else type(value).__name__ if isinstance(value, dict | list) else repr(value)
    return text[:_SHOWN].encode("utf-8", "backslashreplace").decode()
