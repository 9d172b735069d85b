"""What a call is answered that gets nothing: worded and shaped as the documents and reports of both APIs have it."""

import json
from http import HTTPStatus
from typing import Any

FieldError = dict[str, Any]

GATEWAY = json.dumps(
    {"Message": "User is not authorized to access this resource with an explicit deny in an identity-based policy"}
)
TOO_MANY = "Too Many Requests"
NOT_FOUND = json.dumps({"message": "Not Found"})
_TRACE = "0" * 32


def envelope(status: int, message: str) -> str:
    """Return the error of the Content API."""
    kind = HTTPStatus(status).phrase.replace(" ", "")
    return json.dumps({"error": {"message": message, "type": f"{kind}Exception", "code": status}})


def problem(status: int, detail: str, instance: str, *field_errors: FieldError) -> str:
    """Return the problem document of Terra."""
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": instance,
        "trace_id": _TRACE,
        **({"field_errors": [*field_errors]} if field_errors else {}),
    }
    return json.dumps(document)
