"""What is left of an item's versions, part by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core.commit.unsay import Purging, unsaid
from brain_core.index.derive import turn_uri
from brain_core.kinds.registry import KINDS

Left = dict[int, dict[str, Any] | None]


def left(kind: str, values: list[dict[str, Any]], said: Mapping[str, str], sources: list[set[str]], gone: str) -> Left:
    """Return what is left of versions with these values: what changes, by number; None for nothing.

    said: words of turns, by id. sources: turns of each version; the first by name wrote it.
    """
    versions = []
    for number, (value, turns) in enumerate(zip(values, sources, strict=True), start=1):
        first = min(turns)
        version = MemoryItem(
            type=kind,
            key=KINDS[kind].key(value),
            version=number,
            status=ITEM_STATUS_ACTIVE,
            source_turn_id=first,
            revision=int(first[1:]),
        )
        version.value.update(value)
        versions.append(version)
    purging = Purging(
        frozenset({gone}),
        lambda version: frozenset(sources[version.version - 1]),
        lambda turn, text: text in said[turn],
        lambda _: "s",
        Timestamp(seconds=1),
    )
    changed = unsaid(versions, KINDS[kind], purging)
    return {number: MessageToDict(one.value) if one is not None else None for number, one in changed.items()}


def note(content: str) -> dict[str, Any]:
    return {**KINDS["notes"].defaults, "uri": "project://x", "content": content}


def task(**fields: str) -> dict[str, Any]:
    return {"project": "default", "task_id": "t", "status": "todo", **fields}


def test_a_version_that_only_a_purged_turn_said_is_nothing() -> None:
    values, sources = [note("tea"), note("coffee")], [{"t1"}, {"t2"}]
    said = {"t1": "tea", "t2": "coffee"}
    assert left("notes", values, said, sources, "t1") == {1: None}
    assert left("notes", values, said, sources, "t2") == {2: None}
    assert left("notes", values, said, sources, "t3") == {}


def test_a_text_that_holds_an_older_one_goes_with_it() -> None:
    values, sources = [note("tea"), note("tea; coffee")], [{"t1"}, {"t2"}]
    assert left("notes", values, {"t1": "tea", "t2": "coffee"}, sources, "t1") == {1: None, 2: None}
    assert left("notes", values, {"t1": "tea", "t2": "tea and coffee"}, sources, "t1") == {1: None}


def test_what_a_denial_still_names_goes_with_who_said_it() -> None:
    fact = {"k": "city", "v": "Ulm"}
    job = {"k": "job", "v": "baker"}
    values = [
        {"subject": "user", "facts": [fact]},
        {"subject": "user", "facts": [fact, job]},
        {"subject": "user", "facts": [job], "denied": [fact]},
    ]
    said = {"t1": "I live in Ulm", "t2": "I am a baker", "t3": "forget where I live"}
    only_job = {"subject": "user", "facts": [job]}
    changed = left("profile", values, said, [{"t1"}, {"t2"}, {"t3"}], "t1")
    assert changed == {1: None, 2: only_job, 3: only_job}


def test_a_field_that_is_carried_on_goes_with_who_brought_it() -> None:
    values = [task(title="茶"), task(title="茶", status="doing"), task(title="茶", status="done")]
    sources = [{"t1"}, {"t2"}, {"t3"}]
    said = {"t1": "茶", "t2": "doing it", "t3": "done"}
    assert left("tasks", values, said, sources, "t1") == {1: None, 2: task(status="doing"), 3: task(status="done")}
    assert left("tasks", values, said, sources, "t2") == {2: None}
    said["t2"] = "doing 茶"
    assert left("tasks", values, said, sources, "t1") == {1: None}, "the second turn says it too"


def test_who_says_a_part_again_does_not_bring_the_others() -> None:
    values, sources = [task(title="tea", due="Monday")], [{"t1", "t2"}]
    said = {"t1": "tea Monday", "t2": "tea"}
    assert left("tasks", values, said, sources, "t1") == {1: task(title="tea")}
    assert left("tasks", values, said, sources, "t2") == {}


def test_numbers_and_lists_go_part_by_part() -> None:
    entity = {"kind": "person", "canonical": "Ann", "mentions": 1}
    values = [
        {**entity, "aliases": ["A"], "attrs": {"age": 41}},
        {**entity, "mentions": 2, "aliases": ["A", "B"], "attrs": {"age": 41, "city": "Ulm"}},
    ]
    said = {"t1": "A, 41", "t2": "B, Ulm"}
    changed = left("entities", values, said, [{"t1"}, {"t2"}], "t1")
    assert changed[1] is None
    assert changed[2] == {**entity, "mentions": 2, "aliases": ["B"], "attrs": {"city": "Ulm"}}


def test_a_long_number_that_another_turn_says_too_stays() -> None:
    entity = {"kind": "person", "canonical": "Ann"}
    values = [{**entity, "attrs": {"badge": 471100815}}, {**entity, "attrs": {"badge": 471100815, "city": "Ulm"}}]
    said = {"t1": "471100815", "t2": "471100815, Ulm"}
    assert left("entities", values, said, [{"t1"}, {"t2"}], "t1") == {1: None}


def test_what_stands_beside_a_value_goes_with_who_said_it() -> None:
    version = MemoryItem(
        type="tasks", key="task:default:t", version=1, status=ITEM_STATUS_ACTIVE, source_turn_id="t1", session_id="s1",
        source_message_id="t1.0", revision=1, disclosure="secretly", evidence_refs=["paper://1", "paper://2"],
    )  # fmt: skip
    version.value.update(task(title="tea"))
    version.source_span.end = 3
    said = {"t1": "tea secretly paper://1", "t2": "tea paper://2", "t3": "tea"}
    purging = Purging(
        frozenset({"t1"}),
        lambda _: frozenset(said),
        lambda turn, text: text in said[turn],
        lambda turn: f"s{turn[1:]}",
        Timestamp(seconds=1),
    )
    stands = unsaid([version], KINDS["tasks"], purging)[1]
    assert stands is not None
    assert MessageToDict(stands.value) == task(title="tea")
    assert (stands.source_turn_id, stands.session_id, stands.source_message_id) == ("t3", "s3", "")
    assert not stands.HasField("source_span"), "it was a place in the message that went"
    assert (stands.disclosure, list(stands.evidence_refs)) == ("", ["paper://2"])
    assert stands.purged_at == Timestamp(seconds=1)


def test_a_fact_is_of_who_is_left_that_said_it() -> None:
    fact = {"k": "city", "v": "Ulm"}
    version = MemoryItem(
        type="profile", key="profile:user", version=1, status=ITEM_STATUS_ACTIVE, source_turn_id="t2", revision=1
    )
    version.value.update({"subject": "user", "facts": [fact]})
    version.fact_origins.add(k="city", source_turn_id="t1", source_message_id="t1.0")
    purging = Purging(
        frozenset({"t1"}),
        lambda _: frozenset({"t1", "t2"}),
        lambda _, text: text == "Ulm",
        lambda _: "s",
        Timestamp(seconds=1),
    )
    stands = unsaid([version], KINDS["profile"], purging)[1]
    assert stands is not None
    assert [(one.k, one.source_turn_id, one.source_message_id) for one in stands.fact_origins] == [("city", "t2", "")]


def test_what_takes_up_the_words_of_a_turn_that_went_goes_whole() -> None:
    version = MemoryItem(
        type="tasks", key="task:default:t", version=1, status=ITEM_STATUS_ACTIVE, memory_id="m", session_id="s",
        source_turn_id="t2", revision=2, evidence_refs=[f"{turn_uri('m', 's', 't1')}#t1.1"],
    )  # fmt: skip
    version.value.update(task(title="tea"))
    for gone, changed in (("t1", {1: None}), ("t3", {})):
        purging = Purging(
            frozenset({gone}), lambda _: frozenset({"t2"}), lambda *_: True, lambda _: "s", Timestamp(seconds=1)
        )
        assert unsaid([version], KINDS["tasks"], purging) == changed
