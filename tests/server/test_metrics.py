"""What a server counts: exactly what was asked of it and answered, readable by any monitoring system."""

from __future__ import annotations

import socket
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from smartbrain.v1.admin_service_pb2 import GetStatusRequest, VerifyRequest
from smartbrain.v1.brain_service_pb2 import (
    CommitTurnsRequest,
    CommitTurnsResponse,
    ComposeContextResponse,
    GetContextRequest,
)
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Decision, Message, Preference, Task, TurnEvents
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core import load_policy
from brain_server.app import App
from brain_server.services.calls import Calls
from brain_server.tokens import Tokens
from tests.server.asking import commit, compose, refusal, retrieve, send_raw
from tests.server.scraped import Scraped, parsed, scraped
from tests.server.test_serving import log_lines
from tests.serving import Server, Stubs, start_server

THREADS = 8
SLOW = "policies: {retrieval: {deadline: {expansion_ms: 1.0e+9, depth_ms: 1.0e+9, semantic_ms: 1.0e+9}}}"
"""A policy under which there is never time enough, if there is a deadline at all."""


@pytest.fixture
def open_server(folder: Path) -> Iterator[Callable[..., Server]]:
    """Give a function that starts a server of this test's own."""
    started: list[Server] = []

    def open_one(*options: str, config: str = "") -> Server:
        (folder / str(len(started))).mkdir()
        started.append(start_server(folder / str(len(started)), *options, config=config))
        return started[-1]

    yield open_one
    for server in started:
        if server.process.poll() is None:
            assert server.terminate() == 0


def fill(stubs: Stubs, memory_id: str) -> None:
    for number in range(24):
        said = f"Zebra number {number} eats grass near the river. 第{number}匹斑马在河边吃草。"
        stubs.brain.CommitTurn(commit(memory_id, f"s{number}", said))


def page_of(server: Server) -> str:
    """Return where a server says that its page is."""
    return str(server.listening()["metrics"])


def fetched(url: str, accept: str = "text/plain") -> tuple[str, str]:
    """Return (content type, text) of a page."""
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Accept": accept}), timeout=30) as answer:
        return answer.headers["Content-Type"], answer.read().decode()


# Over HTTP


@pytest.fixture(scope="module")
def paged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give a server with a page, for tests that only read it."""
    server = start_server(tmp_path_factory.mktemp("paged"), "--metrics", "localhost:0")
    yield server
    assert server.terminate() == 0


@pytest.mark.parametrize("accept", ["text/plain", "*/*", "application/openmetrics-text; version=1.0.0"])
def test_the_page_is_openmetrics_whatever_is_accepted(paged: Server, accept: str) -> None:
    kind, text = fetched(page_of(paged), accept)
    assert kind.startswith("application/openmetrics-text; version=1.0.0")
    assert text.endswith("# EOF\n")
    with paged.stubs() as stubs:
        assert parsed(text).names() <= scraped(stubs).names()
    assert {"process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds"} <= parsed(text).names()


def test_there_is_no_other_page_and_nothing_to_write(paged: Server) -> None:
    page = page_of(paged)
    for wrong, method, code in ((page.removesuffix("metrics"), "GET", 404), (page, "POST", 405)):
        with pytest.raises(urllib.error.HTTPError) as failed:
            urllib.request.urlopen(urllib.request.Request(wrong, method=method), timeout=30)
        assert failed.value.code == code


def test_the_address_may_stand_in_the_config_and_the_option_wins(open_server: Callable[..., Server]) -> None:
    config = "server: {metrics: '127.0.0.1:0'}"
    assert parsed(fetched(page_of(open_server(config=config)))[1])("memories") == 0
    silenced = open_server("--metrics", "", config=config)
    assert "metrics" not in silenced.listening()


def test_the_page_goes_with_the_server_though_a_client_dawdles(open_server: Callable[..., Server]) -> None:
    server = open_server("--metrics", "127.0.0.1:0")
    place = ("127.0.0.1", int(page_of(server).split(":")[2].split("/")[0]))
    with socket.create_connection(place) as dawdling:
        dawdling.sendall(b"GET /metr")
        assert server.terminate() == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(place)


def test_an_address_open_to_others_is_warned_of(open_server: Callable[..., Server]) -> None:
    server = open_server("--metrics", "0.0.0.0:0")
    address = page_of(server).removeprefix("http://").removesuffix("/metrics")
    assert server.terminate() == 0
    lines: list[Any] = log_lines(server)
    assert [line["addresses"] for line in lines if line["level"] == "warning"] == [[address]]


# Calls


def test_calls_are_counted_by_how_they_ended(open_server: Callable[..., Server]) -> None:
    server = open_server()
    with server.stubs() as stubs, server.channel() as channel:
        stubs.brain.CommitTurn(commit("m", "s", "Hello.", request_id="r"))
        stubs.brain.ComposeContext(compose("m", "s", "hello"))
        for call in (
            lambda: stubs.brain.ComposeContext(compose("m", "s", "")),
            lambda: stubs.brain.ComposeContext(compose("m", "", "x")),
            lambda: stubs.retrieval.Retrieve(retrieve("nobody", "x")),
            lambda: stubs.brain.ComposeContext(compose("m", "s", "x", min_revision=9)),
            lambda: stubs.brain.CommitTurn(commit("m", "s", "Other.", request_id="r")),
            lambda: stubs.brain.GetContext(GetContextRequest(memory_id="m", context_id="none")),
            lambda: stubs.retrieval.Retrieve(retrieve("m")),
            lambda: send_raw(channel, "/smartbrain.v1.BrainService/ComposeContext", b"\xff"),
        ):
            assert refusal(call).code != grpc.StatusCode.INTERNAL
        list(stubs.admin.Verify(VerifyRequest()))
        found = scraped(stubs)
        assert found.by("calls_total", "call", "code", "reason") == {
            ("CommitTurn", "OK", ""): 1,
            ("ComposeContext", "OK", ""): 1,
            ("Verify", "OK", ""): 1,
            ("ComposeContext", "INVALID_ARGUMENT", "INVALID"): 2,
            ("ComposeContext", "INVALID_ARGUMENT", "MALFORMED"): 1,
            ("Retrieve", "NOT_FOUND", "NOT_FOUND"): 1,
            ("ComposeContext", "FAILED_PRECONDITION", "PRECONDITION"): 1,
            ("CommitTurn", "ALREADY_EXISTS", "ALREADY_EXISTS"): 1,
            ("GetContext", "NOT_FOUND", "NOT_FOUND"): 1,
            ("Retrieve", "INVALID_ARGUMENT", "INVALID"): 1,
        }
        assert found.by("call_duration_seconds_count", "call") == {
            ("CommitTurn",): 1, ("ComposeContext",): 1, ("Verify",): 1,
        }  # fmt: skip
        assert found("compose_packages_total") == 1
        assert found("commit_turns_total") == 1
        assert scraped(stubs)("calls_total", call="GetMetrics", code="OK", reason="") == 1


def test_a_call_whose_client_goes_is_counted_as_cancelled(open_server: Callable[..., Server]) -> None:
    server, gone = open_server(), threading.Event()

    def turns() -> Iterator[CommitTurnsRequest]:
        yield CommitTurnsRequest(turn=commit("m", "s", "Before I go."))
        gone.wait(60)

    with server.stubs() as stubs:
        call = stubs.brain.CommitTurns.future(turns())
        while not scraped(stubs)("commit_turns_total"):
            time.sleep(0.01)
        call.cancel()
        gone.set()
        while not (found := scraped(stubs)).by("calls_total", "call").get(("CommitTurns",)):
            time.sleep(0.01)
    ends = {
        ended: count for ended, count in found.by("calls_total", "call", "code").items() if ended[0] == "CommitTurns"
    }
    assert ends == {("CommitTurns", "CANCELLED"): 1}
    assert found("calls_total", call="CommitTurns", code="CANCELLED", reason="") == 1
    assert found("call_duration_seconds_count", call="CommitTurns") == 0
    assert found("commit_turns_total") == 1


class BrokenOff:
    """gRPC's end of a call that was cancelled, as it comes once in some hundreds: the stream ends, then it is told."""

    def __init__(self, *requests: bytes) -> None:
        self._requests, self._active, self._ended = list(requests), True, False

    def __iter__(self) -> BrokenOff:
        return self

    def __next__(self) -> bytes:
        if self._requests:
            return self._requests.pop(0)
        if not self._ended:
            self._ended = True
            raise StopIteration
        self._active = False
        raise grpc.RpcError

    def is_active(self) -> bool:
        return self._active

    def time_remaining(self) -> None:
        return None

    def invocation_metadata(self) -> tuple[()]:
        return ()


def test_a_stream_that_ends_before_its_cancelling_is_told_is_counted_as_cancelled() -> None:
    ends: list[str] = []
    calls = Calls(lambda _call, code, _reason, _seconds: ends.append(code), Tokens([]))

    def take_in(stream: Iterator[CommitTurnsRequest]) -> CommitTurnsResponse:
        return CommitTurnsResponse(committed=len(list(stream)))

    broken = BrokenOff(CommitTurnsRequest(turn=commit("m", "s", "Before I go.")).SerializeToString())
    handler: Any = calls.requests(CommitTurnsRequest, take_in)
    with pytest.raises(grpc.RpcError):
        handler.stream_unary(broken, broken)
    assert ends == ["CANCELLED"]


def test_calls_of_many_threads_are_all_counted(open_server: Callable[..., Server]) -> None:
    each = 40

    def work(number: int) -> list[ContextPackage]:
        with server.stubs() as stubs:
            packages = []
            for count in range(each):
                stubs.brain.CommitTurn(commit("m", f"s{number}", f"Lion {number}-{count} sleeps. 狮子睡觉。"))
                packages.append(
                    stubs.brain.ComposeContext(compose("m", f"s{number}", "which lion 狮子 sleeps")).context
                )
                refusal(lambda: stubs.brain.ComposeContext(compose("m", "s", " ")))
            return packages

    server = open_server()
    with ThreadPoolExecutor(THREADS) as pool:
        packages = [package for some in pool.map(work, range(THREADS)) for package in some]
    with server.stubs() as stubs:
        found = scraped(stubs)
    asked = THREADS * each
    assert found.by("calls_total", "call", "code") == {
        ("CommitTurn", "OK"): asked,
        ("ComposeContext", "OK"): asked,
        ("ComposeContext", "INVALID_ARGUMENT"): asked,
    }
    told(found, packages)


# What went into answers


def told(found: Scraped, packages: list[ContextPackage]) -> None:
    """Demand that the metrics of composes are what their packages say."""
    assert found("compose_packages_total") == len(packages)
    pieces, hits, tokens, dropped = Counter[tuple[str]](), Counter[tuple[str]](), Counter[tuple[str]](), Counter[Any]()
    over = Counter[tuple[str]]()
    for package in packages:
        sources = Counter(("memory_item" if one.ref.memory_item_id else "conversation",) for one in package.evidence)
        pieces += sources
        hits.update(sources.keys())
        tokens += Counter({(slot,): count for slot, count in package.constraints.token_budget.slots.items()})
        counts = {tuple(place.split("/")): count for place, count in package.debug.dropped_counts.items()}
        dropped += Counter(counts)
        over.update((slot,) for slot, reason in counts if reason == "budget" and slot != "selection")
    assert found.by("compose_evidence_total", "source") == pieces
    assert found.by("compose_hits_total", "source") == hits
    assert found.by("compose_tokens_total", "slot") == tokens
    assert found.by("compose_dropped_total", "slot", "reason") == dropped
    assert found.by("compose_over_budget_total", "slot") == over
    assert found("compose_tokens_used_ratio_count") == len(packages)
    budgets = [package.constraints.token_budget for package in packages]
    assert found("compose_tokens_used_ratio_sum") == pytest.approx(sum(one.used / one.limit for one in budgets))
    for stage in ("plan", "embed", "search", "select", "package", "total"):
        assert found("compose_stage_duration_seconds_count", stage=stage) == len(packages), stage


@pytest.mark.parametrize("trace", ["true", "false", "0.5"])
def test_contexts_are_counted_as_they_say_with_or_without_their_trace(
    open_server: Callable[..., Server], trace: str
) -> None:
    with open_server(config=f"policies: {{observability: {{trace: {trace}}}}}").stubs() as stubs:
        fill(stubs, "m")
        likes = TurnEvents(
            messages=[Message(role="user", content="Dinner was great.")],
            preferences=[Preference(scope="other", name="dish", value="zebra steaks", confirmed=True)],
            decisions=[Decision(topic="outing", decision="Watch the zebra at the river")],
        )
        request = commit("m", "s0")
        request.turn.CopyFrom(likes)
        stubs.brain.CommitTurn(request)
        asked = [
            compose("m", session, message, token_limit=limit)
            for session in ("s0", "new")
            for message in ("zebra river grass", "What do I like to eat?", "斑马在哪里", "qwxz")
            for limit in (40, 150, 400, 8000)
        ]
        packages = [stubs.brain.ComposeContext(one).context for one in asked]
        found = scraped(stubs)
        told(found, packages)
        assert found("compose_over_budget_total", slot="evidence") > 0
        assert found("compose_over_budget_total", slot="recent_turns") > 0
        assert found("compose_hits_total", source="memory_item") > 0
        if trace == "true":
            took = sum(package.debug.timings_ms["total"] for package in packages) / 1000
            assert found("compose_stage_duration_seconds_sum", stage="total") == pytest.approx(took)
        else:
            assert any(not package.debug.timings_ms for package in packages)


def test_packs_are_counted(open_server: Callable[..., Server]) -> None:
    with open_server().stubs() as stubs:
        fill(stubs, "m")
        packs = [stubs.retrieval.Retrieve(retrieve("m", text)).pack for text in ("zebra", "number 7", "河边", "qwxz")]
        found = scraped(stubs)
        assert found("retrieve_packs_total") == 4
        assert found("retrieve_evidence_total") == sum(len(pack.evidences) for pack in packs) > 0
        assert found.by("left_out_total", "what") == {}


# What was left out


def test_what_there_was_no_time_for_is_counted(open_server: Callable[..., Server]) -> None:
    plan = RetrievalPlan(queries=[PlanQuery(text="zebra"), PlanQuery(text="river", weight=2)])
    with open_server(config=SLOW).stubs() as stubs:
        fill(stubs, "m")
        hurried = stubs.brain.ComposeContext(compose("m", "s", "zebra", plan=plan), timeout=60).context
        assert list(hurried.debug.degraded) == ["deadline_expansion", "deadline_depth", "deadline_semantic"]
        assert not stubs.brain.ComposeContext(compose("m", "s", "zebra", plan=plan)).context.debug.degraded
        pack = stubs.retrieval.Retrieve(retrieve("m", "zebra", mode="exact"), timeout=60).pack
        assert list(pack.degraded) == ["deadline_depth"]
        for _ in range(2):
            pack = stubs.retrieval.Retrieve(retrieve("m", "⟐⟐", "⟐", mode="semantic")).pack
            assert list(pack.degraded) == ["no_vector"]
        found = scraped(stubs)
    assert found.by("degraded_answers_total", "call") == {("ComposeContext",): 1, ("Retrieve",): 3}
    assert found.by("left_out_total", "call", "what") == {
        ("ComposeContext", "deadline_expansion"): 1,
        ("ComposeContext", "deadline_depth"): 1,
        ("ComposeContext", "deadline_semantic"): 1,
        ("Retrieve", "deadline_depth"): 1,
        ("Retrieve", "no_vector"): 2,
    }


# Commits


def test_commits_are_counted_once_each(open_server: Callable[..., Server]) -> None:
    def with_task(number: int, status: str) -> Any:  # noqa: ANN401
        request = commit("m", "s", f"Hello number {number}.", request_id=f"r{number}")
        request.turn.tasks.append(Task(task_id="build", title="Build the house", status=status))
        return request

    with open_server().stubs() as stubs:
        first = [stubs.brain.CommitTurn(with_task(0, "todo")) for _ in range(3)]
        assert len({answer.turn_id for answer in first}) == 1
        dry = with_task(1, "done")
        dry.validate_only = True
        stubs.brain.CommitTurn(dry)
        done = stubs.brain.CommitTurn(with_task(2, "done"))
        assert done.summary.trigger == "task"
        many = [commit("n", "s", f"Chat {number}.") for number in range(12)]
        stubs.brain.CommitTurns(CommitTurnsRequest(turn=one) for one in many)
        found = scraped(stubs)
    verdicts = Counter((one.type, one.verdict) for answer in (first[0], done) for one in answer.explain.retention)
    assert found("commit_turns_total") == 14
    assert found("commit_verdicts_total", type="tasks", verdict="written") == verdicts["tasks", "written"] == 2
    assert found("commit_verdicts_total", type="event", verdict="event_only") == verdicts["event", "event_only"] + 12
    assert found.by("commit_summaries_total", "trigger") == {("task",): 1, ("turns",): 1}


# What is there


def test_gauges_are_what_the_status_says(open_server: Callable[..., Server]) -> None:
    with open_server().stubs() as stubs:
        fill(stubs, "m")
        stubs.brain.CommitTurn(commit("n", "s", "Hello."))
        before = stubs.admin.GetStatus(GetStatusRequest())
        found = scraped(stubs)
        after = stubs.admin.GetStatus(GetStatusRequest())
    assert (found("memories"), found("memories_loaded")) == (2, 2)
    assert found("index_bytes") == after.index_bytes > 0
    assert found("chunks_to_refine") == found("turns_to_learn") == found("purges_to_erase") == 0
    assert before.uptime_seconds < found("uptime_seconds") < after.uptime_seconds
    build = {"version": after.version, "durability": "disk", "embedder": after.embedder}
    assert found("build_info", store_format=str(after.store_format), dimension=str(after.dimension), **build) == 1


def test_no_label_is_an_id_or_a_text(open_server: Callable[..., Server]) -> None:
    server = open_server("--metrics", "127.0.0.1:0")
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("memo-αβγ", "sess-αβγ", "Remember: 我喜欢αβγ。", request_id="req-αβγ"))
        answer: ComposeContextResponse = stubs.brain.ComposeContext(compose("memo-αβγ", "sess-αβγ", "αβγ?"))
        refusal(lambda: stubs.retrieval.Retrieve(retrieve("none-αβγ", "αβγ?")))
    text = fetched(page_of(server))[1]
    assert "αβγ" not in text
    assert answer.context.context_id not in text


def test_two_servers_in_one_process_count_apart(folder: Path) -> None:
    policy = load_policy({"store": {"durability": "process"}})
    apps = [App(folder / name, policy, [f"unix:{folder}/{name}.sock"], "127.0.0.1:0") for name in ("a", "b")]
    try:
        for number, app in enumerate(apps):
            with grpc.insecure_channel(app.addresses[0]) as channel:
                for _ in range(number + 1):
                    send_raw(channel, "/smartbrain.v1.AdminService/GetStatus", b"")
        counts = [parsed(fetched(f"http://{app.metrics_address}/metrics")[1]).by("calls_total", "call") for app in apps]
        assert counts == [{("GetStatus",): 1}, {("GetStatus",): 2}]
    finally:
        for app in apps:
            app.stop()
    for app in apps:
        assert "smartbrain_memories" not in app._metrics.text(), "a closed brain was looked at"


# Sampled traces


def test_a_share_of_traces_is_kept_and_a_replay_keeps_the_same(open_server: Callable[..., Server]) -> None:
    asked = [compose("m", "s", f"where is zebra {number}? 斑马{number}在哪里") for number in range(2000)]

    def kept(stubs: Stubs, requests: list[Any]) -> list[bool]:
        packages = [stubs.brain.ComposeContext(request).context for request in requests]
        for package in packages:
            said = [line for line in package.debug.ignored if "observability.trace" in line]
            assert bool(said) != bool(package.debug.timings_ms)
            assert all("keeps 0.1 of them" in line for line in said)
            assert package.debug.dropped or said
            assert package.debug.why_selected
        return [bool(package.debug.timings_ms) for package in packages]

    with open_server(config="policies: {observability: {trace: 0.1}}").stubs() as stubs:
        fill(stubs, "m")
        first = kept(stubs, asked)
        assert 0.08 * len(asked) < sum(first) < 0.12 * len(asked)
        assert kept(stubs, asked[:300]) == first[:300]
        plan = RetrievalPlan(queries=[PlanQuery(text="zebra")])
        plan.debug.trace = True
        assert all(kept(stubs, [compose("m", "s", one.user_message, plan=plan) for one in asked[:30]]))
        assert scraped(stubs)("compose_stage_duration_seconds_count", stage="total") == 2330
        stubs.brain.CommitTurn(commit("m", "s", "A new revision."))
        assert kept(stubs, asked[:300]) != first[:300], "another revision is another sample"
