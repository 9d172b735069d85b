"""The reader of JavaScript literals: what it takes, what it refuses, and that it is never slow."""

import sys
from datetime import date

import pytest

from sources.etrain.literals import LiteralError, read_literal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-3", -3),
        ("0", 0),
        ("85.4", 85.4),
        ("-0.2", -0.2),
        ("null", None),
        ("true", True),
        ("'it\\'s'", "it's"),
        ('"a \\"b\\" \\u0041"', 'a "b" A'),
        ("''", ""),
        ("[]", []),
        ("{}", {}),
        ("[1, [2 ,null],\r\n\t'x']", [1, [2, None], "x"]),
        ("{'type': 'number', role: 1}", {"type": "number", "role": 1}),
    ],
)
def test_a_literal_is_read_as_what_it_means(text: str, value: object) -> None:
    found, end = read_literal(f" {text};", 0)
    assert (found, type(found), end) == (value, type(value), len(text) + 1)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("new Date(2026,0,1)", date(2026, 1, 1)),
        ("new Date(2026,8,28)", date(2026, 9, 28)),
        ("new  Date( 2025 , 11 , 31 )", date(2025, 12, 31)),
        ("new Date(2024,1,29)", date(2024, 2, 29)),
    ],
)
def test_months_are_counted_from_0(text: str, day: date) -> None:
    assert read_literal(text, 0) == (day, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "", ";", "undefined", "NaN", "Infinity", "1+1", "alert(1)", "(1)", "01", "-", "1.", ".5", "1e3", "0x10", "+1",
        "1_0", "1n", "--1", "9" * 16, "1." + "0" * 16, "'x", '"x', "'a\nb'", "'\\q'", "`x`", "[", "[1", "[1,]", "[,1]",
        "[1 2]", "[1;2]", "{", "{'a'}", "{'a':}", "{'a':1,}", "{'a':1,'a':2}", "{1:2}", "{'a' 1}", "/*x*/1", "// x\n1",
        "null0", "new Date()", "new Date(2026,12,1)", "new Date(2026,8,31)", "new Date(2026,8,0)",
        "new Date(2026,-1,1)",
        "new Date(2025,1,29)", "new Date(0,0,1)", "new Date('2026-09-28')", "new Date(2026,8)", "new Date(2026,8,1,0)",
        "new Date(1790000000000)", "Date(2026,8,1)", "new Thing(2026,8,1)", "\uff11", "[" * 9 + "]" * 9,
    ],
)  # fmt: skip
def test_what_is_no_literal_is_an_error_and_is_never_evaluated(text: str) -> None:
    # Of some, a part could be read; what follows tells that it was a part.
    with pytest.raises(LiteralError):
        assert read_literal(text, 0)[1] == len(text) or _fail()


def _fail() -> bool:
    raise LiteralError("something stands behind the literal")


def test_nesting_is_bounded() -> None:
    assert read_literal("[" * 8 + "]" * 8, 0)[1] == 16
    for depth in (9, 1_000, 1_000_000):
        with pytest.raises(LiteralError, match="nested"):
            read_literal("[" * depth, 0)


def work(text: str) -> int:
    """Count calls of functions, those of the regular expressions among them."""
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        read_literal(text, 0)
    except LiteralError:
        pass
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("part", ["1,", "'x',", "null,", "[],", "{'a':1},", "new Date(2026,8,28),", "  ", "'\\'',"])
def test_the_work_grows_with_the_text_and_not_faster(part: str) -> None:
    small, large = (work(f"[{part * times}1]") for times in (2_000, 4_000))
    assert large < 2.1 * small + 20
