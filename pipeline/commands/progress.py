"""How a person follows what takes long: a bar for each layer of a build, and one for each provider that is asked."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipeline.settings import OnAnswer, OnStep, Step

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@contextmanager
def answer_bars() -> Iterator[OnAnswer]:
    """Show a bar for each provider on a terminal, nothing elsewhere."""
    with _opened() as progress:
        yield _on_answer(progress)


@contextmanager
def build_bars(counts: Counter[str]) -> Iterator[tuple[OnStep, OnAnswer]]:
    """Show bars on a terminal, nothing elsewhere; count results built and reused, and answers by provider."""
    with _opened() as progress:
        bars: dict[str, TaskID] = {}
        show = _on_answer(progress)

        def on_step(step: Step) -> None:
            if step.layer not in bars:
                bars[step.layer] = progress.add_task(step.layer, total=step.steps_in_layer)
            counts["reused" if step.reused else "built"] += 1
            progress.advance(bars[step.layer])

        def on_answer(provider: str, done: int, still_open: int) -> None:
            counts[f"asked {provider}"] = done
            show(provider, done, still_open)

        yield on_step, on_answer


@contextmanager
def _opened() -> "Iterator[Progress]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress:
        yield progress


def _on_answer(progress: "Progress") -> OnAnswer:
    bars: dict[str, TaskID] = {}

    def on_answer(provider: str, done: int, still_open: int) -> None:
        if provider not in bars:
            bars[provider] = progress.add_task(f"ask {provider}", total=None)
        progress.update(bars[provider], completed=done, total=done + still_open)

    return on_answer
