"""Other executors over real sockets: healthy, slow, dead, each costs its share and nothing else, and is explained."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_server.executors import ASKED_AS
from tests.building import compose, open_brain, plan, retrieve, say
from tests.clients.command import Brain as Command
from tests.server.asking import commit
from tests.server.asking import compose as composing
from tests.server.executor import PATIENT_MS, Asked, answering, asking, bringing, evidence, packed
from tests.serving import start_server

MUCH_LATER = 20.0
"""Seconds that no compose takes, however slow the machine, unless it waits for what never comes."""

QUESTION = "When does the kitchen close? 厨房几点关门？"


@pytest.fixture
def home(folder: Path) -> Path:
    """Give a folder with a memory that knows a little about kitchens."""
    with open_brain(folder / "home") as brain:
        brain.commit_turn(say("m", "s1", "Our kitchen closes early on Fridays.", "Noted: early on Fridays."))
        brain.commit_turn(say("m", "s1", "厨房周五关门早。", "好的。"))
        brain.commit_turn(say("m", "s2", "The cat sleeps on the stove."))
    return folder / "home"


def own(package: ContextPackage) -> list[tuple[str, float, str, str, str]]:
    """Return of the evidence that is the memory's own all that does not differ between two calls."""
    reasons = {why.id: why.reason for why in package.debug.why_selected}
    return [
        (one.id, one.score, one.snippet, one.group, reasons[one.id])
        for one in package.evidence
        if one.source == "memory"
    ]


def alone(home: Path) -> ContextPackage:
    """Return what a brain composes that asks nobody."""
    with open_brain(home) as brain:
        return compose(brain, "m", "s9", QUESTION)


def foreign(package: ContextPackage) -> list[str]:
    return [one.id for one in package.evidence if one.source == "resource"]


@contextlib.contextmanager
def closed_port() -> Iterator[str]:
    """Give an address at which nobody answers, taken so that nobody else comes to."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


# Healthy


def test_what_another_brain_knows_stands_among_the_evidence(folder: Path, home: Path) -> None:
    (folder / "wiki").mkdir()
    other = start_server(folder / "wiki")
    try:
        with other.stubs() as stubs:
            stubs.brain.CommitTurn(
                commit("team", "s", "The office kitchen closes at 19:30 every day. 厨房七点半关门。")
            )
        with asking(home, {"name": "wiki", "target": other.target, "memory_id": "team"}) as brain:
            package = compose(brain, "m", "s9", QUESTION)
            status = brain.status().executors[0]
    finally:
        assert other.terminate() == 0
    theirs = next(one for one in package.evidence if one.id.startswith("remote:wiki:t1:"))
    assert "19:30" in theirs.snippet
    assert theirs.source_uri == "smartbrain://wiki@team/s/t1", "it cannot pose as an address of this memory"
    assert theirs.ref.turn_id == "remote:wiki:t1"
    assert theirs.score == theirs.signals.rerank_score
    why = {each.id: each.reason for each in package.debug.why_selected}
    assert [each.id for each in package.debug.why_selected] == [one.id for one in package.evidence]
    assert why[theirs.id].startswith(f"{theirs.group}: remote wiki: score {theirs.score:.3f}")
    scores = [(one.group != "top", -one.score) for one in package.evidence]
    assert scores == sorted(scores)
    assert {one.id for one in package.evidence if one.source == "memory"} == {one[0] for one in own(alone(home))}
    assert package.debug.timings_ms["remote.wiki"] > 0
    assert any(each.startswith("remote:wiki:") for each in package.debug.trace_ids)
    assert not any("remote" in words for words in package.debug.ignored)
    assert (status.name, status.state, status.calls, status.failures) == ("wiki", "ready", 1, 0)


def test_an_executor_is_asked_with_the_completed_plan_under_its_own_terms(folder: Path, home: Path) -> None:
    target = f"unix:{folder}/sock"
    wanted = plan("kitchen", "stove", mode="exact")
    wanted.output.max_snippet_chars = 20
    wanted.output.include_signals = False
    wanted.output.include_raw = True
    row = {"name": "wiki", "target": target, "top_k": 3}
    with answering(target, bringing(evidence(1))) as asked, asking(home, row) as brain:
        package = compose(brain, "m", "s9", "kitchen", plan=wanted)
    request = asked.requests[0]
    assert request.memory_id == "m", "the caller's, as none is named"
    assert [(each.text, each.mode, each.weight) for each in request.plan.queries] == [
        ("kitchen", "exact", 1.0),
        ("stove", "exact", 1.0),
    ]
    assert request.plan.budget.top_k == 3
    assert request.plan.output.include_signals
    assert not request.plan.output.include_raw, "a package has none"
    assert asked.metadata[0][ASKED_AS] == "wiki"
    theirs = next(one for one in package.evidence if one.source == "resource")
    assert theirs.snippet.endswith("…"), "the answer comes whole and is cut here"
    assert len(theirs.snippet) <= 20
    assert not theirs.HasField("signals")


@pytest.mark.parametrize(("when", "enabled", "expected"), [
    ("documents", False, 0), ("documents", True, 1), ("always", False, 1), ("always", True, 1),
])  # fmt: skip
def test_it_is_asked_where_documents_are_sought_or_always(
    folder: Path, home: Path, when: str, enabled: bool, expected: int
) -> None:
    target = f"unix:{folder}/sock"
    wanted = plan("kitchen")
    wanted.resource_retrieval.enabled = enabled
    row = {"name": "wiki", "target": target, "when": when}
    with answering(target, bringing(evidence(1))) as asked, asking(home, row) as brain:
        package = compose(brain, "m", "s9", "kitchen", plan=wanted)
        pack = retrieve(brain, "m", wanted)
    assert len(asked.requests) == 2 * expected
    assert len(foreign(package)) == expected
    assert [each.id for each in pack.evidences].count("remote:wiki:handbook:s1:0") == expected
    assert ("resource_retrieval.enabled" in package.debug.ignored) is (enabled and not expected)


def test_two_executors_are_waited_for_together(folder: Path, home: Path) -> None:
    """Each holds its answer until the other has been asked, too."""
    both = threading.Barrier(2)

    def at_once(number: int) -> contextlib.AbstractContextManager[Asked]:
        good = bringing(evidence(number))
        return answering(f"unix:{folder}/sock{number}", lambda request: (both.wait(MUCH_LATER), good(request))[1])

    rows = [{"name": f"n{number}", "target": f"unix:{folder}/sock{number}"} for number in (1, 2)]
    with at_once(1), at_once(2), asking(home, *rows) as brain:
        package = compose(brain, "m", "s9", QUESTION)
    assert foreign(package) == ["remote:n1:handbook:s1:0", "remote:n2:handbook:s2:0"]


def test_what_it_says_it_left_out_is_passed_on(folder: Path, home: Path) -> None:
    def answer(request: RetrieveRequest) -> bytes:
        response = packed(request.plan, evidence(1))
        response.pack.warnings.extend(["half of\x1b[2J the shelf\nwas away", *(["more"] * 50)])
        response.pack.explain.ignored_fields.append("queries[0].hints")
        return response.SerializeToString()

    target = f"unix:{folder}/sock"
    with answering(target, answer), asking(home, {"name": "wiki", "target": target}) as brain:
        ignored = list(compose(brain, "m", "s9", QUESTION).debug.ignored)
    assert "remote wiki: it warns: half of [2J the shelf was away" in ignored
    assert "remote wiki: it ignored queries[0].hints" in ignored
    assert sum(words.startswith("remote wiki: it warns") for words in ignored) == 5


# Slow, dead


@pytest.mark.parametrize("left", [None, 60.0])
def test_a_slow_executor_costs_its_timeout(folder: Path, home: Path, left: float | None) -> None:
    target = f"unix:{folder}/sock"
    asked = Asked()

    def never(request: RetrieveRequest) -> bytes:
        asked.over.wait(600)
        return bringing(evidence(1))(request)

    usual = own(alone(home))
    row = {"name": "wiki", "target": target, "timeout_ms": 100}
    with answering(target, never, asked), asking(home, row) as brain:
        began = time.perf_counter()
        request = ComposeContextRequest(memory_id="m", session_id="s9", user_message=QUESTION)
        package = brain.compose_context(request, due=left and began + left).context
        pack = retrieve(brain, "m", plan("kitchen"))
        took = time.perf_counter() - began
    assert took < MUCH_LATER
    assert own(package) == usual
    assert foreign(package) == []
    said = re.compile(r"remote wiki: no answer within (?:9\d|100) ms")  # what the wait came to, a little early at times
    assert any(map(said.fullmatch, package.debug.ignored))
    assert package.debug.timings_ms["remote.wiki"] >= 90
    assert any(map(said.fullmatch, pack.warnings))
    assert len(pack.evidences) > 0


def test_a_deadline_shortens_the_wait_to_its_share(folder: Path, home: Path) -> None:
    target = f"unix:{folder}/sock"
    asked = Asked()

    def never(request: RetrieveRequest) -> bytes:
        asked.over.wait(600)
        return bringing(evidence(1))(request)

    row = {"name": "wiki", "target": target, "timeout_ms": 60_000, "deadline_share": 0.25}
    request = ComposeContextRequest(memory_id="m", session_id="s9", user_message=QUESTION)
    with answering(target, never, asked), asking(home, row) as brain:
        for _ in range(5):
            began = time.perf_counter()
            package = brain.compose_context(request, due=began + 0.8).context
            assert time.perf_counter() - began < MUCH_LATER
        status = brain.status().executors[0]
        late = brain.compose_context(request, due=time.perf_counter() - 1).context
    said = next(words for words in package.debug.ignored if words.startswith("remote wiki: no answer within "))
    assert 100 <= int(said.split()[-2]) <= 200, "a quarter of 800 ms"
    assert status.state == "failing", "what had less than its timeout is late, but not left alone for it"
    assert "remote wiki: not asked: the deadline leaves no time" in late.debug.ignored


def test_a_dead_executor_is_told_of_and_soon_left_alone(home: Path) -> None:
    usual = own(alone(home))
    with closed_port() as target, asking(home, {"name": "wiki", "target": target}) as brain:
        packages = [compose(brain, "m", "s9", QUESTION) for _ in range(5)]
        status = brain.status().executors[0]
    assert all(own(package) == usual for package in packages)
    words = [next(one for one in each.debug.ignored if one.startswith("remote wiki: ")) for each in packages]
    assert all(one.startswith("remote wiki: no answer: UNAVAILABLE (") for one in words[:3])
    assert all(one.startswith("remote wiki: not asked for another ") for one in words[3:])
    assert (status.state, status.calls, status.failures) == ("resting", 3, 3)
    assert status.resting_seconds > 0
    assert "UNAVAILABLE" in status.problem


def test_many_threads_go_on_beside_a_dead_executor(home: Path) -> None:
    usual = own(alone(home))
    with (
        closed_port() as target,
        asking(home, {"name": "wiki", "target": target}) as brain,
        ThreadPoolExecutor(8) as eight,
    ):
        packages = list(eight.map(lambda _: compose(brain, "m", "s9", QUESTION), range(64)))
    assert all(own(package) == usual for package in packages)
    assert all(sum(one.startswith("remote wiki: ") for one in each.debug.ignored) == 1 for each in packages)


def test_one_that_is_killed_while_it_is_asked_costs_nothing_else(folder: Path, home: Path) -> None:
    (folder / "wiki").mkdir()
    other = start_server(folder / "wiki")
    usual = own(alone(home))
    with asking(home, {"name": "wiki", "target": other.target, "timeout_ms": 2000}) as brain:
        with other.stubs() as stubs:
            stubs.brain.CommitTurn(commit("m", "s", "The office kitchen closes at 19:30."))
        assert foreign(compose(brain, "m", "s9", QUESTION))
        with ThreadPoolExecutor(4) as pool:
            running = [pool.submit(compose, brain, "m", "s9", QUESTION) for _ in range(40)]
            other.kill()
            packages = [one.result(MUCH_LATER) for one in running]
        last = compose(brain, "m", "s9", QUESTION)
    for package in [*packages, last]:
        assert foreign(package) or any(words.startswith("remote wiki: no") for words in package.debug.ignored)
    assert own(last) == usual


def test_one_that_comes_back_is_asked_again(folder: Path, home: Path) -> None:
    target = f"unix:{folder}/sock"
    with asking(home, {"name": "wiki", "target": target}) as brain:
        assert foreign(compose(brain, "m", "s9", QUESTION)) == []
        with answering(target, bringing(evidence(1))):
            ends = time.monotonic() + MUCH_LATER
            while not (found := foreign(compose(brain, "m", "s9", QUESTION))):
                assert time.monotonic() < ends
                time.sleep(0.05)
            assert found == ["remote:wiki:handbook:s1:0"]
            assert brain.status().executors[0].state == "ready"


def test_a_memory_that_it_does_not_have_is_no_reason_to_leave_it_alone(folder: Path, home: Path) -> None:
    (folder / "wiki").mkdir()
    other = start_server(folder / "wiki")
    try:
        with asking(home, {"name": "wiki", "target": other.target, "memory_id": "团队"}) as brain:
            packages = [compose(brain, "m", "s9", QUESTION) for _ in range(5)]
            status = brain.status().executors[0]
    finally:
        other.terminate()
    for package in packages:
        assert any(words.startswith("remote wiki: no answer: NOT_FOUND (") for words in package.debug.ignored)
    assert (status.state, status.calls) == ("failing", 5)
    assert status.problem.startswith("NOT_FOUND (")
    assert "团队" in status.problem


# Recursive


def test_servers_that_name_each_other_and_themselves_ask_once(folder: Path) -> None:
    homes = [folder / "a", folder / "b"]
    rows = [
        f"{{name: {name}, target: 'unix:{folder}/{name}/sock', when: always, timeout_ms: {PATIENT_MS}}}"
        for name in ("a", "b")
    ]
    servers = []
    for each in homes:
        each.mkdir()
        servers.append(start_server(each, config=f"resources: {{remote: [{', '.join(rows)}]}}"))
    try:
        with servers[0].stubs() as a, servers[1].stubs() as b:
            a.brain.CommitTurn(commit("m", "s", "The kitchen closes at six."))
            b.brain.CommitTurn(commit("m", "s", "The kitchen on the second floor closes at seven."))
            package = a.brain.ComposeContext(composing("m", "s9", QUESTION), timeout=MUCH_LATER).context
            pack = b.retrieval.Retrieve(RetrieveRequest(memory_id="m", plan=plan("kitchen")), timeout=MUCH_LATER).pack
    finally:
        assert [server.terminate() for server in servers] == [0, 0]
    theirs = {one.id: one.snippet for one in package.evidence if one.source == "resource"}
    assert any("seven" in text for text in theirs.values())
    assert all(each.startswith("remote:b:") for each in theirs), "what comes back from itself is nothing new"
    assert not any("not asked" in words for words in [*package.debug.ignored, *pack.warnings])
    assert (list(package.debug.degraded), list(pack.degraded)) == ([], []), "all of them are healthy"
    same = [each for each in package.debug.dropped if each.id.startswith("remote:a:")]
    assert same
    assert {each.reason for each in same} == {"duplicate"}


def test_a_request_of_another_brain_asks_nobody(folder: Path, home: Path) -> None:
    target = f"unix:{folder}/sock"
    with answering(target, bringing(evidence(1))) as asked, asking(home, {"name": "wiki", "target": target}) as brain:
        pack = brain.retrieve(RetrieveRequest(memory_id="m", plan=plan("kitchen")), asked_by="内务").pack
    assert asked.requests == []
    assert (list(pack.warnings), list(pack.degraded)) == ([], []), "that is the rule, and nothing that failed"
    assert len(pack.evidences) > 0


def test_what_users_said_oddly_passes_between_brains(folder: Path, home: Path) -> None:
    """A path is no address, and a message may hold anything: neither may cost the other brain the whole pack."""
    (folder / "wiki").mkdir()
    other = start_server(folder / "wiki")
    said = commit("m", "s", "The kitchen \x1b[2J closes \x00 at 19:30. 厨房关门。")
    said.turn.refs.add(ref_type="file", uri="plans/kitchen door.md")
    try:
        with other.stubs() as stubs:
            stubs.brain.CommitTurn(said)
        with asking(home, {"name": "wiki", "target": other.target}) as brain:
            package = compose(brain, "m", "s9", QUESTION)
    finally:
        assert other.terminate() == 0
    assert not any("rejected" in words for words in package.debug.ignored)
    theirs = {one.id: one for one in package.evidence if one.source == "resource"}
    assert "[2J closes  at 19:30" in theirs["remote:wiki:t1:t1.0"].snippet
    assert theirs["remote:wiki:t1:ref-0"].source_uri == "smartbrain://wiki@m/s/t1"
    assert "plans/kitchen door.md" in theirs["remote:wiki:t1:ref-0"].title


def test_a_brain_without_what_asks_says_so(home: Path) -> None:
    rows = [{"name": "wiki", "target": "127.0.0.1:1", "when": "always"}]
    with open_brain(home, resources={"remote": rows}) as brain:
        package = compose(brain, "m", "s9", QUESTION)
        assert brain.status().executors[0].state == "unconnected"
    assert "remote wiki: not asked: Brain.open was given no executor of this name" in package.debug.ignored


def test_the_status_command_names_executors(folder: Path) -> None:
    config = "resources: {remote: [{name: wiki, target: '127.0.0.1:1', when: always}]}"
    server = start_server(folder, config=config)
    try:
        assert "remote wiki at 127.0.0.1:1: untried, 0 of 0 calls failed" in Command(server.target)("status")
    finally:
        server.terminate()
