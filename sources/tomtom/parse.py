"""What an answer of TomTom means: rows of `distance_matrix` or `road_delay`, or the reason why there are none."""

from collections.abc import Iterable

from sources.protocol.types import Answer, Parsed, Refusal
from sources.tomtom import cells, routes
from sources.tomtom.cells import read_matrix, rows_of
from sources.tomtom.envelope import Document, open_answer, unknown_fields
from sources.tomtom.jobs import STATUS_FIELDS, SUBMIT_FIELDS, ends_of, is_our_question, read_job, read_state
from sources.tomtom.points import read_locations
from sources.tomtom.routes import delay_of


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield the roads of a matrix, or the delay of a route. A job that was accepted or goes on has nothing yet.

    Never raises.
    """
    document = open_answer(answer)
    if isinstance(document, Refusal):
        yield document._replace(table=routes.TABLE if answer.endpoint == "route" else cells.TABLE)
    elif answer.endpoint == "route":
        yield from _route(document, answer)
    elif answer.endpoint == "matrix_result" or "data" in document:
        yield from _matrix(document, answer)
    else:
        yield from _job(document, answer)


def _route(document: Document, answer: Answer) -> Iterable[Parsed]:
    pair = read_locations(answer.params.get("locations", ""))
    if pair is None:
        yield Refusal("no_points", "nothing says between which points the route is", table=routes.TABLE)
        return
    asked = {name: value for name, value in answer.params.items() if name != "locations"}
    # A body that somebody saved without its address says by its fields what it is: `delay_of`.
    if asked not in ({}, routes.QUESTION):
        yield _other_question(routes.TABLE)
        return
    yield from delay_of(document, pair)


def _matrix(document: Document, answer: Answer) -> Iterable[Parsed]:
    ends = ends_of(answer)
    if ends is None:
        yield Refusal("no_points", "nothing says of which points the cells are", table=cells.TABLE)
        return
    if not is_our_question(answer):
        yield _other_question(cells.TABLE)
        return
    matrix = read_matrix(document, ends)
    if isinstance(matrix, Refusal):
        yield matrix
        return
    yield from rows_of(matrix, ends)


def _other_question(table: str) -> Refusal:
    message = "it was asked with other options than here, so that it may be about another vehicle, way or time"
    return Refusal("other_question", message, table=table)


def _job(document: Document, answer: Answer) -> Iterable[Parsed]:
    is_submit = answer.endpoint == "matrix"
    outcome = read_job(document) if is_submit else read_state(document, answer.params.get("jobId", ""))
    if isinstance(outcome, Refusal):
        yield outcome._replace(table=cells.TABLE)
    yield from unknown_fields(document, SUBMIT_FIELDS if is_submit else STATUS_FIELDS)
