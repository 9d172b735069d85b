"""From an answer of the site to its text, or to the reason why there is none. What the text says stands elsewhere."""

from sources.protocol.statuses import is_worth_again
from sources.protocol.types import Answer, Refusal

TABLE = "events"

_SHOWN = 200


def open_answer(answer: Answer) -> str | Refusal:
    """Return the text of a page or a sitemap, or the one reason to refuse all of it. Never raises."""
    match answer.status:
        case 200:
            pass
        case 404 | 410:
            return _refusal("not_found", "there is no such page any more")
        case 401 | 403:
            return _refusal("shut_out", "the site does not let us in", is_retryable=True)
        case 429:
            return _refusal("rate_limited", "there were too many calls", is_retryable=True)
        case status:
            message = f"it was answered with status {status}"
            return _refusal("http_status", message, is_retryable=is_worth_again(status))
    try:
        # A body that is gone is told of before any parser is asked.
        return (answer.body or b"").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _refusal("wrong_charset", f"the text is not in UTF-8, from byte {error.start} on", is_retryable=True)


def shown(value: object) -> str:
    """Return a value as text that can stand in any file: cut, and without what UTF-8 cannot write."""
    text = value if isinstance(value, str) else type(value).__name__ if isinstance(value, dict | list) else repr(value)
    return text[:_SHOWN].encode("utf-8", "backslashreplace").decode()


def _refusal(code: str, message: str, is_retryable: bool = False) -> Refusal:
    return Refusal(code, message, is_retryable=is_retryable, table=TABLE)
