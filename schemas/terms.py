"""The terms of a source in their machine form, and what they let a public release hold.

A permission counts only where it is documented; what is not written down reads as unknown, and unknown is never public.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from schemas.strict import Node

CONFIDENCES = ("documented", "reported", "inferred", "unknown")
ACCESS = ("open", "contract", "forbidden", "unknown")
ROBOTS = ("obey", "not_applicable")
OPEN_FAMILIES = ("public_domain", "attribution", "share_alike")
FAMILIES = (*OPEN_FAMILIES, "proprietary", "unknown")
AI_USES = ("allowed", "internal_test", "forbidden", "unknown")
PURPOSES = ("any", "non_commercial", "academic", "contract")
KEEPING = ("keep", "expire", "unknown")
GRANTS = ("free", "notice", "share_alike")
PERMISSIONS = (*GRANTS, "permission", "barred", "unknown")
CLASSES = ("ids", "raw", "derived", "text")

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Consent:
    """A written leave of the owner for some fields, until a day (None: without end)."""

    document_sha256: str
    fields: tuple[str, ...]
    scope: str
    until: dt.date | None


@dataclass(frozen=True)
class Terms:
    """Terms of one source. Every default is the answer of somebody who knows nothing.

    `confidence` says how the terms are known; `confidence_of` overrides it for single keys. `may_redistribute` gives
    a permission for each of CLASSES. `store_days` is None where the time is not known; `store_fields` overrides it.
    """

    address: str = ""
    text_date: str = ""
    read_at: dt.date | None = None
    read_by: str = ""
    sha256: str = ""
    confidence: str = "unknown"
    confidence_of: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    accepted_by: str = ""
    accepted_at: dt.date | None = None
    access: str = "unknown"
    robots: str = "obey"
    license: str = "LicenseRef-none-stated"
    family: str = "unknown"
    ai_use: str = "unknown"
    purpose: str = "any"
    store_days: int | None = None
    store_fields: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    store_derived: str = "unknown"
    may_redistribute: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(CLASSES, "unknown"))
    attribution_text: str = ""
    attribution_url: str = ""
    personal_drop: tuple[str, ...] = ()
    personal_review: tuple[str, ...] = ()
    consent: tuple[Consent, ...] = ()
    review_by: dt.date | None = None

    def confidence_in(self, key: str) -> str:
        """Return how a key of the machine form is known."""
        return self.confidence_of.get(key, self.confidence)

    def public_raw(self, today: dt.date | None = None) -> tuple[bool, str]:
        """Say whether values as the source gives them may stand in a public release, and the reason code.

        The code is the permission (`free`, `notice`, `share_alike`) where they may, else `terms_unknown`,
        `terms_barred` or `ai_use`. Terms with a review date read as unknown after it, and where no day is given.
        Consents are not judged here: they name single fields.
        """
        permission = self.may_redistribute["raw"]
        known = self.confidence_in("may_redistribute")
        if permission in ("permission", "barred") and known in ("documented", "reported"):
            return False, "terms_barred"
        is_past_review = self.review_by is not None and (today is None or today > self.review_by)
        if permission not in GRANTS or known != "documented" or is_past_review:
            return False, "terms_unknown"
        return (True, permission) if self._allows_ai() else (False, "ai_use")

    def _allows_ai(self) -> bool:
        if self.ai_use == "unknown":
            return self.family in OPEN_FAMILIES and self.confidence_in("family") == "documented"
        return self.ai_use == "allowed" and self.confidence_in("ai_use") == "documented"


_TEXT_KEYS = ("address", "text_date", "read_by", "sha256")
_WORDS = {
    "access": ACCESS,
    "robots": ROBOTS,
    "family": FAMILIES,
    "ai_use": AI_USES,
    "purpose": PURPOSES,
}
_KEYS = (
    "address",
    "text_date",
    "read_at",
    "read_by",
    "sha256",
    "confidence",
    "accepted",
    "access",
    "robots",
    "license",
    "family",
    "ai_use",
    "purpose",
    "may_store",
    "may_redistribute",
    "attribution",
    "personal",
    "consent",
    "review_by",
)


def parse_terms(value: Any, line: int = 0) -> Terms:
    """Read the mapping under `terms:` as `schemas.textyaml` returns it; `line` is that of the key.

    Raises schemas.strict.StrictError for an unknown key or word, with its line and the choices.
    """
    node = Node(value, "terms", line)
    node.allow(_KEYS)
    given: dict[str, Any] = {key: node.text(key) for key in _TEXT_KEYS if node.has(key)}
    given |= {key: node.choice(key, words) for key, words in _WORDS.items() if node.has(key)}
    given |= {key: node.date(key) for key in ("read_at", "review_by") if node.has(key)}
    if node.has("license"):
        given["license"] = node.needed("license")
    for key, reader in _PARTS.items():
        if node.has(key):
            given |= reader(node)
    return Terms(**given)


def _confidence(node: Node) -> dict[str, Any]:
    if isinstance(node.value["confidence"], str | None):
        return {"confidence": node.choice("confidence", CONFIDENCES)}
    levels = node.child("confidence")
    levels.allow(("default", *_KEYS))
    given = {key: levels.choice(key, CONFIDENCES) for key in levels.value}
    return {"confidence": given.pop("default", "unknown"), "confidence_of": given}


def _accepted(node: Node) -> dict[str, Any]:
    accepted = node.child("accepted")
    accepted.allow(("by", "at"))
    return {"accepted_by": accepted.text("by"), "accepted_at": accepted.date("at")}


def _may_store(node: Node) -> dict[str, Any]:
    store = node.child("may_store")
    store.allow(("default_days", "fields", "derived"))
    given: dict[str, Any] = {}
    if store.text("default_days"):
        days = store.number("default_days")
        if days < 0 or days != int(days):
            raise store.error("default_days", "'default_days' must be a whole number of days")
        given["store_days"] = int(days)
    if store.has("fields"):
        fields = store.child("fields")
        given["store_fields"] = {key: fields.needed(key) for key in fields.value}
    if store.has("derived"):
        given["store_derived"] = store.choice("derived", KEEPING)
    return given


def _may_redistribute(node: Node) -> dict[str, Any]:
    classes = node.child("may_redistribute")
    classes.allow(CLASSES)
    return {"may_redistribute": {name: classes.choice(name, PERMISSIONS, "unknown") for name in CLASSES}}


def _attribution(node: Node) -> dict[str, Any]:
    attribution = node.child("attribution")
    attribution.allow(("text", "url"))
    return {"attribution_text": attribution.text("text"), "attribution_url": attribution.text("url")}


def _personal(node: Node) -> dict[str, Any]:
    personal = node.child("personal")
    personal.allow(("drop", "review"))
    return {"personal_drop": personal.texts("drop"), "personal_review": personal.texts("review")}


def _consent(node: Node) -> dict[str, Any]:
    consents = node.children("consent")
    for consent in consents:
        consent.allow(("document_sha256", "fields", "scope", "until"), required=("document_sha256", "fields", "scope"))
    return {
        "consent": tuple(
            Consent(item.needed("document_sha256"), item.texts("fields"), item.needed("scope"), item.date("until"))
            for item in consents
        )
    }


_PARTS = {
    "confidence": _confidence,
    "accepted": _accepted,
    "may_store": _may_store,
    "may_redistribute": _may_redistribute,
    "attribution": _attribution,
    "personal": _personal,
    "consent": _consent,
}
