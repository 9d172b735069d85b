"""The terms of a source in their machine form, read strictly; what is not written down reads as unknown.

What follows from them stands elsewhere: `publicity` for what may be published, `permits` for calling and keeping.
"""

import datetime as dt
import math
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
CONSENT_SCOPES = ("redistribute", "all")
FOREVER = math.inf
LONGEST_DAYS = 36_500

_NOTHING: Mapping[str, str] = MappingProxyType({})
_NO_DAYS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Consent:
    """A written leave of the owner for some fields, until a day (None: without end).

    `scope` is one of CONSENT_SCOPES: `redistribute` lets values be kept and published, `all` also be used with language
    models.
    """

    document_sha256: str
    fields: tuple[str, ...]
    scope: str
    until: dt.date | None

    def is_live(self, today: dt.date) -> bool:
        return self.until is None or today <= self.until


@dataclass(frozen=True)
class Terms:
    """Terms of one source. Every default is the answer of somebody who knows nothing.

    `confidence` says how the terms are known; `confidence_of` overrides it for single keys (`ai_use`) and for single
    classes of `may_redistribute` (`may_redistribute.raw`). `may_redistribute` gives a permission for each of CLASSES.
    `store_days` is None where the time is not known and may be FOREVER; `store_fields` overrides it for single fields.
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
    store_days: float | None = None
    store_fields: Mapping[str, float] = field(default_factory=lambda: _NO_DAYS)
    store_derived: str = "unknown"
    may_redistribute: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(CLASSES, "unknown"))
    attribution_text: str = ""
    attribution_url: str = ""
    personal_drop: tuple[str, ...] = ()
    personal_review: tuple[str, ...] = ()
    consent: tuple[Consent, ...] = ()
    review_by: dt.date | None = None

    def confidence_in(self, key: str) -> str:
        """Return how a key of the machine form, or a class of `may_redistribute`, is known."""
        return self.confidence_of.get(key, self.confidence_of.get(key.partition(".")[0], self.confidence))

    def is_documented(self, key: str) -> bool:
        """Whether a permission under this key counts."""
        return self.confidence_in(key) == "documented"

    def is_past_review(self, today: dt.date) -> bool:
        """Whether every permission of the terms reads as unknown by now; the review day itself still counts."""
        return self.review_by is not None and today > self.review_by

    @property
    def is_open(self) -> bool:
        """Whether the values stand under an open licence, and that is documented."""
        return self.family in OPEN_FAMILIES and self.is_documented("family")


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
    levels.allow(("default", *_KEYS, *(f"may_redistribute.{name}" for name in CLASSES)))
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
        given["store_days"] = _days(store, "default_days")
    if store.has("fields"):
        fields = store.child("fields")
        given["store_fields"] = {key: _days(fields, key) for key in fields.value}
    if store.has("derived"):
        given["store_derived"] = store.choice("derived", KEEPING)
    return given


def _days(node: Node, key: str) -> float:
    if node.needed(key) == "forever":
        return FOREVER
    days = node.number(key)
    if not 0 <= days <= LONGEST_DAYS or days != int(days):
        raise node.error(key, f"{key!r} must be a whole number of days up to {LONGEST_DAYS}, or 'forever'")
    return days


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
            Consent(
                item.needed("document_sha256"),
                item.texts("fields"),
                item.choice("scope", CONSENT_SCOPES),
                item.date("until"),
            )
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
