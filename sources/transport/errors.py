"""What can go wrong when somebody is asked: who, about what, why, and what to do. No message ever holds a key."""

from schemas.errors import StorageError, UtpError


class TransportError(StorageError):
    """One request brought no answer; others of the same provider may."""

    def __init__(self, provider: str, endpoint: str, scope: str, cause: str, next_step: str) -> None:
        self.provider, self.endpoint, self.scope = provider, endpoint, scope
        self.cause, self.next_step = cause, next_step
        super().__init__(f"{provider}, {endpoint} of {scope}: {cause}; {next_step}")


class ProviderStopped(TransportError):
    """No request of this provider will be sent by this transport any more; other providers go on."""


class BudgetSpent(TransportError):
    """The call would cost more than was allowed, so it was not made; the cause says what is left."""


class RobotsRefusal(TransportError):
    """The provider's robots.txt forbids this address."""


class SecretMissing(UtpError):
    """A key that a provider needs is not in the environment, or cannot be told from other text there."""


class TransportSettingError(UtpError):
    """The transport was set up in a way in which it must not ask anybody."""
