"""A purge beside other calls: what was said before it is told until it is done, and by nothing from then on.

A random run found words again that a purge had been acknowledged for: the purge took a while after its batch to make
the index anew, and a repeat of its request was answered at once, from what the batch held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import text_format
from numpy.typing import NDArray
from smartbrain.v1.brain_service_pb2 import (
    DeleteMemoryRequest,
    DeleteSessionRequest,
    DeleteSessionResponse,
    DeleteTurnRequest,
    DeleteTurnResponse,
    GetContextRequest,
    ListContextsRequest,
)
from smartbrain.v1.item_pb2 import AsOf, ItemStatus
from smartbrain.v1.plan_pb2 import PlanFilters
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core import Brain
from brain_core.errors import NotFound
from tests.building import compose, found, plan, say
from tests.purge.passed import PassedStore, opened

WORDS = ["Xylophonia", "鳜鱼火锅"]
EVERY = [status for status in ItemStatus.values() if status]
Passed = tuple[Brain, PassedStore]


@pytest.fixture
def passed(folder: Path) -> Iterator[Passed]:
    with opened(folder) as both:
        yield both


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
def test_once_a_repeat_is_answered_nothing_tells_of_it(passed: Passed, word: str, whole_session: bool) -> None:
    brain, store = passed
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


def test_calls_wait_for_no_index(passed: Passed) -> None:
    brain, _ = passed
    fill(brain)
    loads = brain._indexes.loads
    purge_turn(brain, "t2")
    assert not any(WORDS[0] in text for text in found(brain, "m", f"Ada {WORDS[0]}"))
    assert sound(brain)
    assert brain._indexes.loads == loads


def test_what_is_said_meanwhile_is_found(passed: Passed) -> None:
    """Nor does a call wait for an index then."""
    brain, store = passed
    fill(brain)
    loads = brain._indexes.loads
    store.after_view = lambda: brain.commit_turn(say("m", "s", "The ferry leaves at nine."))
    purge_turn(brain, "t2")
    assert store.after_view is None
    assert any("ferry" in text for text in found(brain, "m", "ferry"))
    assert not any(WORDS[0] in text for text in found(brain, "m", f"Ada {WORDS[0]}"))
    assert sound(brain)
    assert brain._indexes.loads == loads


def test_what_is_learned_meanwhile_of_the_same_item_keeps_none_of_it(passed: Passed) -> None:
    brain, store = passed
    fill(brain)
    store.after_view = lambda: brain.commit_turn(say("m", "s", "My cat is called Mimi."))
    purge_turn(brain, "t2")
    assert store.after_view is None
    told_of = found(brain, "m", f"Ada {WORDS[0]} Mimi", statuses=EVERY)
    assert any("Mimi" in text and "Ada" in text for text in told_of)
    assert not any(WORDS[0] in text for text in told_of)
    assert sound(brain)


@pytest.mark.parametrize("more", ["Rexulm is my dog.", "Rexulm 来了。"])
def test_purges_of_two_turns_at_once_are_both_made(passed: Passed, more: str) -> None:
    brain, store = passed
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


def test_the_same_purge_twice_at_once_is_made_once(passed: Passed) -> None:
    brain, store = passed
    fill(brain)
    answers: list[DeleteTurnResponse] = []
    store.after_view = lambda: answers.append(purge_turn(brain, "t2", "once"))
    assert [purge_turn(brain, "t2", "once")] == answers
    assert sound(brain)


@pytest.mark.parametrize(("session", "turns"), [("other", 3), ("s", 4)])
def test_a_memory_that_is_purged_and_begun_anew_meanwhile_has_nothing_of_before(
    passed: Passed, session: str, turns: int
) -> None:
    """What is purged of both looks the same: a message at the same place of the same second."""
    brain, store = passed

    def begin(of: str, word: str, count: int) -> None:
        for number in range(count):
            brain.commit_turn(say("m", of, f"Is the {word} number {number} late?", at=number))

    def anew() -> None:
        brain.delete_memory(DeleteMemoryRequest(memory_id="m"))
        begin(session, "ferry", turns)

    begin("s", "tram", 3)
    assert len(found(brain, "m", "tram")) == 3
    store.after_view = anew
    purge_turn(brain, "t2")
    assert store.after_view is None
    told_of = found(brain, "m", "number late tram ferry", statuses=EVERY)
    assert len(told_of) == turns - 1
    assert not any("tram" in text for text in told_of)
    assert sound(brain)


@pytest.mark.parametrize("renewed", [False, True])
def test_an_index_made_anew_beside_a_purge_of_its_memory_has_nothing_of_before(passed: Passed, renewed: bool) -> None:
    """What was begun anew had as many revisions as the old one, so its changes were taken for those that came next."""
    brain, store = passed
    brain.commit_turn(say("m", "s", "Is the tram late?"))

    def anew() -> None:
        brain.delete_memory(DeleteMemoryRequest(memory_id="m"))
        for number in range(2 if renewed else 1):
            brain.commit_turn(say("m", "s", f"Is ferry {number} late?"))

    store.after_view = anew
    list(brain.rebuild_index("m"))
    assert store.after_view is None
    told_of = found(brain, "m", "tram ferry late")
    assert len(told_of) == 1 + renewed
    assert not any("tram" in text for text in told_of)
    assert sound(brain)


class Asked:
    """An embedder that lets something happen while a question is embedded."""

    name, dimension, fingerprint = "asked", 3, "a" * 64

    def __init__(self) -> None:
        self.meanwhile: Callable[[], object] | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        call, self.meanwhile = self.meanwhile, None
        if call is not None:
            call()
        return np.tile(np.array([0, 0, 1], dtype=np.float32), (len(texts), 1))


def test_a_context_whose_plan_quotes_what_is_purged_meanwhile_is_not_kept(folder: Path) -> None:
    """It was searched after the purge and planned before it, by the words that the session had last."""
    given = Asked()
    with opened(folder, given) as (brain, _):
        brain.commit_turn(say("m", "other", "The ferry leaves at nine."))
        brain.commit_turn(say("m", "s", f"When does the {WORDS[0]} open?"))
        given.meanwhile = partial(purge_turn, brain, "t2")
        context = compose(brain, "m", "s", "And why?")
        assert given.meanwhile is None
        assert WORDS[0] in str(context.debug.planner.queries), "else there is nothing to keep"
        assert not brain.list_contexts(ListContextsRequest(memory_id="m")).contexts
        later = compose(brain, "m", "s", "And why?")
        assert WORDS[0] not in str(later)
        request = GetContextRequest(memory_id="m", context_id=later.context_id)
        assert brain.get_context(request).context == later


@pytest.mark.parametrize("kind", ["turn", "session", "memory"])
def test_a_repeat_is_as_durable_as_what_it_repeats(passed: Passed, kind: str) -> None:
    """The first call may still be waiting for the disk."""
    brain, store = passed
    fill(brain)

    def purge() -> None:
        if kind == "turn":
            purge_turn(brain, "t2", "once")
        elif kind == "session":
            brain.delete_session(DeleteSessionRequest(memory_id="m", session_id="s", request_id="once"))
        else:
            brain.delete_memory(DeleteMemoryRequest(memory_id="m", request_id="once"))

    purge()
    syncs = store.syncs
    purge()
    assert store.syncs == syncs + 1
