"""The machine form of terms, read strictly: what is not written down is unknown, what is not known is refused."""

import datetime as dt
from pathlib import Path

import pytest

from schemas.strict import StrictError
from schemas.terms import FOREVER, Terms, parse_terms
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
        store_fields={"location_id": FOREVER},
        store_derived="expire",
        may_redistribute={"ids": "unknown", "raw": "barred", "derived": "barred", "text": "barred"},
        personal_drop=("phone", "email", "user"),
        personal_review=("name",),
        review_by=dt.date(2027, 3, 1),
    )


def test_terms_that_say_nothing_know_nothing(tmp_path: Path) -> None:
    read = parsed(tmp_path, "terms: {}\n")
    assert read == Terms()
    assert {read.confidence, read.access, read.family, read.ai_use, *read.may_redistribute.values()} == {"unknown"}
    assert (read.accepted_by, read.accepted_at, read.store_days) == ("", None, None)


def test_confidence_may_be_set_for_single_keys_and_classes(tmp_path: Path) -> None:
    text = """\
terms:
  confidence: {default: reported, may_redistribute: inferred, may_redistribute.raw: documented}
"""
    read = parsed(tmp_path, text)
    keys = ("address", "may_redistribute", "may_redistribute.derived", "may_redistribute.raw")
    assert [read.confidence_in(key) for key in keys] == ["reported", "inferred", "inferred", "documented"]
    assert [read.is_documented(key) for key in keys] == [False, False, False, True]


def test_only_documented_open_families_are_open() -> None:
    assert Terms(confidence="documented", family="share_alike").is_open
    assert not Terms(confidence="documented", family="proprietary").is_open
    assert not Terms(confidence="reported", family="share_alike").is_open


def test_days_of_keeping_are_numbers_or_for_ever(tmp_path: Path) -> None:
    read = parsed(tmp_path, "terms:\n  may_store: {default_days: forever, fields: {traffic: 7}}\n")
    assert (read.store_days, read.store_fields) == (FOREVER, {"traffic": 7})


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
        ("default_days: 0", "default_days: 0.5", 11, ["whole number"]),
        ("default_days: 0", "default_days: 36501", 11, ["36500", "'forever'"]),
        ("default_days: 0", "default_days: soon", 11, ["'soon'"]),
        ("location_id: forever", "location_id: long", 11, ["'long'"]),
        ("derived: expire", "derived: maybe", 11, ["'maybe'", "'keep'"]),
        ("2027-03-01", "next year", 16, ["'next year'", "2018-01-31"]),
        ("consent: []", "consent: [{scope: x}]", 15, ["'document_sha256'", "missing"]),
        (
            "consent: []",
            "consent: [{document_sha256: ab, fields: [name], scope: some}]",
            15,
            ["'some'", "'redistribute'", "'all'"],
        ),
        ("confidence: documented", "confidence: {may_redistribute.row: documented}", 3, ["may_redistribute.raw"]),
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
    assert (consent.fields, consent.scope, consent.until) == (("name",), "all", dt.date(2026, 12, 31))
    assert consent.is_live(dt.date(2026, 12, 31))
    assert not consent.is_live(dt.date(2027, 1, 1))
