"""When a source may be called live, and when what it answered must be gone."""

import datetime as dt
from dataclasses import replace

import pytest

from schemas.permits import derived_expires_at, expires_at, may_call
from schemas.terms import CONFIDENCES, FOREVER, Consent, Terms

TODAY = dt.date(2026, 12, 1)
FETCHED = dt.datetime(2026, 12, 1, 9, 30, tzinfo=dt.UTC)
SIGNED = Terms(
    address="https://example.org/terms",
    confidence="documented",
    access="contract",
    accepted_by="A maintainer",
    accepted_at=TODAY,
    review_by=TODAY,
)
# Traffic for a week, facts of a venue for half a year, its id for ever.
VENUES = Terms(store_days=183, store_fields={"traffic": 7, "venue_id": FOREVER})


def after(days: int) -> dt.datetime:
    return FETCHED + dt.timedelta(days=days)


@pytest.mark.parametrize("access", ["open", "contract"])
def test_signed_terms_that_allow_access_let_calls_through(access: str) -> None:
    assert may_call(replace(SIGNED, access=access), TODAY) is None


def test_nothing_is_called_before_a_maintainer_has_signed_and_what_to_sign_is_said() -> None:
    for unsigned in (replace(SIGNED, accepted_by=""), replace(SIGNED, accepted_at=None)):
        reason = may_call(unsigned, TODAY)
        assert reason is not None
        assert "no maintainer has accepted" in reason
        assert "https://example.org/terms" in reason
        assert "accepted: {by:" in reason


def test_a_signature_of_a_day_to_come_does_not_count() -> None:
    assert "a day to come" in (may_call(replace(SIGNED, accepted_at=TODAY + dt.timedelta(days=1)), TODAY) or "")


@pytest.mark.parametrize(
    ("access", "known", "words"),
    [
        ("forbidden", "documented", "forbid automated access"),
        ("forbidden", "reported", "forbid automated access (reported)"),
        ("forbidden", "inferred", "not known"),
        ("unknown", "documented", "not known"),
        *(("open", known, f"not known (access open, {known})") for known in CONFIDENCES[1:]),
    ],
)
def test_forbidden_unknown_or_only_reported_access_stops_calls(access: str, known: str, words: str) -> None:
    assert words in (may_call(replace(SIGNED, access=access, confidence=known), TODAY) or "")


def test_terms_past_their_review_day_stop_calls_until_they_are_read_again() -> None:
    reason = may_call(SIGNED, TODAY + dt.timedelta(days=1))
    assert reason is not None
    assert "by 2026-12-01" in reason


def test_all_reasons_are_given_at_once() -> None:
    reason = may_call(Terms(review_by=dt.date(2020, 1, 1)), TODAY) or ""
    for words in ("no maintainer", "no address is written down", "not known", "2020-01-01"):
        assert words in reason


def test_a_value_ends_with_its_field_and_a_whole_answer_with_the_shortest_of_them() -> None:
    assert expires_at(FETCHED, VENUES, "traffic") == after(7)
    assert expires_at(FETCHED, VENUES, "address") == after(183)
    assert expires_at(FETCHED, VENUES, "venue_id") is None
    assert expires_at(FETCHED, VENUES, "address", "traffic", "venue_id") == after(7)
    assert expires_at(FETCHED, VENUES) == after(7)


def test_an_answer_that_may_not_be_kept_at_all_ends_as_it_comes() -> None:
    assert expires_at(FETCHED, Terms(store_days=0, store_fields={"location_id": FOREVER})) == FETCHED


@pytest.mark.parametrize("days", [None, FOREVER])
def test_terms_without_a_time_give_no_end(days: float | None) -> None:
    assert expires_at(FETCHED, Terms(store_days=days)) is None


def test_a_consent_moves_the_end_of_its_fields_to_the_end_of_its_last_day() -> None:
    def until(day: dt.date | None) -> Terms:
        return replace(VENUES, consent=(Consent("ab", ("traffic",), "redistribute", day),))

    assert expires_at(FETCHED, until(dt.date(2027, 1, 31)), "traffic") == dt.datetime(2027, 2, 1, tzinfo=dt.UTC)
    assert expires_at(FETCHED, until(dt.date(2026, 12, 2)), "traffic") == after(7)
    assert expires_at(FETCHED, until(None), "traffic") is None
    assert expires_at(FETCHED, until(None), "address") == after(183)


@pytest.mark.parametrize(
    ("keeping", "known", "end"),
    [
        ("keep", "documented", None),
        ("keep", "reported", 7),
        ("expire", "documented", 7),
        ("unknown", "documented", 7),
    ],
)
def test_what_is_derived_stays_only_where_that_is_documented(keeping: str, known: str, end: int | None) -> None:
    read = replace(VENUES, store_derived=keeping, confidence=known)
    expected = None if end is None else after(end)
    assert derived_expires_at(FETCHED, read, "traffic", "address") == expected


def test_what_is_derived_stays_as_long_as_a_consent_to_keep_its_source() -> None:
    consent = Consent("ab", ("traffic",), "redistribute", None)
    assert derived_expires_at(FETCHED, replace(VENUES, consent=(consent,)), "traffic") is None
