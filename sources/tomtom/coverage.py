"""What is known of all pairs of points, by the answers that are there: settled, under way, or still to be asked.

Pairs are known by their points alone: it does not matter of which region, for which account, or in which blocks they
were asked for. Work that was paid is not paid again, unless that is cheaper (`tiling`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sources.protocol.types import Answer, Known, Refusal, Request
from sources.tomtom.cells import FOR_A_WHILE, read_matrix
from sources.tomtom.envelope import open_answer
from sources.tomtom.jobs import Ends, ends_of, is_our_question, next_request
from sources.tomtom.points import Point
from sources.tomtom.tiling import Mask

# A cell that failed for a while is asked for once more, and then left.
MOST_TIMES = 2

# What answers settle, by all that decides about it: every round looks at all of them again.
_SETTLED: dict[tuple[Ends | None, str, int, str, str], Mask | Refusal] = {}


class Coverage(NamedTuple):
    """`open_pairs` is by origin and destination, in the order of the points; `follow_ups` bring jobs on that run."""

    open_pairs: Mask
    follow_ups: tuple[Request, ...]


def coverage_of(points: Sequence[Point], known: Known) -> Coverage:
    """Return which pairs of different points are to be asked for, and what is to be asked about jobs that run."""
    pairs = _Pairs(points)
    submitted = list(filter(is_our_question, known.answers("matrix")))
    fetched: dict[str, Mask | Refusal] = {}
    for answer in filter(is_our_question, known.answers("matrix_result")):
        fetched[answer.params.get("jobId", "")] = pairs.add(answer)
    for answer in submitted:
        if b'"data"' in (answer.body or b""):
            pairs.add(answer)
    follow_ups = tuple(_follow(submitted, fetched, pairs, known))
    return Coverage(pairs.open(), follow_ups)


def _follow(
    submitted: Iterable[Answer], fetched: Mapping[str, Mask | Refusal], pairs: "_Pairs", known: Known
) -> Iterator[Request]:
    for answer in submitted:
        ends = ends_of(answer)
        if ends is None or not pairs.has_unsettled(ends):
            continue
        request = next_request(answer, fetched, known)
        if request is not None:
            pairs.note_under_way(ends)
            yield request


class _Pairs:
    """The pairs of some points, and what was learned of each."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._numbers = {point: number for number, point in enumerate(points)}
        shape = (len(points), len(points))
        self._times_asked = np.zeros(shape, dtype=np.int64)
        self._settled = np.zeros(shape, dtype=np.bool_)
        self._under_way = np.zeros(shape, dtype=np.bool_)

    def add(self, answer: Answer) -> Mask | Refusal:
        """Take in what an answer with cells settles, and return it."""
        settled = _settled_by(answer)
        ends = ends_of(answer)
        if ends is None or (isinstance(settled, Refusal) and (settled.is_retryable or settled.is_split)):
            return settled
        rows, columns = self._known(ends.origins), self._known(ends.destinations)
        place = np.ix_(rows[1], columns[1])
        self._times_asked[place] += 1
        if not isinstance(settled, Refusal):
            self._settled[place] |= settled[np.ix_(rows[0], columns[0])]
        return settled

    def has_unsettled(self, ends: Ends) -> bool:
        """Whether some pair of a job is still to be told."""
        return not bool(self._settled[self._place(ends)].all())

    def note_under_way(self, ends: Ends) -> None:
        """Take it that a job that runs will tell its pairs."""
        self._under_way[self._place(ends)] = True

    def open(self) -> Mask:
        """Return the pairs to ask for now. Second times wait until no job runs, so that they make few blocks."""
        most_times = 1 if self._under_way.any() else MOST_TIMES
        is_open: Mask = ~self._settled & ~self._under_way & (self._times_asked < most_times)
        # A city paired with itself is no question of its own, but need not tear a block apart.
        unasked = np.diagonal(self._times_asked) == 0
        np.fill_diagonal(is_open, False)
        np.fill_diagonal(is_open, unasked & is_open.any(axis=0) & is_open.any(axis=1))
        return is_open

    def _place(self, ends: Ends) -> tuple[npt.NDArray[np.intp], ...]:
        return np.ix_(self._known(ends.origins)[1], self._known(ends.destinations)[1])

    def _known(self, points: Sequence[Point]) -> tuple[list[int], list[int]]:
        """Return which of some points are ours: their places there, and their numbers here."""
        ours = [(place, self._numbers[point]) for place, point in enumerate(points) if point in self._numbers]
        return [place for place, _ in ours], [number for _, number in ours]


def _settled_by(answer: Answer) -> Mask | Refusal:
    key = ends_of(answer), answer.endpoint, answer.status, answer.media_type, answer.body_sha256
    if key not in _SETTLED:
        _SETTLED[key] = _read(answer)
    return _SETTLED[key]


def _read(answer: Answer) -> Mask | Refusal:
    document, ends = open_answer(answer), ends_of(answer)
    if isinstance(document, Refusal):
        return document
    if ends is None:
        return Refusal("no_points", "nothing says of which points the cells are")
    matrix = read_matrix(document, ends)
    if isinstance(matrix, Refusal):
        return matrix
    settled = np.array([outcome.status not in FOR_A_WHILE for outcome in matrix.outcomes], dtype=np.bool_)
    return settled.reshape(len(ends.origins), len(ends.destinations))
