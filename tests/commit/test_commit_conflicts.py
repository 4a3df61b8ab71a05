"""Conflict policies as a table of before and after; retraction, near-duplicates, validity and dependency."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import RetentionVerdict
from smartbrain.v1.event_pb2 import Entity, ItemDraft, Message, Retraction, Turn
from smartbrain.v1.item_pb2 import (
    ITEM_SOURCE_MERGED,
    ITEM_SOURCE_USER,
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_DEPRECATED,
    ITEM_STATUS_RETRACTED,
    ITEM_STATUS_SUPERSEDED,
    ItemLink,
)

from brain_core import Brain, load_policy
from brain_core.commit.held import HeldItems
from brain_core.commit.known import StoreAndLedger
from brain_core.commit.ledger import Ledger, Origin
from brain_core.commit.resolve import Resolving, resolve
from brain_core.errors import InvalidArgument
from brain_core.kinds.draft import Draft
from brain_core.kinds.registry import KINDS
from brain_core.store import items
from tests.building import compose, found, pref, second, turn
from tests.commit.drafting import decisions, draft, give, item_at, value_at, verdict_on

TONE = {"scope": "writing", "name": "tone"}
PORT = {"slug": "port"}
GUESS = {"source": "INFERENCE"}

# (type, value before, how it is given, value after, how that is given, policy, decision, confidence in the end)
TABLE: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any], str, str, float]] = [
    ("preferences", {**TONE, "value": "short"}, {}, {**TONE, "value": "long"}, {}, "overwrite", "superseded", 0.8),
    ("preferences", {**TONE, "value": "short"}, {}, {**TONE, "value": " Short. "}, {}, "overwrite", "refreshed", 0.8),
    ("preferences", {**TONE, "value": "简短的回答"}, {}, {**TONE, "value": "简短回答。"}, {},
     "overwrite", "refreshed", 0.8),
    ("preferences", {**TONE, "value": "C"}, {}, {**TONE, "value": "C++"}, {}, "overwrite", "superseded", 0.8),
    ("preferences", {**TONE, "value": "tabs"}, {}, {**TONE, "value": "not tabs"}, {}, "overwrite", "superseded", 0.8),
    ("preferences", {**TONE, "value": "short"}, GUESS, {**TONE, "value": "long"}, {}, "overwrite", "superseded", 0.8),
    ("preferences", {**TONE, "value": "short"}, {}, {**TONE, "value": "long"}, GUESS, "overwrite", "kept", 0.8),
    ("preferences", {**TONE, "value": "short"}, GUESS, {**TONE, "value": "short"}, {}, "overwrite", "refreshed", 0.8),
    ("goals", {"name": "ship"}, {}, {"name": "ship", "status": "reached"}, {}, "overwrite", "superseded", 0.8),
    ("tasks", {"task_id": "1"}, {}, {"task_id": "1", "status": "done"}, {}, "overwrite", "superseded", 0.8),
    ("decisions", {"topic": "db", "decision": "MySQL"}, {}, {"topic": "db", "decision": "RocksDB"}, {},
     "versioned", "versioned", 0.8),
    ("decisions", {"topic": "db", "decision": "MySQL", "made_at": "2024-01-01"}, {},
     {"topic": "db", "decision": "MySQL", "made_at": "2024-01-09"}, {}, "versioned", "refreshed", 0.8),
    ("profile", {"facts": [{"k": "home", "v": "Rome"}]}, {}, {"facts": [{"k": "home", "v": "Paris"}]}, {},
     "versioned", "versioned", 0.8),
    ("knowledge", {**PORT, "content": "It is 1"}, {}, {**PORT, "content": "It is 2"}, {},
     "knowledge", "superseded", 0.9),
    ("knowledge", {**PORT, "content": "It is 1"}, {"confidence": 1.0}, {**PORT, "content": "It is 2"}, {},
     "knowledge", "superseded", 1.0),
    ("knowledge", {**PORT, "content": "It is 1"}, GUESS, {**PORT, "content": "It is 2"}, GUESS,
     "knowledge", "superseded", 0.6),
    ("knowledge", {**PORT, "content": "It is 1"}, {}, {**PORT, "content": "It is 2"}, {"source": "TOOL"},
     "knowledge", "kept", 0.8),
    ("knowledge", {**PORT, "content": "It is 1"}, {"source": "TOOL"}, {**PORT, "content": "It is 2"}, {},
     "knowledge", "superseded", 1.0),
    ("skills", {"name": "Docker", "practice": [{"note": "a"}]}, {}, {"name": "Docker", "practice": [{"note": "b"}]}, {},
     "accumulate", "merged", 0.8),
    ("identity", {"name": "Bo", "role": "helper"}, {}, {"name": "Bo", "role": "tutor"}, {},
     "overwrite", "superseded", 0.8),
    ("notes", {"uri": "project://a", "content": "x"}, {}, {"uri": "project://a/", "content": "y"}, {},
     "overwrite", "superseded", 0.8),
    ("working", {"name": "n", "value": 1}, {}, {"name": "n", "value": 2}, {}, "overwrite", "superseded", 0.8),
    ("patches", {"slug": "p", "description": "d", "event_date": "2024-01-02"}, {},
     {"slug": "p", "description": "other", "event_date": "2024-01-02"}, {}, "versioned", "versioned", 0.8),
]  # fmt: skip


@pytest.mark.parametrize(("item_type", "before", "how", "after", "then", "policy", "decision", "confidence"), TABLE)
def test_a_second_value_under_a_key(
    brain: Brain,
    item_type: str,
    before: dict[str, Any],
    how: dict[str, Any],
    after: dict[str, Any],
    then: dict[str, Any],
    policy: str,
    decision: str,
    confidence: float,
) -> None:
    [first] = give(brain, draft(item_type, before, **how)).items
    answer = give(brain, draft(item_type, after, **then))
    assert decisions(answer) == [(policy, decision)]
    item = item_at(brain, item_type, first.key)
    assert item.status == ITEM_STATUS_ACTIVE
    assert item.confidence == pytest.approx(confidence)
    assert item.version == (1 if decision in {"refreshed", "kept"} else 2)
    assert verdict_on(answer, "items[0]").verdict == ("event_only" if decision == "kept" else "written")
    if item.version == 2:
        old = items.read_version(brain._kv, "m", item_type, first.key, 1)
        assert old is not None
        assert old.status == ITEM_STATUS_SUPERSEDED


def test_every_item_says_where_it_comes_from(brain: Brain) -> None:
    given = draft(
        "knowledge",
        {**PORT, "content": "It is 5433"},
        priority=1,
        disclosure="When connecting",
        evidence_refs=["doc:1"],
    )
    answer = give(brain, given, at=-60)
    item = item_at(brain, "knowledge", "knowledge:fact:port")
    assert (item.source_turn_id, item.source_message_id) == (answer.turn_id, answer.message_ids[0])
    assert (item.revision, item.session_id, item.priority, item.disclosure) == (1, "s", 1, "When connecting")
    assert list(item.evidence_refs) == ["doc:1"]
    assert item.said_at == second(-60)
    assert not item.HasField("expires_at")


# Knowledge


def test_knowledge_of_one_time_is_merged(brain: Brain) -> None:
    one = draft("knowledge", {**PORT, "content": "Staging is on 5433"}, source="TOOL")
    other = draft("knowledge", {**PORT, "content": "production is on 5432"}, source="INFERENCE")
    answer = give(brain, one, other)
    assert decisions(answer) == [("knowledge", "merged")]
    item = item_at(brain, "knowledge", "knowledge:fact:port")
    assert value_at(brain, "knowledge", item.key)["content"] == "Staging is on 5433; production is on 5432"
    assert item.source == ITEM_SOURCE_MERGED
    assert item.confidence == pytest.approx(0.75)


def test_what_was_said_before_does_not_replace_what_was_said_later(brain: Brain) -> None:
    give(brain, draft("preferences", {**TONE, "value": "short"}), at=0)
    answer = give(brain, draft("preferences", {**TONE, "value": "long"}), at=-3600)
    assert decisions(answer) == [("validity", "kept")]
    assert value_at(brain, "preferences", "pref:writing:tone")["value"] == "short"
    assert decisions(give(brain, draft("preferences", {**TONE, "value": "long"}), at=60)) == [
        ("overwrite", "superseded")
    ]


# Retraction


def test_what_was_denied_comes_back_by_the_user_alone(brain: Brain) -> None:
    home = {"slug": "home", "content": "The user lives in Rome"}
    give(brain, draft("knowledge", home))
    give(brain, retractions=[Retraction(type="knowledge", key="knowledge:fact:home")])
    for source in ("INFERENCE", "ASSISTANT", "OBSERVATION"):
        answer = give(brain, draft("knowledge", {**home, "content": "the user lives in ROME."}, source=source))
        assert verdict_on(answer, "items[0]").verdict == "event_only", source
        assert item_at(brain, "knowledge", "knowledge:fact:home").status == ITEM_STATUS_RETRACTED
    give(brain, draft("knowledge", home))
    assert item_at(brain, "knowledge", "knowledge:fact:home").status == ITEM_STATUS_ACTIVE


def test_facts_of_a_profile_end_one_by_one(brain: Brain) -> None:
    give(brain, draft("profile", {"facts": [{"k": "employer", "v": "Acme"}, {"k": "home", "v": "Rome"}]}))
    give(brain, draft("profile", {"facts": [{"k": "home", "v": "Paris"}]}))
    assert value_at(brain, "profile", "profile:user")["facts"] == [
        {"k": "employer", "v": "Acme"},
        {"k": "home", "v": "Paris"},
    ]
    past = draft("profile", {"facts": [{"k": "employer", "v": "Beta", "until": "2019"}]})
    assert decisions(give(brain, past)) == [("validity", "kept")]
    assert value_at(brain, "profile", "profile:user")["facts"][0]["v"] == "Acme"


# Near-duplicates


def test_the_same_under_another_key_is_reported(brain: Brain) -> None:
    words = "The staging database needs a new certificate every month"
    give(brain, draft("knowledge", {"slug": "one", "content": words}))
    answer = give(brain, draft("knowledge", {"slug": "two", "content": f"{words}!"}))
    [conflict] = answer.explain.conflicts
    assert (conflict.policy, conflict.decision) == ("near_duplicate", "reported")
    assert (conflict.other_type, conflict.other_key) == ("knowledge", "knowledge:fact:one")
    assert {one.key for one in answer.items} == {"knowledge:fact:two"}
    assert item_at(brain, "knowledge", "knowledge:fact:one").status == ITEM_STATUS_ACTIVE
    other = give(brain, draft("knowledge", {"slug": "three", "content": "The VPN is slow on Mondays"}))
    assert decisions(other) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The staging database is on port 5433", "The staging database is on port 5434"),
        ("We deploy on Fridays", "We never deploy on Fridays"),
        ("测试环境的端口是5433", "测试环境的端口是5434"),
        ("周五可以部署", "周五不可以部署"),
    ],
)
def test_the_opposite_under_another_key_is_linked(brain: Brain, one: str, other: str) -> None:
    give(brain, draft("knowledge", {"slug": "one", "content": one}))
    answer = give(brain, draft("knowledge", {"slug": "two", "content": other}))
    assert decisions(answer) == [("near_duplicate", "reported")]
    first = item_at(brain, "knowledge", "knowledge:fact:one")
    [link] = item_at(brain, "knowledge", "knowledge:fact:two").links
    assert (link.relation, link.item_id) == ("contradicts", first.id)


def test_entities_merge_where_one_name_is_the_others(brain: Brain) -> None:
    ann = Entity(kind="person", canonical="Ann Lee", aliases=["Annie"], remember=True)
    brain.commit_turn(turn("m", "s", entities=[ann]))
    annie = Entity(kind="person", canonical="Annie", attrs={"city": "Rome"}, remember=True)
    answer = brain.commit_turn(turn("m", "s", entities=[annie]))
    assert decisions(answer) == [("near_duplicate", "merged"), ("accumulate", "merged")]
    assert [one.key for one in answer.items] == ["entity:person:Ann_Lee"]
    assert value_at(brain, "entities", "entity:person:Ann_Lee")["attrs"] == {"city": "Rome"}
    other_way = Entity(kind="person", canonical="A. Lee", aliases=["Ann Lee"], remember=True)
    assert [one.key for one in brain.commit_turn(turn("m", "s", entities=[other_way])).items] == [
        "entity:person:Ann_Lee"
    ]
    assert set(value_at(brain, "entities", "entity:person:Ann_Lee")["aliases"]) == {"Annie", "A. Lee"}
    company = Entity(kind="org", canonical="Annie", remember=True)
    assert [one.key for one in brain.commit_turn(turn("m", "s", entities=[company])).items] == ["entity:org:Annie"]


def test_an_entity_without_other_names_gets_none_from_being_compared(brain: Brain) -> None:
    ann, bob = (Entity(kind="person", canonical=name, remember=True) for name in ("Ann", "Bob"))
    brain.commit_turn(turn("m", "s", entities=[ann, bob]))
    assert value_at(brain, "entities", "entity:person:Ann") == {"kind": "person", "canonical": "Ann", "mentions": 1}


def test_mentions_are_counted_without_a_new_version(brain: Brain) -> None:
    ann = Entity(kind="person", canonical="Ann", remember=True)
    for _ in range(3):
        brain.commit_turn(turn("m", "s", entities=[ann]))
    assert item_at(brain, "entities", "entity:person:Ann").version == 1
    assert value_at(brain, "entities", "entity:person:Ann")["mentions"] == 3


# Validity


def on(day: float) -> Timestamp:
    return second(day * 86_400)


def test_what_is_over_does_not_replace_what_holds(brain: Brain) -> None:
    give(brain, draft("preferences", {**TONE, "value": "short"}))
    answer = give(brain, draft("preferences", {**TONE, "value": "long"}, valid_to=on(-30)))
    assert decisions(answer) == [("validity", "kept")]
    assert verdict_on(answer, "items[0]").verdict == "event_only"


def test_what_holds_replaces_what_is_over(brain: Brain) -> None:
    give(brain, draft("preferences", {**TONE, "value": "long"}, valid_to=on(-30)))
    assert "Valid until: 2023-10-15" in item_at(brain, "preferences", "pref:writing:tone").text
    assert decisions(give(brain, draft("preferences", {**TONE, "value": "short"}))) == [("overwrite", "superseded")]
    item = item_at(brain, "preferences", "pref:writing:tone")
    assert not item.HasField("valid_to")
    assert "Valid" not in item.text


def test_a_new_value_ends_the_old_one_when_it_begins(brain: Brain) -> None:
    give(brain, draft("preferences", {**TONE, "value": "long"}, valid_to=on(90)))
    answer = give(brain, draft("preferences", {**TONE, "value": "short"}, valid_from=on(30)))
    assert decisions(answer) == [("overwrite", "superseded"), ("validity", "reported")]
    assert "2024-02-12" in answer.explain.conflicts[1].reason
    give(brain, draft("preferences", {**TONE, "value": "plain"}, valid_from=on(40)))
    ended = items.read_version(brain._kv, "m", "preferences", "pref:writing:tone", 2)
    assert ended is not None
    assert ended.valid_to == on(40)


def test_working_memory_expires(brain: Brain) -> None:
    give(brain, draft("working", {"name": "step", "value": "3 of 7"}))
    first = item_at(brain, "working", "working:default:step")
    assert first.expires_at.seconds - first.updated_at.seconds == 86_400
    give(brain, draft("working", {"name": "step", "value": "3 of 7"}))
    assert item_at(brain, "working", "working:default:step").expires_at.seconds > first.expires_at.seconds
    give(brain, draft("working", {"name": "step", "value": "4 of 7"}, expires_at=on(9)))
    assert item_at(brain, "working", "working:default:step").expires_at == on(9)


def test_what_has_expired_is_not_given_as_current(brain: Brain) -> None:
    give(brain, draft("working", {"name": "zebra step", "value": "3 of 7"}, expires_at=on(2)))
    give(brain, draft("preferences", {"name": "zebra", "value": "stripes"}, valid_to=on(3)))

    def given(day: float) -> str:
        package = compose(brain, "m", "new", "What of the zebra?", now=on(day))
        return str([*package.system_blocks, *package.evidence])

    assert "3 of 7" in given(1)
    assert "stripes" in given(1)
    assert "3 of 7" not in given(2)
    assert "stripes" in given(2)
    assert "stripes" not in given(3)
    give(brain, draft("working", {"name": "zebra step", "value": "3 of 7"}, expires_at=on(5)))
    assert "3 of 7" in given(4), "said again, it holds longer"
    dropped = compose(brain, "m", "new", "What of the zebra?", now=on(3)).debug.dropped
    assert any("held until 2023-11-17" in one.detail for one in dropped)


def test_what_is_deprecated_is_ended_by_a_new_value_and_revived_by_the_same(brain: Brain) -> None:
    give(brain, draft("preferences", {**TONE, "value": "short"}))
    before = item_at(brain, "preferences", "pref:writing:tone")
    before.status = ITEM_STATUS_DEPRECATED
    ledger = Ledger(written={("preferences", before.key): before})
    at = Resolving(
        ledger,
        StoreAndLedger(brain._kv, "m", ledger, HeldItems("m")),
        Origin("m", Turn(turn_id="t2", revision=2, committed_at=on(1)), lambda: "new"),
        load_policy().policies.retention,
    )
    resolve(at, told("short"), RetentionVerdict(path="items[0]"))
    assert ledger.written["preferences", before.key].status == ITEM_STATUS_ACTIVE
    ledger.written["preferences", before.key] = before
    resolve(at, told("long"), RetentionVerdict(path="items[0]"))
    assert [one.decision for one in ledger.conflicts] == ["refreshed", "superseded"]
    assert [one.status for one in ledger.ended] == [ITEM_STATUS_SUPERSEDED]


def told(value: str) -> Draft:
    return Draft("items[0]", KINDS["preferences"], {**TONE, "value": value}, 0.8, ITEM_SOURCE_USER, "given")


# Dependency


@pytest.mark.parametrize("how", ["superseded", "retracted"])
@pytest.mark.parametrize("relation", ["depends_on", "derived_from", "about"])
def test_what_rests_on_an_ended_item_is_reported(brain: Brain, how: str, relation: str) -> None:
    give(brain, draft("decisions", {"topic": "db", "decision": "RocksDB"}))
    base = item_at(brain, "decisions", "decision:default:db")
    link = ItemLink(relation=relation, item_id=base.id)
    give(brain, draft("knowledge", {"slug": "backup", "content": "Copy the folder"}, links=[link]))
    if how == "superseded":
        answer = give(brain, draft("decisions", {"topic": "db", "decision": "Postgres"}))
    else:
        answer = give(brain, retractions=[Retraction(type="decisions", key="decision:default:db")])
    reported = [one for one in answer.explain.conflicts if one.policy == "dependency"]
    if relation == "about":
        assert reported == []
        return
    [one] = reported
    assert (one.decision, one.type, one.key) == ("reported", "knowledge", "knowledge:fact:backup")
    assert (one.other_type, one.other_key) == ("decisions", "decision:default:db")
    assert how in one.reason


def test_the_chunks_of_ended_versions_end(brain: Brain) -> None:
    give(brain, draft("knowledge", {**PORT, "content": "zebra one"}))
    give(brain, draft("knowledge", {**PORT, "content": "zebra two"}))
    assert [text.splitlines()[1] for text in found(brain, "m", "zebra")] == ["Fact: zebra two"]
    give(brain, retractions=[Retraction(type="knowledge", key="knowledge:fact:port")])
    assert found(brain, "m", "zebra") == []
    [check] = brain.verify("m")
    assert list(check.problems) == []


def bad(**fields: Any) -> ItemDraft:  # noqa: ANN401
    return draft("preferences", {**TONE, "value": "x"}, **fields)


@pytest.mark.parametrize(
    ("item", "field"),
    [
        (draft("prefs", {}), "turn.items[0].type"),
        (draft("preferences", {**TONE}), "turn.items[0].value.value"),
        (draft("preferences", {**TONE, "value": "x" * 70_000}), "turn.items[0]"),
        (bad(confidence=1.5), "turn.items[0].confidence"),
        (bad(priority=11), "turn.items[0].priority"),
        (bad(valid_from=on(2), valid_to=on(1)), "turn.items[0].valid_to"),
        (bad(links=[ItemLink(relation="likes", item_id="x")]), "turn.items[0].links[0].relation"),
        (bad(links=[ItemLink(relation="about")]), "turn.items[0].links[0].item_id"),
        (bad(evidence_refs=[""]), "turn.items[0].evidence_refs[0]"),
        (bad(expires_at=Timestamp(seconds=1 << 60)), "turn.items[0].expires_at.seconds"),
    ],
)
def test_a_bad_item_is_refused_by_field(brain: Brain, item: ItemDraft, field: str) -> None:
    with pytest.raises(InvalidArgument) as failed:
        give(brain, item)
    assert failed.value.field == field
    assert failed.value.limit
    assert brain.status().memories == 0


def test_validate_only_gives_the_same_verdicts_and_writes_nothing(brain: Brain) -> None:
    give(brain, draft("knowledge", {**PORT, "content": "It is 1"}))
    request = turn("m", "s", items=[draft("knowledge", {**PORT, "content": "It is 2"})], preferences=[pref("a", "b")])
    request.turn.messages.append(Message(role="user", content="hello"))
    request.validate_only = True
    dry = brain.commit_turn(request)
    assert item_at(brain, "knowledge", "knowledge:fact:port").version == 1
    request.validate_only = False
    real = brain.commit_turn(request)
    assert (dry.explain, dry.items) == (real.explain, real.items)
