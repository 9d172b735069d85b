"""What a public release may hold: one decision for a value, a column, a table. Pure; the day is given.

The strictest part wins, at every level by the same order (`_STRICTEST`). A permission counts only where it is
documented, a restriction from reported on; what nobody knows is never public.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from schemas.model import FieldClass
from schemas.permits import derived_expires_at, expires_at
from schemas.terms import GRANTS, Consent, Terms

# Reasons in the order in which they are looked for, then permissions from the strictest on.
_STRICTEST = (
    "sandbox",
    "personal",
    "personal_review",
    "terms_barred",
    "terms_unknown",
    "expired",
    "ai_use",
    "copyleft_conflict",
    "share_alike",
    "notice",
    "free",
)
_KEY_OF_CLASS = {"id": "ids", "raw": "raw", "derived": "derived", "text": "text"}


@dataclass(frozen=True)
class Input:
    """A field of a source that a value was made of. `is_reviewed`: a person looked whether it names a person.

    A field whose keeping ends, and of which it is not known when it was fetched, counts as expired.
    """

    provider: str
    field: str
    terms: Terms
    is_sandbox: bool = False
    fetched_at: dt.datetime | None = None
    is_reviewed: bool = False


@dataclass(frozen=True)
class Decision:
    """Whether something may be public, and why. `code` is the permission (one of GRANTS) or the reason against it.

    `provider` is the source that decided, empty where no source did. Of all sources: `providers`, the `licenses` that
    demand sharing alike, the `credits` to print, the `purposes` that the release is bound to. `is_open`: all of it may
    stand under a licence that demands sharing alike.
    """

    code: str
    provider: str = ""
    providers: frozenset[str] = frozenset()
    licenses: frozenset[str] = frozenset()
    credits: frozenset[str] = frozenset()
    purposes: frozenset[str] = frozenset()
    is_open: bool = True

    @property
    def permission(self) -> str | None:
        """`free`, `notice` or `share_alike`; None where it may not be public."""
        return self.code if self.code in GRANTS else None

    @property
    def is_public(self) -> bool:
        return self.permission is not None


class Withheld(NamedTuple):
    """Values of a column that may not be public: whose they are and why (a code of a Decision)."""

    column: str
    provider: str
    code: str


@dataclass(frozen=True)
class TableDecision:
    """What of a table may be public in one region.

    `decision` is about the table as a whole; where it is not public, the table is withheld or is to be built again
    without the providers of `withheld`. `is_derivative`: values of others stand in one column with values that are to
    be shared alike, so that the whole table is a derivative database under their licence.
    """

    decision: Decision
    withheld: tuple[Withheld, ...]
    is_derivative: bool


def decide(klass: FieldClass, inputs: Sequence[Input], today: dt.date) -> Decision:
    """Decide on a value of a class that was made of these inputs.

    A value that nobody knows the inputs of is not public, unless it is our own.
    """
    if not inputs and klass != "own":
        return Decision("terms_unknown")
    return strictest(_decide_input(klass, one, today) for one in inputs)


def strictest(parts: Iterable[Decision]) -> Decision:
    """Join decisions: the strictest code wins, of equal ones the first. Nothing to join is free.

    Values to be shared alike beside values of a contract, or of another such licence: `copyleft_conflict`.
    """
    joined = list(parts)
    first = min(joined, key=lambda part: _STRICTEST.index(part.code), default=Decision("free"))
    licenses = frozenset[str]().union(*(part.licenses for part in joined))
    is_open = all(part.is_open for part in joined)
    is_conflict = first.is_public and (len(licenses) > 1 or (len(licenses) == 1 and not is_open))
    return Decision(
        code="copyleft_conflict" if is_conflict else first.code,
        provider=first.provider,
        providers=frozenset[str]().union(*(part.providers for part in joined)),
        licenses=licenses,
        credits=frozenset[str]().union(*(part.credits for part in joined)),
        purposes=frozenset[str]().union(*(part.purposes for part in joined)),
        is_open=is_open,
    )


def decide_table(columns: Mapping[str, Sequence[Decision]], required: Collection[str]) -> TableDecision:
    """Decide on a table of one region. `columns`: for each column a decision for each source of its values.

    Values that may not be public are withheld; where they belong to a column of `required`, so is the table.
    """
    parts = [(name, part) for name, decisions in columns.items() for part in decisions]
    withheld = tuple(Withheld(name, part.provider, part.code) for name, part in parts if not part.is_public)
    fallen = [part for name, part in parts if name in required and not part.is_public]
    granted = [part for _, part in parts if part.is_public]
    decision = strictest(fallen or granted or (part for _, part in parts)) if parts else Decision("terms_unknown")
    return TableDecision(decision, withheld, any(_is_mixed(decisions) for decisions in columns.values()))


def _is_mixed(decisions: Sequence[Decision]) -> bool:
    column = strictest(part for part in decisions if part.is_public)
    return bool(column.licenses) and len(column.providers) > 1


def _decide_input(klass: FieldClass, one: Input, today: dt.date) -> Decision:
    terms = one.terms
    is_ours = klass == "own"
    consent = None if is_ours else _live_consent(one, today)
    code = _code(klass, one, consent, today)
    is_bound = code in GRANTS and not is_ours
    return Decision(
        code=code,
        provider=one.provider,
        providers=frozenset([one.provider]),
        licenses=frozenset([terms.license] if code == "share_alike" else []),
        credits=frozenset([terms.attribution_text or one.provider] if is_bound and code != "free" else []),
        purposes=frozenset([terms.purpose] if is_bound and terms.purpose != "any" else []),
        is_open=is_ours or (terms.is_open and terms.purpose == "any" and consent is None),
    )


def _code(klass: FieldClass, one: Input, consent: Consent | None, today: dt.date) -> str:
    if one.is_sandbox:
        return "sandbox"
    if klass == "own":
        return "free"
    if one.field in one.terms.personal_drop:
        return "personal"
    if one.field in one.terms.personal_review and not one.is_reviewed:
        return "personal_review"
    code = "notice" if consent else _redistribution(klass, one, today)
    if code in GRANTS and not (consent and consent.scope == "all") and not _allows_ai(one.terms):
        return "ai_use"
    return code


def _redistribution(klass: FieldClass, one: Input, today: dt.date) -> str:
    key = _KEY_OF_CLASS[klass]
    permission = one.terms.may_redistribute[key]
    known = one.terms.confidence_in(f"may_redistribute.{key}")
    if permission in ("barred", "permission") and known in ("documented", "reported"):
        return "terms_barred"
    if permission not in GRANTS or known != "documented" or one.terms.is_past_review(today):
        return "terms_unknown"
    return "expired" if _is_expired(klass, one, today) else permission


def _is_expired(klass: FieldClass, one: Input, today: dt.date) -> bool:
    ends = derived_expires_at if klass == "derived" else expires_at
    # Of values that somebody once fetched, the earliest day is the safe one.
    end = ends(one.fetched_at or dt.datetime(dt.MINYEAR, 1, 1, tzinfo=dt.UTC), one.terms, one.field)
    return end is not None and end.date() <= today


def _live_consent(one: Input, today: dt.date) -> Consent | None:
    live = [consent for consent in one.terms.consent if one.field in consent.fields and consent.is_live(today)]
    return max(live, key=lambda consent: consent.scope == "all", default=None)


def _allows_ai(terms: Terms) -> bool:
    if terms.ai_use == "unknown":
        return terms.is_open
    return terms.ai_use == "allowed" and terms.is_documented("ai_use")
