"""The retention gate: what is written, masked, refused or left in the event log, and why."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.struct_pb2 import Struct
from smartbrain.v1.event_pb2 import Decision, Entity, Message, Preference, Ref, Retraction, Task, ToolCall, Turn
from smartbrain.v1.item_pb2 import ITEM_SOURCE_USER

from brain_core import Brain, load_policy
from brain_core.commit.gate import Gate
from brain_core.commit.mentions import Importance
from brain_core.kinds.draft import Draft
from brain_core.kinds.registry import KINDS
from brain_core.store import items, log
from tests.building import found, open_brain, turn
from tests.commit.drafting import draft, give, item_at, verdict_on

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
CARD = "4111 1111 1111 1111"


def user(text: str) -> Message:
    return Message(role="user", content=text)


def test_every_part_of_a_turn_has_a_verdict_with_a_rule(brain: Brain) -> None:
    answer = brain.commit_turn(
        turn(
            "m",
            "s",
            messages=[user("Good morning!"), Message(role="assistant", content="Good morning to you.")],
            tool_calls=[ToolCall(name="ls", result="a b")],
            refs=[Ref(ref_type="artifact", uri="build/1")],
            tasks=[Task(task_id="1", title="Write it")],
            decisions=[Decision(topic="db", decision="RocksDB")],
            preferences=[Preference(name="tone", value="short", confirmed=True)],
            entities=[Entity(kind="person", canonical="Ann")],
        )
    )
    verdicts = {one.path: (one.verdict, one.rule) for one in answer.explain.retention}
    assert verdicts["tasks[0]"] == ("written", "must_write")
    assert verdicts["decisions[0]"] == ("written", "must_write")
    assert verdicts["preferences[0]"] == ("written", "conditional")
    assert verdicts["entities[0]"] == ("event_only", "entity_gate")
    assert verdicts["messages[0]"] == verdicts["messages[1]"] == ("event_only", "never")
    assert verdicts["tool_calls[0]"] == ("event_only", "must_write")
    assert "refs[0]" in verdicts
    assert all(one.rule and one.reason and one.verdict for one in answer.explain.retention)


@pytest.mark.parametrize(
    ("source", "given", "confidence"),
    [
        ("USER", None, 0.8), ("USER", 0.2, 0.8), ("USER", 0.95, 0.95),
        ("TOOL", None, 0.9), ("TOOL", 0.5, 0.9), ("TOOL", 1.0, 1.0),
        ("INFERENCE", None, 0.6), ("INFERENCE", 0.99, 0.6), ("INFERENCE", 0.55, 0.55),
        ("OBSERVATION", 0.9, 0.6), ("ASSISTANT", 0.9, 0.6),
    ],
)  # fmt: skip
def test_confidence_is_what_the_source_allows(
    brain: Brain, source: str, given: float | None, confidence: float
) -> None:
    fields: dict[str, Any] = {} if given is None else {"confidence": given}
    answer = give(brain, draft("knowledge", {"slug": "x", "content": "It rains"}, source=source, **fields))
    assert item_at(brain, "knowledge", "knowledge:fact:x").confidence == pytest.approx(confidence)
    assert verdict_on(answer, "items[0]").confidence == pytest.approx(confidence)


def test_what_is_not_sure_enough_stays_in_the_event_log(brain: Brain) -> None:
    answer = give(brain, draft("knowledge", {"slug": "x", "content": "y"}, source="INFERENCE", confidence=0.4))
    assert (verdict_on(answer, "items[0]").verdict, verdict_on(answer, "items[0]").rule) == ("event_only", "never")
    answer = give(brain, draft("tasks", {"task_id": "1"}, source="INFERENCE", confidence=0.4))
    assert verdict_on(answer, "items[0]").verdict == "written", "tasks are always written"
    least = load_policy().policies.retention.min_confidence
    answer = give(brain, draft("knowledge", {"slug": "x", "content": "y"}, source="INFERENCE", confidence=least))
    assert verdict_on(answer, "items[0]").verdict == "written", "sure enough"


@pytest.mark.parametrize("item_type", ["preferences", "profile", "goals", "identity"])
def test_what_the_assistant_supposes_of_the_user_is_no_fact(brain: Brain, item_type: str) -> None:
    value: dict[str, Any] = {"name": "n", "value": "x"} if item_type == "preferences" else {"name": "n"}
    if item_type == "profile":
        value = {"facts": [{"k": "home", "v": "Rome"}]}
    answer = give(brain, draft(item_type, value, source="ASSISTANT"))
    assert (verdict_on(answer, "items[0]").verdict, verdict_on(answer, "items[0]").rule) == ("event_only", "never")
    assert list(answer.items) == []


# The entity gate

ANN = Entity(kind="person", canonical="Ann Lee")


def written(brain: Brain, entity: Entity = ANN, **parts: Any) -> bool:  # noqa: ANN401
    answer = brain.commit_turn(turn("m", "s", entities=[entity], **parts))
    return verdict_on(answer, "entities[0]").verdict == "written"


def test_an_entity_named_once_is_not_important(brain: Brain) -> None:
    assert not written(brain)
    assert not written(brain, Entity(kind="person", canonical="Bo"), messages=[user("I met Bo, and Bo met me")])


def test_an_entity_named_in_two_turns_is(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", messages=[user("Then Ann Lee came in.")]))
    assert written(brain)


def test_a_part_of_a_word_does_not_name_it(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", messages=[user("Annie Leesburg planned it")]))
    assert not written(brain)
    brain.commit_turn(turn("m", "s", messages=[user("王小明明天来")]))
    assert written(brain, Entity(kind="person", canonical="王小明"))


def test_what_the_assistant_names_does_not_count(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", messages=[Message(role="assistant", content="Maybe Ann Lee knows.")]))
    assert not written(brain)


def test_another_session_does_not_count(brain: Brain) -> None:
    brain.commit_turn(turn("m", "other", messages=[user("Then Ann Lee came in.")]))
    assert not written(brain)


def test_the_window_and_the_threshold_are_the_policys(folder: Path) -> None:
    gate = {"entity_gate": {"window_turns": 3, "freq_threshold": 3}}
    with open_brain(folder, policies={"retention": gate}) as brain:
        brain.commit_turn(turn("m", "s", messages=[user("Ann Lee")]))
        assert not written(brain), "twice of three times"
        assert written(brain), "three times in three turns"
    with open_brain(folder, policies={"retention": {"entity_gate": {"window_turns": 2, "freq_threshold": 2}}}) as brain:
        bo = Entity(kind="person", canonical="Bo")
        assert not written(brain, bo)
        brain.commit_turn(turn("m", "s", messages=[user("Something else")]))
        assert not written(brain, bo), "the first time is out of the window"
        assert written(brain, bo)


def args(**fields: str) -> Struct:
    made = Struct()
    made.update(fields)
    return made


@pytest.mark.parametrize(
    ("entity", "parts"),
    [
        (Entity(kind="person", canonical="Ann Lee", remember=True), {}),
        (Entity(kind="repo", canonical="acme/web"), {}),
        (Entity(kind="url", canonical="https://acme.org"), {}),
        (ANN, {"messages": [user("Please remember Ann Lee")]}),
        (ANN, {"messages": [user("记住 Ann Lee 这个人")]}),
        (ANN, {"tasks": [Task(task_id="1", title="Call Ann Lee")]}),
        (ANN, {"decisions": [Decision(topic="lead", decision="Ann Lee leads")]}),
        (ANN, {"tool_calls": [ToolCall(name="mail", args=args(to="Ann Lee"))]}),
        (Entity(kind="topic", canonical="apollo"), {"messages": [user("Let us go on with that project")]}),
        (Entity(kind="topic", canonical="阿波罗"), {"messages": [user("继续做上次那个项目")]}),
    ],
)
def test_one_signal_makes_it_important(brain: Brain, entity: Entity, parts: dict[str, Any]) -> None:
    assert written(brain, entity, **parts)


def test_a_known_entity_needs_no_signal(brain: Brain) -> None:
    assert written(brain, Entity(kind="person", canonical="Ann Lee", remember=True))
    assert written(brain, Entity(kind="person", canonical="Ann Lee", attrs={"city": "Rome"}))


# Secrets


def secret_notes() -> list[Any]:
    return [
        draft("notes", {"uri": "project://ci", "content": f"The token is {TOKEN}, use it."}),
        draft("preferences", {"name": "card", "value": f"pay with {CARD}"}),
        draft("profile", {"facts": [{"k": "wifi password", "v": "hunter2horse"}]}),
    ]


def stored_texts(brain: Brain) -> str:
    return "\n".join(item.text + str(item.value) + item.key + item.uri for item in items.scan_items(brain._kv, "m"))


def test_secrets_are_masked(brain: Brain) -> None:
    answer = give(brain, *secret_notes())
    assert {one.verdict for one in answer.explain.retention} == {"masked"}
    assert {one.rule for one in answer.explain.retention} == {"secret"}
    held = stored_texts(brain)
    for secret in (TOKEN, CARD, "hunter2horse"):
        assert secret not in held
        assert found(brain, "m", secret, mode="exact", types=["notes", "preferences", "profile"]) == []
    assert "The token is [secret], use it." in held
    kept = log.read_commit(brain._kv, "m", 1)
    assert kept is not None
    assert TOKEN.encode() not in kept.response


def test_a_secret_that_begins_as_another_leaves_nothing_of_it(brain: Brain) -> None:
    content = "password: hunter22. And the other password is hunter22again."
    give(brain, draft("notes", {"uri": "project://ci", "content": content}))
    held = stored_texts(brain)
    assert "And the other password is [secret]" in held
    assert "again" not in held


@pytest.mark.parametrize(("begins", "ends", "verdict"), [(5, 5, "refused"), (6, 5, "refused"), (4, 5, "written")])
def test_what_does_not_last_is_refused(begins: int, ends: int, verdict: str) -> None:
    policy, turn_ = load_policy(), Turn()
    retention = policy.policies.retention
    importance = Importance(turn_, lambda _: (), lambda _: False, retention.entity_gate)
    given = {"topic": "db", "decision": "RocksDB"}
    read = Draft(
        "messages[0]", KINDS["decisions"], given, 0.8, ITEM_SOURCE_USER, "said", valid_from_us=begins, valid_to_us=ends
    )
    turn_.events.messages.add(role="user", content="We go with RocksDB.")
    judged = Gate(turn_, importance, retention, policy.limits, UTC).judge(read)[1]
    assert judged.verdict == verdict
    assert judged.rule == ("schema" if verdict == "refused" else "must_write")


def test_secrets_are_refused_or_kept_as_the_policy_says(folder: Path) -> None:
    with open_brain(folder / "a", policies={"retention": {"secrets": "refuse"}}) as brain:
        answer = give(brain, *secret_notes())
        assert {(one.verdict, one.rule) for one in answer.explain.retention} == {("refused", "secret")}
        assert all(TOKEN not in one.key + one.reason for one in answer.explain.retention)
        assert list(answer.items) == []
    with open_brain(folder / "b", policies={"retention": {"secrets": "keep"}}) as brain:
        give(brain, *secret_notes())
        assert TOKEN in stored_texts(brain)


def test_a_secret_in_a_key_is_masked_too(brain: Brain) -> None:
    give(brain, draft("knowledge", {"slug": f"token {TOKEN}", "content": "x"}))
    assert TOKEN not in stored_texts(brain)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"Remember that the deploy token is {TOKEN}.", TOKEN),
        ("Remember that the wifi password is hunter2horse.", "hunter2horse"),
        ("记住服务器密码是Abc12345xyz。", "Abc12345xyz"),
        ("Remember that the root pw on db1 is q9!kLp2z.", "kLp2z"),
        ("Remember that the root pw on db1 is Go?run!Q7.", "run"),
        ("Remember: DB_PASSWORD=pa55w0rd", "pa55w0rd"),
        ("记住 API 密钥是 f9e8d7c6b5a4", "f9e8d7c6b5a4"),
        ("Remember that the wifi password is hunter22!", "hunter22"),
    ],
)
def test_what_is_read_from_a_message_is_masked_by_its_context(brain: Brain, text: str, secret: str) -> None:
    answer = brain.commit_turn(turn("m", "s", messages=[user(text)]))
    assert secret.casefold() not in stored_texts(brain).casefold()
    assert secret not in str(answer)
    assert [one.verdict for one in answer.explain.retention] == ["masked"]


def test_a_secret_beside_the_value_is_masked_too(brain: Brain) -> None:
    note = draft("notes", {"uri": "project://ci", "content": "the pipeline"})
    note.disclosure = f"who signs in with {TOKEN}"
    note.evidence_refs.append("postgres://ci:hunter2horse@db/x")
    answer = give(brain, note)
    assert [one.verdict for one in answer.explain.retention] == ["masked"]
    assert TOKEN not in str(answer)
    assert "hunter2horse" not in str(answer)
    [item] = [one for one in items.scan_items(brain._kv, "m") if one.type == "notes"]
    assert item.disclosure == "who signs in with [secret]"
    assert list(item.evidence_refs) == ["postgres://ci:[secret]@db/x"]


def test_a_secret_in_the_reason_of_a_retraction_is_masked(brain: Brain) -> None:
    give(brain, draft("preferences", {"scope": "tools", "name": "runner", "value": "large"}))
    ended = Retraction(type="preferences", key="pref:tools:runner", reason=f"it held {TOKEN}")
    answer = brain.commit_turn(turn("m", "s", retractions=[ended]))
    assert [one.reason for one in answer.explain.conflicts] == ["it held [secret]"]
    assert TOKEN not in str(answer)


def test_the_event_log_keeps_what_was_said(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", messages=[user(f"Remember that the deploy token is {TOKEN}.")]))
    assert TOKEN not in stored_texts(brain)
    assert any(TOKEN in text for text in found(brain, "m", "deploy token"))
