"""What a source's terms let a public release hold: a permission counts only where it is documented."""

import datetime as dt
import itertools
from pathlib import Path

import pytest

from schemas import terms
from schemas.strict import StrictError
from schemas.terms import Terms, parse_terms
from schemas.textyaml import load_text

MACHINE_FORM = """\
terms:
  address: https://example.org/terms
  confidence: documented
  accepted: {by: null, at: null}
  access: contract
  robots: obey
  license: LicenseRef-x
  family: proprietary
  ai_use: forbidden
  purpose: any
  may_store: {default_days: 0, fields: {location_id: forever}, derived: expire}
  may_redistribute: {ids: unknown, raw: barred, derived: barred, text: barred}
  attribution: {text: "", url: ""}
  personal: {drop: [phone, email, user], review: [name]}
  consent: []
  review_by: 2027-03-01
"""


def parsed(path: Path, text: str) -> Terms:
    file = path / "terms.yaml"
    file.write_text(text, encoding="utf-8")
    return parse_terms(load_text(file)["terms"], 1)


def test_the_whole_machine_form_is_read(tmp_path: Path) -> None:
    read = parsed(tmp_path, MACHINE_FORM)
    assert read == Terms(
        address="https://example.org/terms",
        confidence="documented",
        access="contract",
        license="LicenseRef-x",
        family="proprietary",
        ai_use="forbidden",
        store_days=0,
        store_fields={"location_id": "forever"},
        store_derived="expire",
        may_redistribute={"ids": "unknown", "raw": "barred", "derived": "barred", "text": "barred"},
        personal_drop=("phone", "email", "user"),
        personal_review=("name",),
        review_by=dt.date(2027, 3, 1),
    )
    assert read.public_raw() == (False, "terms_barred")


def test_terms_that_say_nothing_are_never_public(tmp_path: Path) -> None:
    assert parsed(tmp_path, "terms: {}\n") == Terms()
    assert Terms().public_raw() == (False, "terms_unknown")


def open_terms(**changed: object) -> Terms:
    given = {
        "confidence": "documented",
        "family": "public_domain",
        "may_redistribute": {"ids": "free", "raw": "free", "derived": "free", "text": "free"},
    }
    return Terms(**{**given, **changed})  # type: ignore[arg-type]


def raw(permission: str) -> dict[str, str]:
    return {"ids": "unknown", "raw": permission, "derived": "unknown", "text": "unknown"}


@pytest.mark.parametrize("permission", ["free", "notice", "share_alike"])
def test_a_documented_permission_under_an_open_licence_is_public_with_its_duty(permission: str) -> None:
    assert open_terms(may_redistribute=raw(permission)).public_raw() == (True, permission)


@pytest.mark.parametrize("confidence", ["reported", "inferred", "unknown"])
def test_a_permission_that_is_not_documented_does_not_count(confidence: str) -> None:
    assert open_terms(confidence=confidence).public_raw() == (False, "terms_unknown")


@pytest.mark.parametrize("permission", ["barred", "permission"])
def test_a_restriction_counts_from_reported_on(permission: str) -> None:
    codes = {
        confidence: open_terms(confidence=confidence, may_redistribute=raw(permission)).public_raw()
        for confidence in terms.CONFIDENCES
    }
    assert codes == {
        "documented": (False, "terms_barred"),
        "reported": (False, "terms_barred"),
        "inferred": (False, "terms_unknown"),
        "unknown": (False, "terms_unknown"),
    }


@pytest.mark.parametrize(
    ("family", "ai_use", "is_public"),
    [
        ("public_domain", "unknown", True),
        ("attribution", "unknown", True),
        ("share_alike", "unknown", True),
        ("proprietary", "unknown", False),
        ("unknown", "unknown", False),
        ("proprietary", "allowed", True),
        ("unknown", "allowed", True),
        ("proprietary", "internal_test", False),
        ("attribution", "forbidden", False),
    ],
)
def test_use_with_language_models_must_be_allowed_or_the_licence_open(
    family: str, ai_use: str, is_public: bool
) -> None:
    assert open_terms(family=family, ai_use=ai_use).public_raw() == ((True, "free") if is_public else (False, "ai_use"))


def test_confidence_may_be_set_for_single_keys(tmp_path: Path) -> None:
    text = """\
terms:
  confidence: {default: reported, may_redistribute: documented, ai_use: documented}
  ai_use: allowed
  may_redistribute: {raw: free}
"""
    read = parsed(tmp_path, text)
    assert read.public_raw() == (True, "free")
    assert (read.confidence_in("address"), read.confidence_in("ai_use")) == ("reported", "documented")
    assert parsed(tmp_path, text.replace("ai_use: documented", "ai_use: reported")).public_raw() == (False, "ai_use")


def test_after_the_review_day_and_without_a_day_every_permission_reads_as_unknown() -> None:
    read = open_terms(review_by=dt.date(2027, 3, 1))
    assert read.public_raw(dt.date(2027, 3, 1)) == (True, "free")
    assert read.public_raw(dt.date(2027, 3, 2)) == (False, "terms_unknown")
    assert read.public_raw() == (False, "terms_unknown")


def test_past_its_review_day_a_restriction_still_counts() -> None:
    read = open_terms(review_by=dt.date(2027, 3, 1), may_redistribute=raw("barred"))
    assert read.public_raw(dt.date(2028, 1, 1)) == (False, "terms_barred")


def test_over_all_terms_public_means_documented_granted_and_fit_for_language_models() -> None:
    every = itertools.product(terms.CONFIDENCES, terms.PERMISSIONS, terms.FAMILIES, terms.AI_USES)
    for confidence, permission, family, ai_use in every:
        read = Terms(confidence=confidence, family=family, ai_use=ai_use, may_redistribute=raw(permission))
        is_fit = ai_use == "allowed" or (ai_use == "unknown" and family in terms.OPEN_FAMILIES)
        is_granted = confidence == "documented" and permission in ("free", "notice", "share_alike")
        assert read.public_raw()[0] is (is_granted and is_fit), read


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("ai_use: forbidden", "ai_usage: forbidden", 9, ["'ai_usage'", "did you mean 'ai_use'"]),
        ("family: proprietary", "family: private", 8, ["'private'", "'proprietary'", "'unknown'"]),
        ("raw: barred", "raw: yes", 12, ["'yes'", "'free'", "'barred'"]),
        ("ids: unknown", "id: unknown", 12, ["'id'", "'ids'"]),
        ("confidence: documented", "confidence: sure", 3, ["'sure'", "'documented'"]),
        ("confidence: documented", "confidence: {license: sure}", 3, ["'sure'"]),
        ("default_days: 0", "default_days: -1", 11, ["whole number"]),
        ("default_days: 0", "default_days: soon", 11, ["'soon'"]),
        ("derived: expire", "derived: maybe", 11, ["'maybe'", "'keep'"]),
        ("2027-03-01", "next year", 16, ["'next year'", "2018-01-31"]),
        ("consent: []", "consent: [{scope: x}]", 15, ["'document_sha256'", "missing"]),
        ("license: LicenseRef-x", "license:", 7, ["'license' is empty"]),
        ("personal: {", "personal: {hide: [x], ", 14, ["'hide'", "'drop'"]),
        ("attribution: {", "attribution: {by: x, ", 13, ["'by'", "'url'"]),
        ("robots: obey", "robots: [obey]", 6, ["one text"]),
        ("accepted: {by: null, at: null}", "accepted: nobody", 4, ["mapping of keys"]),
    ],
)
def test_an_unknown_key_or_word_is_refused_with_line_and_choices(
    tmp_path: Path, old: str, new: str, line: int, words: list[str]
) -> None:
    assert old in MACHINE_FORM
    with pytest.raises(StrictError) as caught:
        parsed(tmp_path, MACHINE_FORM.replace(old, new, 1))
    assert caught.value.line == line
    for word in words:
        assert word in str(caught.value)


def test_a_consent_is_kept_as_written(tmp_path: Path) -> None:
    text = "terms:\n  consent: [{document_sha256: ab, fields: [name], scope: all, until: 2026-12-31}]\n"
    (consent,) = parsed(tmp_path, text).consent
    assert (consent.fields, consent.until) == (("name",), dt.date(2026, 12, 31))
