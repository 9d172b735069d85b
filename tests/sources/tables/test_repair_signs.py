"""Signs of Windows-1252 that were read as Latin-1: they come back at the end of a repair, and only there."""

import pytest

from sources.tables.repair import undo_mojibake


@pytest.mark.parametrize(
    ("damaged", "sound"),
    [
        ("Mum\x92s Kitchen", "Mum\u2019s Kitchen"),
        ("Caf\xe9 \x93Noor\x94", "Café “Noor”"),
        ("Mum\xc2\x92s Kitchen", "Mum\u2019s Kitchen"),
        ("Mum\u2019s Kitchen", "Mum\u2019s Kitchen"),
        ("Café Noor", "Café Noor"),
    ],
)
def test_control_characters_that_stand_for_signs_become_signs(damaged: str, sound: str) -> None:
    assert undo_mojibake(damaged) == sound


def test_a_control_character_without_a_sign_stays() -> None:
    assert undo_mojibake("Noor\x81") == "Noor\x81"
