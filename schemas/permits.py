"""What terms let us do ourselves: call the source, and keep what it answered. Pure; the day and the hour are given.

What may be published stands in `publicity`.
"""

import datetime as dt

from schemas.terms import FOREVER, Terms


def may_call(terms: Terms, today: dt.date) -> str | None:
    """Return why no live call may be made, with what is to be signed; None where calls may be made.

    Calls to a stand-in on this machine are not live and need no leave.
    """
    reasons = (_why_not_signed(terms, today), _why_no_access(terms), _why_overdue(terms, today))
    return "; ".join(reason for reason in reasons if reason) or None


def expires_at(fetched_at: dt.datetime, terms: Terms, *fields: str) -> dt.datetime | None:
    """Return when values of these fields must be gone, the earliest first; None where no end is known.

    Without a field: of all that the terms name, as a whole answer may hold any of them. A consent that lasts longer
    moves the end of its fields. A time that the terms do not give is no end: whoever writes them down for a source
    whose terms are unknown gives a time.
    """
    ends = (_end(fetched_at, terms, name) for name in (fields or ("", *terms.store_fields)))
    return min((end for end in ends if end is not None), default=None)


def derived_expires_at(fetched_at: dt.datetime, terms: Terms, *fields: str) -> dt.datetime | None:
    """Return when values derived from these fields must be gone: with the fields, unless keeping is documented."""
    may_keep = terms.store_derived == "keep" and terms.is_documented("may_store")
    return None if may_keep else expires_at(fetched_at, terms, *fields)


def _end(fetched_at: dt.datetime, terms: Terms, name: str) -> dt.datetime | None:
    days = terms.store_fields.get(name, terms.store_days)
    if days is None or days == FOREVER:
        return None
    end = fetched_at + dt.timedelta(days=days)
    for consent in terms.consent:
        if name in consent.fields:
            if consent.until is None:
                return None
            over = dt.datetime.combine(consent.until, dt.time(), fetched_at.tzinfo) + dt.timedelta(days=1)
            end = max(end, over)
    return end


def _why_not_signed(terms: Terms, today: dt.date) -> str:
    if not terms.accepted_by or terms.accepted_at is None:
        return (
            f"no maintainer has accepted the terms: read {terms.address or 'them (no address is written down)'}, then "
            "sign with `accepted: {by: your name, at: the day}` under `terms`"
        )
    if terms.accepted_at > today:
        return f"the terms are accepted on {terms.accepted_at}, a day to come: `accepted.at` is the day of signing"
    return ""


def _why_no_access(terms: Terms) -> str:
    known = terms.confidence_in("access")
    if terms.access == "forbidden" and known in ("documented", "reported"):
        return f"the terms forbid automated access ({known}): ask the owner for leave, or save pages by hand"
    if terms.access not in ("open", "contract") or known != "documented":
        return (
            f"whether programs may call is not known (access {terms.access}, {known}): whoever signs writes what the "
            "text says in `access`, with confidence `documented`"
        )
    return ""


def _why_overdue(terms: Terms, today: dt.date) -> str:
    if not terms.is_past_review(today):
        return ""
    return f"the terms were to be read again by {terms.review_by}: read them, move `review_by`, sign anew"
