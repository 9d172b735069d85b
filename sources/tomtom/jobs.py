"""One matrix job: the requests that submit it, ask for its state and fetch its result, and what their answers say."""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from sources.protocol.types import Answer, Known, Refusal, Request
from sources.tomtom.envelope import open_answer, shown
from sources.tomtom.points import Point, points_text, read_points
from sources.tomtom.tiling import transactions

# Exactly this set lets cells be farther apart than 400 km; one option more or less, and far cells are OUT_OF_REGION.
_OPTIONS = '{"departAt":"any","routeType":"fastest","traffic":"historical","travelMode":"car"}'
_QUESTION = frozenset({"origins", "destinations", "options"})

SUBMIT_FIELDS = frozenset({"jobId", "state"})
STATUS_FIELDS = frozenset({"jobId", "state", "statistics"})
# Of the words for a job that goes on only some are known, so that every other word means that.
_COMPLETED, _FAILED = "Completed", "Failed"
_ID = re.compile(r"[!-~]{1,200}")


class Ends(NamedTuple):
    """The origins and the destinations of a matrix, in the order in which its cells count them."""

    origins: tuple[Point, ...]
    destinations: tuple[Point, ...]


def submit_request(scope: str, ends: Ends) -> Request:
    """Return the request for the roads from each origin to each destination."""
    return Request(
        "tomtom",
        "matrix",
        scope=scope,
        params={
            "origins": points_text(ends.origins),
            "destinations": points_text(ends.destinations),
            "options": _OPTIONS,
        },
        units=float(transactions(len(ends.origins), len(ends.destinations))),
    )


def status_request(submitted: Answer, job_id: str) -> Request:
    """Return the request for the state of a job, which costs nothing."""
    return Request("tomtom", "matrix_status", scope=submitted.scope, params={"jobId": job_id}, units=0.0)


def result_request(submitted: Answer, job_id: str) -> Request:
    """Return the request for the cells of a job; `subject` keeps what was asked, which the cells do not say."""
    subject = dict(submitted.params)
    return Request("tomtom", "matrix_result", submitted.scope, {"jobId": job_id}, units=0.0, subject=subject)


def ends_of(answer: Answer) -> Ends | None:
    """Return what the cells of an answer are about; None where nobody kept it."""
    kept = _question_of(answer)
    origins, destinations = read_points(kept.get("origins", "")), read_points(kept.get("destinations", ""))
    return Ends(origins, destinations) if origins and destinations else None


def is_our_question(answer: Answer) -> bool:
    """Whether a matrix was asked for as here, apart from its points: the cells of a truck or a walker look the same."""
    kept = _question_of(answer)
    try:
        return kept.keys() == _QUESTION and json.loads(kept["options"]) == json.loads(_OPTIONS)
    except (ValueError, RecursionError):
        return False


def _question_of(answer: Answer) -> Mapping[str, str]:
    return answer.params if answer.endpoint == "matrix" else answer.subject


def read_job(document: Mapping[str, Any]) -> str | Refusal:
    """Return the id of a job that was accepted."""
    job_id = document.get("jobId")
    # It goes into addresses, where dots would lead elsewhere.
    if isinstance(job_id, str) and _ID.fullmatch(job_id) and job_id not in (".", ".."):
        return job_id
    return Refusal("bad_job", "the job has no usable id", "jobId", is_retryable=True, value=shown(job_id))


def read_state(document: Mapping[str, Any], job_id: str) -> bool | Refusal:
    """Return whether the result of a job is there; a Refusal where it will never be, or where this is not known."""
    found, state = document.get("jobId"), document.get("state")
    if found != job_id:
        message = "the state is that of another job"
        return Refusal("wrong_job", message, "jobId", is_retryable=True, value=shown(found))
    if not isinstance(state, str):
        return Refusal("bad_state", "the state of a job must be a word", "state", is_retryable=True, value=shown(state))
    if state == _FAILED:
        return Refusal("job_failed", "the provider failed the job", "state", value=state, is_split=True)
    return state == _COMPLETED


def next_request(submitted: Answer, fetched: Mapping[str, object], known: Known) -> Request | None:
    """Return what to ask next about a job whose result is still to come; None where it has come, or never will.

    `fetched` leads from job ids to what came of their results: a Refusal, or something else where that was good.
    """
    document = open_answer(submitted)
    job_id = document if isinstance(document, Refusal) else read_job(document)
    if isinstance(job_id, Refusal):
        return None
    result = result_request(submitted, job_id)
    if job_id in fetched:
        outcome = fetched[job_id]
        return result if isinstance(outcome, Refusal) and outcome.is_retryable else None
    status = status_request(submitted, job_id)
    answer = known.answer(status)
    if answer is None:
        return status
    told = open_answer(answer)
    state = told if isinstance(told, Refusal) else read_state(told, job_id)
    if isinstance(state, Refusal):
        return status if state.is_retryable else None
    return result if state else status
