"""Whatever is done to an archive in whatever order, it holds what a dictionary would hold."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sources.protocol.types import Answer
from sources.transport.archive import Archive
from tests.sources.transport.archive.answers import answer

ANSWERS = st.lists(
    st.builds(
        answer,
        st.integers(0, 4),
        st.binary(max_size=40),
        seconds=st.integers(0, 5),
        status=st.sampled_from([200, 504]),
    ),
    max_size=4,
)


class ArchiveLife(RuleBasedStateMachine):
    """A kill is what it leaves on disk: a journal without its end, a torn record, files that were to be removed."""

    def __init__(self) -> None:
        super().__init__()
        # Forcing to disk takes long and proves nothing here; memory does as well where there is such a folder.
        self.home = tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
        self.archive = Archive(Path(self.home.name) / "raw")
        self.folder = self.archive.folder / "osm"
        self.appended: list[Answer] = []

    def teardown(self) -> None:
        self.home.cleanup()

    def files(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.folder.glob("[!.]*")}

    @rule(answers=ANSWERS)
    def append(self, answers: list[Answer]) -> None:
        with self.archive.writer("osm") as writer:
            for each in answers:
                writer.append(each)
        self.appended += answers

    @rule(answers=ANSWERS, in_flight=st.builds(answer, st.integers(0, 4), st.binary()), share=st.floats(0, 0.99))
    def append_and_be_killed(self, answers: list[Answer], in_flight: Answer, share: float) -> None:
        before = set(self.files())
        with self.archive.writer("osm") as writer:
            (journal,) = set(self.files()) - before
            for each in answers:
                writer.append(each)
            whole = journal.stat().st_size
            writer.append(in_flight)
            left = journal.read_bytes()
        journal.write_bytes(left[: whole + int((len(left) - whole) * share)])
        self.appended += answers

    @rule()
    def seal(self) -> None:
        self.archive.seal()
        assert not list(self.folder.glob("*.journal"))

    @rule()
    def compact(self) -> None:
        self.archive.compact()
        assert len(list(self.folder.glob("[!.]*"))) <= 1

    @precondition(lambda self: self.folder.is_dir())
    @rule(is_sealing=st.booleans(), data=st.data())
    def be_killed_before_old_files_are_removed(self, is_sealing: bool, data: st.DataObject) -> None:
        if not is_sealing:
            self.archive.seal()
        before = self.files()
        (self.archive.seal if is_sealing else self.archive.compact)()
        removed = sorted(before.keys() - self.files().keys())
        left = data.draw(st.lists(st.sampled_from(removed), unique=True)) if removed else []
        for path in left:
            path.write_bytes(before[path])

    @precondition(lambda self: self.folder.is_dir())
    @rule(left=st.binary(max_size=20))
    def be_killed_while_writing_a_segment(self, left: bytes) -> None:
        (self.folder / ".draft-1.parquet").write_bytes(left)

    @invariant()
    def it_holds_the_latest_answers_and_all_others(self) -> None:
        latest: dict[str, Answer] = {}
        for each in self.appended:
            old = latest.get(each.request_id)
            if old is None or each.fetched_at >= old.fetched_at:
                latest[each.request_id] = each
        expected = sorted(latest.values(), key=lambda each: each.request_id)
        assert list(self.archive.answers("osm")) == expected
        stats = self.archive.stats()
        assert (stats["osm"].answers if stats else 0) == len(self.appended)
        assert {problem.code for problem in self.archive.verify()} <= {"torn_tail"}


TestArchiveLife = ArchiveLife.TestCase
TestArchiveLife.settings = settings(
    max_examples=15, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)
