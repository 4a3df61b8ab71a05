"""A conversation in English and Chinese with items, and the answers about it without what may differ in them."""

from __future__ import annotations

from google.protobuf.message import Message as Proto
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, CommitTurnsRequest, ComposeContextResponse
from smartbrain.v1.event_pb2 import Decision, Entity, Message, Preference, Retraction, Task, ToolCall, TurnEvents
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.retrieval_service_pb2 import RetrieveResponse

from tests.server.asking import compose, retrieve
from tests.serving import Stubs

_PLACES = ["Lisbon", "杭州", "Berlin", "Kyoto", "北京", "Reykjavik", "Oaxaca", "成都"]
_THINGS = ["a red bicycle", "龙井茶", "the RocksDB migration", "红烧肉", "an old violin", "项目会议", "sourdough bread"]
QUESTIONS = (
    "Where did we see a red bicycle?",
    "我们在哪里喝了龙井茶？",
    "RocksDB migration 在哪个城市讨论的？",
    "old violin Reykjavik",
    "What do I like to drink?",
    "plan for the 项目会议 in Oaxaca",
)


def turns(memory_id: str, first: int, last: int) -> list[CommitTurnRequest]:
    """Return the turns first..last-1 of the conversation."""
    return [_turn(memory_id, number) for number in range(first, last)]


def _turn(memory_id: str, number: int) -> CommitTurnRequest:
    place, thing = _PLACES[number % len(_PLACES)], _THINGS[number % len(_THINGS)]
    asked = Message(role="user", speaker="Ana", content=f"Number {number}: do you remember {thing} in {place}?")
    told = Message(role="assistant", content=f"记得，第{number}次在{place}，我们谈到{thing}，那天下雨。")
    for message in (asked, told):
        message.created_at.seconds = 1_700_000_000 + 3600 * number
    events = TurnEvents(messages=[asked, told])
    if number % 5 == 0:
        events.preferences.add().CopyFrom(Preference(name="drink", value=f"{thing} {number}", confirmed=True))
    if number % 7 == 0:
        events.tasks.add().CopyFrom(Task(task_id=f"visit {place}", title=f"Visit {place} again", status="doing"))
        events.decisions.add().CopyFrom(Decision(topic=place, decision=f"Stay {number} days", made_at="2024-05-01"))
    if number % 11 == 0:
        events.entities.add().CopyFrom(
            Entity(kind="topic", canonical=thing, aliases=[f"alias {number}"], remember=True)
        )
        events.tool_calls.add().CopyFrom(ToolCall(name="search", result=f"{place}: {thing}, {number} results"))
    if number % 13 == 12:
        events.retractions.add().CopyFrom(Retraction(type="preferences", key="pref:other:drink"))
    return CommitTurnRequest(memory_id=memory_id, session_id=f"s{number % 3}", turn=events)


def commit_all(stubs: Stubs, requests: list[CommitTurnRequest]) -> None:
    """Commit turns."""
    stubs.brain.CommitTurns(CommitTurnsRequest(turn=request) for request in requests)


def answers(stubs: Stubs, memory_id: str) -> list[Proto]:
    """Return what the server finds and composes about the conversation, without ids and times of the asking."""
    found: list[Proto] = []
    for question in QUESTIONS:
        plans = [retrieve(memory_id, question, mode=mode) for mode in ("exact", "semantic", "hybrid")]
        found += [_plain_pack(stubs.retrieval.Retrieve(plan)) for plan in plans]
        asked = [compose(memory_id, "s1", question, token_limit=limit) for limit in (0, 300)]
        found += [_plain_package(stubs.brain.ComposeContext(one)) for one in asked]
    found.append(_plain_pack(stubs.retrieval.Retrieve(retrieve(memory_id, *QUESTIONS, mode="hybrid"))))
    return found


def _plain_pack(response: RetrieveResponse) -> RetrieveResponse:
    pack: EvidencePack = response.pack
    assert pack.evidences
    assert pack.plan_id
    assert pack.request_id
    for name in ("plan_id", "request_id", "generated_at"):
        pack.ClearField(name)
    pack.plan.ClearField("request_id")
    pack.stats.ClearField("took_ms")
    for evidence in pack.evidences:
        evidence.provenance.ClearField("retrieved_at")
    return response


def _plain_package(response: ComposeContextResponse) -> ComposeContextResponse:
    package = response.context
    assert package.context_id
    assert package.recent_turns or package.evidence
    for name in ("context_id", "created_at"):
        package.ClearField(name)
    for evidence in package.evidence:
        evidence.provenance.ClearField("request_id")
        evidence.provenance.ClearField("retrieved_at")
    package.debug.ClearField("trace_ids")
    package.debug.timings_ms.clear()
    return response
