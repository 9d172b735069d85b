"""The rule by which values, columns and tables may be public, over all terms that could be written."""

import datetime as dt
import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import terms
from schemas.model import FieldClass
from schemas.publicity import Decision, Input, decide, decide_table, strictest
from schemas.terms import GRANTS, Consent, Terms

TODAY = dt.date(2026, 12, 1)
YESTERDAY, TOMORROW = TODAY - dt.timedelta(days=1), TODAY + dt.timedelta(days=1)
NOW = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)
ALL_FREE = dict.fromkeys(terms.CLASSES, "free")


def open_terms(**changed: object) -> Terms:
    given_ = {"confidence": "documented", "family": "public_domain", "license": "X", "may_redistribute": ALL_FREE}
    return Terms(**{**given_, **changed})  # type: ignore[arg-type]


def granting(permission: str) -> dict[str, str]:
    return dict.fromkeys(terms.CLASSES, permission)


SHARED = open_terms(family="share_alike", license="ODbL-1.0", may_redistribute=granting("share_alike"))
CONSENT = Consent("ab", ("name",), "all", TOMORROW)
BARRED = Terms(confidence="documented", family="proprietary", ai_use="forbidden", may_redistribute=granting("barred"))
CONTRACT = replace(BARRED, consent=(CONSENT,))


def code(read: Terms, *, field: str = "name", klass: FieldClass = "raw", today: dt.date = TODAY) -> str:
    return decide(klass, [Input("them", field, read)], today).code


@st.composite
def any_terms(draw: st.DrawFn) -> Terms:
    days = st.sampled_from([None, YESTERDAY, TODAY, TOMORROW])
    scopes = st.sampled_from(terms.CONSENT_SCOPES)
    fields = st.sampled_from([(), ("name",), ("other",)])
    return Terms(
        confidence=draw(st.sampled_from(terms.CONFIDENCES)),
        license=draw(st.sampled_from(["ODbL-1.0", "CC-BY-SA-4.0"])),
        family=draw(st.sampled_from(terms.FAMILIES)),
        ai_use=draw(st.sampled_from(terms.AI_USES)),
        purpose=draw(st.sampled_from(terms.PURPOSES)),
        store_days=draw(st.sampled_from([None, 0.0, 7.0, terms.FOREVER])),
        may_redistribute=draw(st.fixed_dictionaries({name: st.sampled_from(terms.PERMISSIONS) for name in ALL_FREE})),
        personal_drop=draw(fields),
        personal_review=draw(fields),
        consent=tuple(draw(st.lists(st.builds(Consent, st.just("ab"), fields, scopes, days), max_size=2))),
        review_by=draw(days),
    )


def any_terms_or_open() -> st.SearchStrategy[Terms]:
    """Arbitrary terms seldom allow anything; open ones are mixed in, so that what is public is tried as well."""
    return st.one_of(any_terms(), st.sampled_from([open_terms(), SHARED, CONTRACT, open_terms(purpose="academic")]))


any_input = st.builds(
    Input,
    st.sampled_from(["one", "two", "three"]),
    st.sampled_from(["name", "other"]),
    any_terms_or_open(),
    is_sandbox=st.sampled_from([False, False, False, True]),
    fetched_at=st.sampled_from([None, NOW, NOW - dt.timedelta(days=8)]),
    is_reviewed=st.booleans(),
)
any_class = st.sampled_from(["id", "raw", "derived", "text", "own"])
any_inputs = st.lists(any_input, min_size=1, max_size=4)
ORDER = [
    "sandbox", "personal", "personal_review", "terms_barred", "terms_unknown", "expired", "ai_use",
    "copyleft_conflict", "share_alike", "notice", "free",
]  # fmt: skip


@given(any_class, any_inputs, any_input)
def test_another_input_never_loosens(klass: FieldClass, inputs: list[Input], other: Input) -> None:
    before, after = decide(klass, inputs, TODAY), decide(klass, [*inputs, other], TODAY)
    assert ORDER.index(after.code) <= ORDER.index(before.code)
    assert (before.licenses, before.credits, before.purposes) <= (after.licenses, after.credits, after.purposes)


@given(any_class, any_inputs)
def test_the_strictest_input_decides_but_for_a_conflict_of_all_of_them(klass: FieldClass, inputs: list[Input]) -> None:
    alone = [decide(klass, [one], TODAY) for one in inputs]
    together = decide(klass, inputs, TODAY)
    if together.code == "copyleft_conflict":
        assert all(one.is_public or one.code == "copyleft_conflict" for one in alone)
    else:
        assert together.code == min((one.code for one in alone), key=ORDER.index)


@given(any_class, any_inputs, st.randoms())
def test_the_order_and_grouping_of_inputs_do_not_matter(klass: FieldClass, inputs: list[Input], random: object) -> None:
    shuffled = list(inputs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    alone = [decide(klass, [one], TODAY) for one in shuffled]
    grouped = strictest([strictest(alone[:2]), strictest(alone[2:])])
    assert replace(grouped, provider="") == replace(decide(klass, inputs, TODAY), provider="")


@given(any_inputs)
def test_our_own_values_are_free_whoever_was_asked_unless_the_answers_were_constructed(inputs: list[Input]) -> None:
    expected = "sandbox" if any(one.is_sandbox for one in inputs) else "free"
    assert decide("own", inputs, TODAY).code == expected


def test_what_nobody_knows_the_origin_of_is_unknown_unless_it_is_our_own() -> None:
    assert decide("raw", [], TODAY) == Decision("terms_unknown")
    assert decide("own", [], TODAY).permission == "free"
    assert code(Terms()) == "terms_unknown"


def test_over_all_terms_public_means_documented_granted_and_fit_for_language_models() -> None:
    every = itertools.product(terms.CONFIDENCES, terms.PERMISSIONS, terms.FAMILIES, terms.AI_USES)
    for confidence, permission, family, ai_use in every:
        read = Terms(
            confidence=confidence, family=family, ai_use=ai_use, may_redistribute={**ALL_FREE, "raw": permission}
        )
        is_fit = ai_use == "allowed" or (ai_use == "unknown" and family in terms.OPEN_FAMILIES)
        is_granted = confidence == "documented" and permission in GRANTS
        found = decide("raw", [Input("them", "name", read)], TODAY)
        # Share-alike terms that are not themselves open are a contradiction, so they are not public either.
        is_consistent = permission != "share_alike" or family in terms.OPEN_FAMILIES
        assert found.is_public is (is_granted and is_fit and is_consistent), read


@pytest.mark.parametrize("permission", ["barred", "permission"])
def test_a_restriction_counts_from_reported_on(permission: str) -> None:
    found = {
        known: code(open_terms(confidence=known, may_redistribute=granting(permission))) for known in terms.CONFIDENCES
    }
    assert found == {
        "documented": "terms_barred",
        "reported": "terms_barred",
        "inferred": "terms_unknown",
        "unknown": "terms_unknown",
    }


def test_how_each_class_is_known_counts_for_that_class_alone() -> None:
    read = open_terms(confidence_of={"may_redistribute.derived": "reported"})
    assert code(read, klass="raw") == "free"
    assert code(read, klass="derived") == "terms_unknown"
    assert code(open_terms(confidence_of={"may_redistribute": "reported"}), klass="raw") == "terms_unknown"


@pytest.mark.parametrize("klass", ["id", "raw", "derived", "text"])
def test_each_class_has_its_own_permission(klass: FieldClass) -> None:
    key = "ids" if klass == "id" else klass
    assert code(open_terms(may_redistribute={**granting("barred"), key: "free"}), klass=klass) == "free"
    assert code(open_terms(may_redistribute={**ALL_FREE, key: "barred"}), klass=klass) == "terms_barred"


def test_past_the_review_day_a_permission_reads_as_unknown_and_a_restriction_still_counts() -> None:
    assert code(open_terms(review_by=TODAY)) == "free"
    assert code(open_terms(review_by=YESTERDAY)) == "terms_unknown"
    assert code(replace(BARRED, review_by=YESTERDAY)) == "terms_barred"


def test_a_consent_overrides_for_its_fields_until_its_day_is_over() -> None:
    assert code(CONTRACT) == "notice"
    assert code(CONTRACT, field="rating") == "terms_barred"
    assert code(CONTRACT, today=TOMORROW) == "notice"
    assert code(CONTRACT, today=TOMORROW + dt.timedelta(days=1)) == "terms_barred"
    assert code(replace(BARRED, consent=(replace(CONSENT, until=None),)), today=dt.date(2099, 1, 1)) == "notice"


def test_a_consent_outlives_the_review_day_and_the_time_of_keeping() -> None:
    assert code(replace(CONTRACT, review_by=YESTERDAY, store_days=0.0)) == "notice"


def test_a_consent_to_publish_is_none_to_use_with_language_models() -> None:
    publish = replace(CONSENT, scope="redistribute")
    assert code(replace(BARRED, consent=(publish,))) == "ai_use"
    assert code(replace(BARRED, consent=(publish, CONSENT))) == "notice"


def test_personal_fields_stay_out_even_with_a_consent_and_names_until_a_person_looked() -> None:
    assert code(replace(CONTRACT, personal_drop=("name",))) == "personal"
    named = open_terms(personal_review=("name",))
    assert code(named) == "personal_review"
    assert code(named, field="rating") == "free"
    assert decide("raw", [Input("them", "name", named, is_reviewed=True)], TODAY).code == "free"


def test_constructed_answers_are_never_public() -> None:
    assert decide("raw", [Input("them", "name", open_terms(), is_sandbox=True)], TODAY).code == "sandbox"


@pytest.mark.parametrize(
    ("fetched_at", "expected"),
    [(NOW, "free"), (NOW - dt.timedelta(days=6), "free"), (NOW - dt.timedelta(days=7), "expired"), (None, "expired")],
)
def test_values_kept_beyond_their_time_are_expired_and_so_are_those_of_unknown_age(
    fetched_at: dt.datetime | None, expected: str
) -> None:
    one = Input("them", "traffic", open_terms(store_fields={"traffic": 7.0}), fetched_at=fetched_at)
    assert decide("raw", [one], TODAY).code == expected
    assert decide("raw", [replace(one, field="venue")], TODAY).code == "free"


def test_what_is_derived_outlives_its_source_where_keeping_it_is_documented() -> None:
    read = open_terms(store_days=0.0)
    assert code(read, klass="derived") == "expired"
    assert code(replace(read, store_derived="keep"), klass="derived") == "free"
    assert code(replace(read, store_derived="keep"), klass="raw") == "expired"
    reported = replace(read, store_derived="keep", confidence_of={"may_store": "reported"})
    assert code(reported, klass="derived") == "expired"


@pytest.mark.parametrize(
    ("family", "ai_use", "expected"),
    [
        ("public_domain", "unknown", "free"),
        ("proprietary", "unknown", "ai_use"),
        ("proprietary", "allowed", "free"),
        ("proprietary", "internal_test", "ai_use"),
        ("attribution", "forbidden", "ai_use"),
    ],
)
def test_use_with_language_models_must_be_allowed_or_the_licence_open(family: str, ai_use: str, expected: str) -> None:
    assert code(open_terms(family=family, ai_use=ai_use)) == expected


def test_a_purpose_binds_the_release() -> None:
    academic = Input("them", "name", open_terms(purpose="academic"))
    assert decide("raw", [academic, Input("us", "name", open_terms())], TODAY).purposes == {"academic"}


def test_share_alike_takes_open_values_in_and_none_of_a_contract_or_of_another_such_licence() -> None:
    shared = Input("osm", "point", SHARED)
    for other, expected in [
        (open_terms(), "share_alike"),
        (open_terms(family="attribution", may_redistribute=granting("notice")), "share_alike"),
        (CONTRACT, "copyleft_conflict"),
        (open_terms(may_redistribute=granting("barred"), consent=(CONSENT,)), "copyleft_conflict"),
        (open_terms(purpose="non_commercial"), "copyleft_conflict"),
        (open_terms(family="proprietary", ai_use="allowed"), "copyleft_conflict"),
        (replace(SHARED, license="CC-BY-SA-4.0"), "copyleft_conflict"),
        (BARRED, "terms_barred"),
    ]:
        assert decide("raw", [shared, Input("them", "name", other)], TODAY).code == expected, other


def raw(provider: str, read: Terms, field: str = "name") -> Decision:
    return decide("raw", [Input(provider, field, read)], TODAY)


def test_share_alike_and_contract_values_cannot_share_a_table_even_in_columns_of_their_own() -> None:
    found = decide_table({"stop": [raw("osm", SHARED)], "price": [raw("them", CONTRACT)]}, set())
    assert found.decision.code == "copyleft_conflict"
    assert found.withheld == ()


def test_a_table_is_derivative_where_a_share_alike_column_is_filled_by_another_provider() -> None:
    osm, other = raw("osm", SHARED), raw("files", open_terms())
    assert decide_table({"stop": [osm, other], "price": [other]}, set()).is_derivative
    assert not decide_table({"stop": [osm], "price": [other]}, set()).is_derivative
    assert not decide_table({"stop": [osm, osm], "price": [other]}, set()).is_derivative
    # A column that cross-references the two is no more wholly theirs.
    crossed = decide("raw", [Input("osm", "point", SHARED), Input("files", "point", open_terms())], TODAY)
    assert decide_table({"distance": [crossed]}, set()).is_derivative


def test_values_that_are_withheld_do_not_make_a_column_mixed() -> None:
    assert not decide_table({"stop": [raw("osm", SHARED), raw("them", BARRED)]}, set()).is_derivative


def test_a_table_falls_with_a_required_column_and_stands_without_an_optional_one() -> None:
    columns = {"name": [raw("files", open_terms())], "rating": [raw("them", BARRED), raw("files", open_terms())]}
    without = decide_table(columns, {"name"})
    assert (without.decision.code, without.withheld) == ("free", (("rating", "them", "terms_barred"),))
    fallen = decide_table(columns, {"name", "rating"})
    assert (fallen.decision.code, fallen.decision.provider) == ("terms_barred", "them")
    assert fallen.withheld == without.withheld


def test_a_table_without_any_public_value_is_withheld() -> None:
    assert decide_table({}, set()).decision.code == "terms_unknown"
    assert not decide_table({"rating": [raw("them", BARRED)]}, set()).decision.is_public
