"""The cells of a matrix as JSON, made by columns: a quarter of a million of them take about a second."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sources.sandbox.roads import MAP_MATCHING, NO_ROUTE, OK, OUT_OF_REGION, Ints
from sources.sandbox.tomtom.network import Network, take
from sources.sandbox.tomtom.question import MatrixQuestion
from sources.sandbox.tomtom.rejection import NO_ROUTE_MESSAGE, STOPPED_MESSAGE, off_road_message

# Above all statuses of the truth.
_STOPPED = 1 + max(OK, NO_ROUTE, MAP_MATCHING, OUT_OF_REGION)
_WRAPPER = "CELL_PROCESSING_ERROR"
_BARE = "OUT_OF_REGION"


class MatrixAnswer(NamedTuple):
    """A result document, and the counts of its statistics as the state of a job repeats them."""

    body: bytes
    counts: Mapping[str, int]


def answer_matrix(question: MatrixQuestion, network: Network) -> MatrixAnswer:
    """Answer a question, and mark what fails at first as having failed.

    A cell that is left out counts as a success: the service has made it, and it got lost.
    """
    origins, destinations = network.places(question.origins), network.places(question.destinations)
    cells = np.ix_(origins, destinations)
    truth = network.measures
    status = truth.status[cells]
    status[question.is_too_far & (status == OK)] = OUT_OF_REGION
    status[take(network.is_slow, origins, destinations) & (status == OK)] = _STOPPED
    is_lost = take(network.is_lost, origins, destinations) & (status == OK)

    seconds = (truth.live_s if question.is_live else truth.seconds)[cells]
    delay = truth.delay_s[cells] if question.is_live else np.zeros_like(status)
    what = pc.if_else(
        pa.array((status == OK).ravel()),
        _summaries(truth.metres[cells], seconds, delay),
        _failures(status, question, network.is_off_road[origins]),
    )
    down, across = np.indices(status.shape)
    texts = _joined('{"originIndex":', down, ',"destinationIndex":', across, ",", what, "}")
    places = np.random.default_rng(int(question.digest[:8], 16)).permutation(np.flatnonzero(~is_lost))
    listed = pa.ListArray.from_arrays([0, len(places)], texts.take(pa.array(places)))
    counts, details = _counts(status)
    body = f'{{"data":[{pc.binary_join(listed, ",")[0]}],"statistics":{_compact({**counts, **details})}}}'
    return MatrixAnswer(body.encode(), counts)


def _summaries(metres: Ints, seconds: Ints, delay: Ints) -> pa.Array:
    return _joined(
        *('"routeSummary":{"lengthInMeters":', metres, ',"travelTimeInSeconds":', seconds),
        *(',"trafficDelayInSeconds":', delay, "}"),
    )


def _failures(status: Ints, question: MatrixQuestion, is_origin_off: npt.NDArray[np.bool_]) -> pa.Array:
    """Return what each cell says of its failure, nothing where it has none; a point off the road is named."""
    rows, columns = status.shape
    texts = ["", _wrapped("NO_ROUTE_FOUND", NO_ROUTE_MESSAGE), _wrapped("NO_ROUTE_FOUND", STOPPED_MESSAGE)]
    texts += [_failure({"code": _BARE, "message": "The points of the cell lie outside of the region"})]
    first = len(texts)
    for side, points in (("Origin", question.origins), ("Destination", question.destinations)):
        texts += [_wrapped("MAP_MATCHING_FAILURE", off_road_message(side, *point)) for point in points.tolist()]
    named = np.where(is_origin_off[:, None], first + np.arange(rows)[:, None], first + rows + np.arange(columns))
    kinds = [status == NO_ROUTE, status == _STOPPED, status == OUT_OF_REGION, status == MAP_MATCHING]
    return pa.array(texts).take(pa.array(np.select(kinds, [1, 2, 3, named], 0).ravel()))


def _wrapped(code: str, message: str) -> str:
    inner = {"code": code, "message": message}
    return _failure({"code": _WRAPPER, "message": "Cell could not be processed", "innerError": inner})


def _failure(error: Mapping[str, Any]) -> str:
    return f'"detailedError":{_compact(error)}'


def _compact(document: Mapping[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"))


def _joined(*parts: str | Ints | pa.Array) -> pa.Array:
    """Return texts joined cell by cell from the same text, numbers or texts of their own."""
    columns = (pc.cast(pa.array(part.ravel()), pa.string()) if isinstance(part, np.ndarray) else part for part in parts)
    return pc.binary_join_element_wise(*columns, "")


def _counts(status: Ints) -> tuple[dict[str, int], dict[str, Any]]:
    failures = int((status != OK).sum())
    bare = int((status == OUT_OF_REGION).sum())
    details = [{"code": _WRAPPER, "count": failures - bare}, {"code": _BARE, "count": bare}]
    counts = {"totalCount": status.size, "successes": status.size - failures, "failures": failures}
    return counts, {"failureDetails": [one for one in details if one["count"]]} if failures else {}
