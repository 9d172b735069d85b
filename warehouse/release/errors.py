"""What can go wrong with a release, told apart by what the reader of the message has to do."""

from schemas.errors import DataError, StorageError, UtpError


class ReleaseError(UtpError):
    """Root of all errors about releases; the message gives cause and next step."""


class UnknownRelease(ReleaseError):
    """No release of that name, or none at all; the message lists the choices."""


class DamagedRelease(ReleaseError, DataError):
    """A release whose files are not those that were published."""


class RefusedDraft(ReleaseError, DataError):
    """A draft that contradicts itself or failed a blocking check; nothing was published."""


class PublishFailed(ReleaseError, StorageError):
    """The storage failed while publishing; `CURRENT` is what it was."""
