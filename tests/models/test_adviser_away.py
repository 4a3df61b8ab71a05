"""The language model that says how to look is away, slow or talks nonsense: rules plan at once, and it is said so."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.admin_service_pb2 import ExecutorStatus
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.context_pb2 import ContextPackage

from brain_core import Brain, load_policy
from brain_core.breaker import FAILURES
from brain_core.compose.replay import plain
from brain_core.errors import PolicyError
from tests.building import compose, embedder, open_brain, say, ticking
from tests.models.chat_endpoint import MODEL, ChatBehaviour, ChatStub, chat_endpoint
from tests.planning.advised import PATIENT_MS, advice, open_advised, says, section, texts

QUESTION = "What did I say about the roof last week? 屋顶的事呢？"
_SECONDS = 30


@pytest.fixture
def chat() -> Iterator[ChatStub]:
    with chat_endpoint() as running:
        says(running, expansions=["roof"])
        yield running


def filled(brain: Brain) -> Brain:
    brain.commit_turn(say("m", "s", "The roof quote from Miller was 4,100. 屋顶要修。", "Noted."))
    return brain


def by_rules(folder: Path) -> ContextPackage:
    """Return what is composed where no model is named."""
    with open_brain(folder / "rules") as brain:
        return compose(filled(brain), "m", "s", QUESTION)


def is_of_rules(package: ContextPackage, folder: Path, why: str) -> None:
    """Check that a package is as rules alone make it, and says why."""
    told = package.debug.planner.reason
    rules = by_rules(folder)
    assert told == f"{rules.debug.planner.reason}; llm planner: {why}; planned by rules"
    assert list(package.debug.degraded) == ["llm_planner"]
    package.debug.planner.reason = rules.debug.planner.reason
    assert plain(package, traced=False) == plain(rules, traced=False)


def until(brain: Brain, holds: Callable[[ExecutorStatus], bool]) -> ExecutorStatus:
    """Wait until the status of the model is so; return it."""
    deadline = time.monotonic() + _SECONDS
    while not holds(now := brain.status().planner):
        assert time.monotonic() < deadline, now
        time.sleep(0.01)
    return now


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("500", 'answered 500: {"error": "stub says no"}'),
        ("401", 'answered 401: {"error": "stub says no"}'),
        ("redirect", 'answered 307: {"error": "stub says no"}'),
        ("refusing", 'answered 400: {"error": "stub says no"}'),
        ("html", "gave no chat completion: <html>502 Bad Gateway</html>"),
        ("bare_empty", "gave no chat completion: "),
        ("deep_body", None),
        ("words", "gave no object with 'purpose': I found nothing to remember, sorry!"),
        ("another_object", "gave no object with 'purpose': {\"answer\": 42}"),
        ("none", "gave no text"),
        ("deep", None),
        ("nan", "gave no object with 'purpose': {\"items\": NaN}"),
        ("many_braces", None),
        ("cut_off", "was cut off at 300 tokens"),
        ("endless", "answered more than 75136 bytes, or too slowly"),
        ("hang_up", None),
    ],
)
def test_what_talks_nonsense_changes_nothing(folder: Path, chat: ChatStub, mode: str, why: str | None) -> None:
    with open_advised(folder / "advised", chat) as brain:
        filled(brain)
        chat.behaviour.mode = mode
        package = compose(brain, "m", "s", QUESTION)
        status = brain.status().planner
    assert (status.state, status.calls, status.failures) == ("failing", 1, 1)
    assert why is None or status.problem == why
    is_of_rules(package, folder, status.problem)


def test_words_without_a_utf8_can_be_told(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.answer = lambda _: {"purpos\ud800e": "a\x00b\ud800"}
    with open_advised(folder / "advised", chat) as brain:
        package = compose(filled(brain), "m", "s", QUESTION)
        status = brain.status().planner
    assert status.SerializeToString()
    is_of_rules(package, folder, status.problem)


@pytest.mark.parametrize("mode", ["slow", "drops"])
def test_what_is_slow_is_not_waited_for(folder: Path, chat: ChatStub, mode: str) -> None:
    chat.behaviour.seconds = 3.0
    with open_advised(folder / "advised", chat, timeout_ms=150) as brain:
        filled(brain)
        chat.behaviour.mode = mode
        package = compose(brain, "m", "s", QUESTION)
        assert 150 <= package.debug.timings_ms["plan.llm"] < 2000, "shorter than its answer takes"
    is_of_rules(package, folder, "no answer within 150 ms")


def test_an_endpoint_that_is_dead_is_left_alone_after_a_few_failures(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        stub = ChatStub(f"http://127.0.0.1:{taken.getsockname()[1]}/v1", ChatBehaviour(), 0)
        with open_advised(folder / "advised", stub) as brain:
            filled(brain)
            first, *_ = [compose(brain, "m", "s", QUESTION) for _ in range(FAILURES)]
            resting = compose(brain, "m", "s", QUESTION)
            status = brain.status().planner
    assert "cannot be reached" in status.problem
    assert (status.state, status.calls, status.failures) == ("resting", FAILURES, FAILURES)
    assert 0 < status.resting_seconds <= 1
    is_of_rules(first, folder, status.problem)
    assert "llm planner: not asked for another" in resting.debug.planner.reason
    assert f"after {FAILURES} failures or more: cannot be reached" in resting.debug.planner.reason


def test_it_is_asked_again_when_it_has_rested(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.failing = FAILURES
    with open_advised(folder, chat) as brain:
        filled(brain)
        for _ in range(FAILURES + 2):
            compose(brain, "m", "s", QUESTION)
        assert len(chat.behaviour.requests) == FAILURES, "nobody is asked while it rests"
        until(brain, lambda now: now.state != "resting")
        package = compose(brain, "m", "s", QUESTION)
        status = brain.status().planner
    assert ("roof", 0.6) in texts(package)
    assert not package.debug.degraded
    assert (status.state, status.problem, status.failures) == ("ready", "", FAILURES)


def test_an_endpoint_without_schemas_is_asked_without_one(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.mode = "no_schema"
    with open_advised(folder, chat) as brain:
        filled(brain)
        first, second = (compose(brain, "m", "s", QUESTION) for _ in range(2))
    assert list(first.debug.degraded) == ["llm_planner"]
    assert ("roof", 0.6) in texts(second)


@pytest.mark.parametrize("mode", ["fenced", "thinking"])
def test_an_object_among_words_is_found(folder: Path, chat: ChatStub, mode: str) -> None:
    chat.behaviour.mode = mode
    with open_advised(folder, chat) as brain:
        assert ("roof", 0.6) in texts(compose(filled(brain), "m", "s", QUESTION))


# In time or not at all


def composed(brain: Brain, **options: Any) -> ContextPackage:  # noqa: ANN401
    request = ComposeContextRequest(memory_id="m", session_id="s", user_message=QUESTION)
    return brain.compose_context(request, **options).context


def test_it_is_asked_only_where_time_is_left_for_it_and_the_search(folder: Path, chat: ChatStub) -> None:
    with open_advised(folder / "advised", chat, reserve_ms=10_000) as brain:
        filled(brain)
        near = composed(brain, due=time.perf_counter() + PATIENT_MS / 1000 + 5)
        passed = composed(brain, due=time.perf_counter() - 1)
        assert chat.behaviour.requests == []
        far = composed(brain, due=time.perf_counter() + PATIENT_MS / 1000 + 20)
    assert ("roof", 0.6) in texts(far)
    assert "ms are left, it is given 20000 and the search 10000; planned by rules" in near.debug.planner.reason
    assert list(near.debug.degraded) == ["llm_planner"]
    assert "not asked: 0 ms are left" in passed.debug.planner.reason


def test_who_leaves_is_not_waited_for_and_it_is_nobodys_failure(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.gate.clear()
    leave: list[Callable[[], None]] = []
    packages: list[ContextPackage] = []

    def watch(left: Callable[[], None]) -> bool:
        leave.append(left)
        return True

    with open_advised(folder / "advised", chat) as brain:
        filled(brain)
        thread = threading.Thread(target=lambda: packages.append(composed(brain, watch=watch)))
        thread.start()
        assert chat.behaviour.entered.wait(_SECONDS)
        assert packages == []
        leave[0]()
        thread.join(_SECONDS)
        gone = composed(brain, watch=lambda _: False)
        status = brain.status().planner
    assert gone.debug.planner.reason == packages[0].debug.planner.reason
    is_of_rules(packages[0], folder, "is no longer asked: nobody waits for the answer")
    assert (status.state, status.problem, status.failures) == ("ready", "", 0)
    assert len(chat.behaviour.requests) == 1


def test_closing_ends_the_wait(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.gate.clear()
    ended = threading.Event()
    brain = filled(open_advised(folder, chat))
    waiting = brain._composer.advising(
        ComposeContextRequest(memory_id="m", session_id="s", user_message="?"), None, None
    )
    assert waiting is not None
    told: list[str] = []

    def wait() -> None:
        told.append(waiting().told)
        ended.set()

    threading.Thread(target=wait).start()
    assert chat.behaviour.entered.wait(_SECONDS)
    brain.close()
    assert ended.wait(_SECONDS)
    assert told == ["llm planner: is no longer asked: closing; planned by rules"]


# The policy


@pytest.mark.parametrize(
    ("llm", "field"),
    [
        ({"url": "ftp://x", "model": "m"}, "planner.llm.url"),
        ({"url": "http://127.0.0.1:1/v1"}, "planner.llm.model"),
        ({"model": "m"}, "planner.llm.model"),
        ({"api_key_file": "/k"}, "planner.llm.api_key_file"),
        ({"timeout_ms": 0}, "planner.llm.timeout_ms"),
        ({"timeout_ms": 60_001}, "planner.llm.timeout_ms"),
        ({"reserve_ms": -1}, "planner.llm.reserve_ms"),
        ({"input_chars": 199}, "planner.llm.input_chars"),
        ({"answer_tokens": 63}, "planner.llm.answer_tokens"),
        ({"timeout_seconds": 1.0}, "planner.llm.timeout_seconds"),
    ],
)
def test_bad_settings_are_refused_by_name(llm: dict[str, Any], field: str) -> None:
    with pytest.raises(PolicyError) as failed:
        load_policy({"planner": {"llm": llm}})
    assert failed.value.field == field


def test_a_key_that_is_not_there_is_refused_before_anything_is_held(folder: Path, chat: ChatStub) -> None:
    changes = {"planner": section(chat.url, api_key_file=str(folder / "none"))}
    with pytest.raises(PolicyError) as failed:
        Brain.open(folder / "data", load_policy(changes), embedder(), ticking())
    assert failed.value.field == "planner.llm.api_key_file"
    open_brain(folder / "data").close()


def test_the_key_is_sent_and_never_told(folder: Path, chat: ChatStub) -> None:
    (folder / "key").write_text("sk-planner-12345\n", "utf-8")
    chat.behaviour.answer = lambda _: advice()
    with open_advised(folder / "data", chat, api_key_file=str(folder / "key")) as brain:
        package = compose(filled(brain), "m", "s", QUESTION)
        status = brain.status()
    assert chat.behaviour.keys == ["Bearer sk-planner-12345"]
    assert "sk-planner" not in f"{package} {status} {brain._consultant!r}"
    assert chat.behaviour.requests[0]["model"] == MODEL
