"""A purge beside other calls: what was said before it is told until it is done, and by nothing from then on.

A random run found words again that a purge had been acknowledged for: the purge took a while after its batch to make
the index anew, and a repeat of its request was answered at once, from what the batch held.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from google.protobuf import text_format
from smartbrain.v1.brain_service_pb2 import (
    DeleteMemoryRequest,
    DeleteSessionRequest,
    DeleteSessionResponse,
    DeleteTurnRequest,
    DeleteTurnResponse,
    GetContextRequest,
)
from smartbrain.v1.item_pb2 import AsOf, ItemStatus
from smartbrain.v1.plan_pb2 import PlanFilters
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core import Brain, load_policy
from brain_core.errors import NotFound
from brain_core.store.kv import NONE_BESIDE, Batch, Partition
from brain_core.store.migrate import lock_store
from brain_core.store.rocks import RocksKV, RocksView
from tests.building import compose, embedder, found, plan, say, ticking

WORDS = ["Xylophonia", "鳜鱼火锅"]
EVERY = [status for status in ItemStatus.values() if status]
_KEPT_WAITING_SECONDS = 0.2
_MOST_SECONDS = 60


class PassedStore(RocksKV):
    """A store that lets another call come wherever the thread that purges turns to it after its batch.

    after_view: called once, when whoever asks next has a view and nothing of it has been read.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, durable=False)
        self.calls: list[Future[str]] = []
        self.after_view: Callable[[], object] | None = None
        self._thread = 0
        self._call: Callable[[], str] | None = None
        self._pool = ThreadPoolExecutor(32)

    @contextmanager
    def passed_by(self, call: Callable[[], str]) -> Iterator[None]:
        """Have a call come at each turn of this thread after its next write."""
        self._thread, self._call = threading.get_ident(), call
        try:
            yield
        finally:
            self._call = None
        wait(self.calls, _MOST_SECONDS)

    def _pass(self) -> None:
        if self._call is not None and threading.get_ident() == self._thread:
            self.calls.append(self._pool.submit(self._call))
            wait(self.calls[-1:], _KEPT_WAITING_SECONDS)

    def write(
        self,
        partition: Partition,
        batch: Batch,
        expect: int | None = None,
        beside: Mapping[Partition, Batch] = NONE_BESIDE,
    ) -> int:
        revision = super().write(partition, batch, expect, beside)
        self._pass()
        return revision

    def snapshot(self) -> RocksView:
        if self.calls:
            self._pass()
        view = super().snapshot()
        call, self.after_view = self.after_view, None
        if call is not None:
            call()
        return view

    def sync(self) -> None:
        self._pass()
        super().sync()


@pytest.fixture
def store(folder: Path) -> Iterator[PassedStore]:
    opened = PassedStore(folder / "store")
    yield opened
    opened.close()


@pytest.fixture
def passed_brain(folder: Path, store: PassedStore) -> Iterator[Brain]:
    policy = load_policy({"store": {"durability": "process"}})
    lock_store(store, embedder())
    with Brain(store, folder, policy, embedder(), ticking()) as opened:
        yield opened


def told(brain: Brain, word: str, context_id: str, before: int) -> str:
    """Return all that is found of a word now and as of a revision, what is composed, and a stored context."""
    asked = plan(f"the {word}", "what do you know of me?", filters=PlanFilters(statuses=EVERY))
    now = brain.retrieve(RetrieveRequest(memory_id="m", plan=asked))
    then = brain.retrieve(RetrieveRequest(memory_id="m", plan=asked, as_of=AsOf(revision=before)))
    answers = [*now.pack.evidences, *then.pack.evidences]
    for evidence in answers:
        evidence.provenance.ClearField("query_text")
    stored = ""
    with suppress(NotFound):
        stored = str(brain.get_context(GetContextRequest(memory_id="m", context_id=context_id)).context.context_id)
    said = [text_format.MessageToString(each, as_utf8=True) for each in answers]
    return "\n".join([*said, str(compose(brain, "m", "other", "hello there")), stored])


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("whole_session", [False, True])
def test_once_a_repeat_is_answered_nothing_tells_of_it(
    passed_brain: Brain, store: PassedStore, word: str, whole_session: bool
) -> None:
    brain = passed_brain
    brain.commit_turn(say("m", "other", "My name is Ada."))
    brain.commit_turn(say("m", "s", f"I live in {word}. 我住在{word}。"))
    last = brain.commit_turn(say("m", "other", "My dog is called Rexulm."))
    context_id = compose(brain, "m", "s", f"What of {word}?").context_id
    assert word in told(brain, word, context_id, last.revision)

    def purge() -> DeleteSessionResponse | DeleteTurnResponse:
        if whole_session:
            return brain.delete_session(DeleteSessionRequest(memory_id="m", session_id="s", request_id="once"))
        return brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id="t2", request_id="once"))

    def call() -> str:
        purge()
        return told(brain, word, context_id, last.revision)

    with store.passed_by(call):
        purge()
    assert store.calls
    for each in store.calls:
        said = each.result()
        assert word not in said
        assert context_id not in said
        assert "Rexulm" in said
    assert not any(answer.problems for answer in brain.verify("m"))


def purge_turn(brain: Brain, turn_id: str, request_id: str = "") -> DeleteTurnResponse:
    return brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=turn_id, request_id=request_id))


def fill(brain: Brain) -> None:
    """Commit three turns; the second says where the user lives, and each one something of the profile."""
    for text in ("My name is Ada.", f"I live in {WORDS[0]}.", "My dog is called Rexulm."):
        brain.commit_turn(say("m", "s", text))
    assert any(WORDS[0] in text for text in found(brain, "m", "Ada"))


def sound(brain: Brain) -> bool:
    return not any(answer.problems for answer in brain.verify("m"))


def test_calls_wait_for_no_index(passed_brain: Brain) -> None:
    brain = passed_brain
    fill(brain)
    loads = brain._indexes.loads
    purge_turn(brain, "t2")
    assert not any(WORDS[0] in text for text in found(brain, "m", f"Ada {WORDS[0]}"))
    assert sound(brain)
    assert brain._indexes.loads == loads


def test_what_is_said_meanwhile_is_found(passed_brain: Brain, store: PassedStore) -> None:
    """Nor does a call wait for an index then."""
    brain = passed_brain
    fill(brain)
    loads = brain._indexes.loads
    store.after_view = lambda: brain.commit_turn(say("m", "s", "The ferry leaves at nine."))
    purge_turn(brain, "t2")
    assert store.after_view is None
    assert any("ferry" in text for text in found(brain, "m", "ferry"))
    assert not any(WORDS[0] in text for text in found(brain, "m", f"Ada {WORDS[0]}"))
    assert sound(brain)
    assert brain._indexes.loads == loads


def test_what_is_learned_meanwhile_of_the_same_item_keeps_none_of_it(passed_brain: Brain, store: PassedStore) -> None:
    brain = passed_brain
    fill(brain)
    store.after_view = lambda: brain.commit_turn(say("m", "s", "My cat is called Mimi."))
    purge_turn(brain, "t2")
    assert store.after_view is None
    told_of = found(brain, "m", f"Ada {WORDS[0]} Mimi", statuses=EVERY)
    assert any("Mimi" in text and "Ada" in text for text in told_of)
    assert not any(WORDS[0] in text for text in told_of)
    assert sound(brain)


@pytest.mark.parametrize("more", ["Rexulm is my dog.", "Rexulm 来了。"])
def test_purges_of_two_turns_at_once_are_both_made(passed_brain: Brain, store: PassedStore, more: str) -> None:
    brain = passed_brain
    fill(brain)
    brain.commit_turn(say("m", "s", f"Once more: {WORDS[0]}."))
    brain.commit_turn(say("m", "s", more))
    for one, other in (("t2", "t3"), ("t4", "t5")):
        assert found(brain, "m", "Ada"), "its index is loaded"
        store.after_view = partial(purge_turn, brain, other)
        purge_turn(brain, one)
        assert store.after_view is None
    told_of = found(brain, "m", f"Ada {WORDS[0]} Rexulm", statuses=EVERY)
    assert told_of
    assert not any(WORDS[0] in text or "Rexulm" in text for text in told_of)
    assert sound(brain)


def test_the_same_purge_twice_at_once_is_made_once(passed_brain: Brain, store: PassedStore) -> None:
    brain = passed_brain
    fill(brain)
    answers: list[DeleteTurnResponse] = []
    store.after_view = lambda: answers.append(purge_turn(brain, "t2", "once"))
    assert [purge_turn(brain, "t2", "once")] == answers
    assert sound(brain)


def test_a_memory_that_is_purged_and_begun_anew_meanwhile_has_nothing_of_before(
    passed_brain: Brain, store: PassedStore
) -> None:
    """What is purged of both looks the same: a message at the same place of the same second."""
    brain = passed_brain

    def begin(word: str, turns: int) -> None:
        for number in range(turns):
            brain.commit_turn(say("m", "s", f"Is the {word} number {number} late?", at=number))

    def anew() -> None:
        brain.delete_memory(DeleteMemoryRequest(memory_id="m"))
        begin("ferry", 4)

    begin("tram", 3)
    assert len(found(brain, "m", "tram")) == 3
    store.after_view = anew
    purge_turn(brain, "t2")
    assert store.after_view is None
    told_of = found(brain, "m", "number late tram ferry", statuses=EVERY)
    assert len(told_of) == 3
    assert not any("tram" in text for text in told_of)
    assert sound(brain)
