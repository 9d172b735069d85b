"""The root of all errors that a person can cause or mend: one line, no stack trace, an exit status.

A message names what was asked, where it went wrong, why, and the next step.
"""


class UtpError(Exception):
    """Root. `exit_status` is what the command line ends with: 1 the data says no, 2 wrong usage, 3 storage failed."""

    exit_status = 2


class DataError(UtpError):
    """The data or a check says no."""

    exit_status = 1


class StorageError(UtpError):
    """A provider or the storage failed."""

    exit_status = 3
