"""Replacing a text: a reader sees the old one or the new one, at any moment."""

import threading
from pathlib import Path

from warehouse.release.durable import replace_text, write_text


def test_a_reader_never_sees_half_a_replacement(tmp_path: Path) -> None:
    path = tmp_path / "CURRENT"
    texts = ("old " * 50, "new " * 70)
    write_text(path, texts[0])
    is_over = threading.Event()

    def replace_all_the_time() -> None:
        number = 0
        while not is_over.is_set():
            number += 1
            replace_text(path, texts[number % 2])

    writer = threading.Thread(target=replace_all_the_time)
    writer.start()
    try:
        seen = {path.read_text() for _ in range(3_000)}
    finally:
        is_over.set()
        writer.join()
    assert seen == {*texts}
    assert [left.name for left in tmp_path.iterdir()] == ["CURRENT"]


def test_text_is_written_byte_for_byte(tmp_path: Path) -> None:
    write_text(tmp_path / "text", "a\nb\r\né")
    assert (tmp_path / "text").read_bytes() == "a\nb\r\né".encode()
