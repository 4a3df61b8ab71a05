"""The real brain against a brain of plain dicts, through commits, composes, crashes of the index and reopenings."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from smartbrain.render import HEADINGS, render
from smartbrain.v1.brain_service_pb2 import (
    CommitTurnRequest,
    CommitTurnResponse,
    ComposeContextRequest,
    GetContextRequest,
    GetSessionRequest,
    ListMemoriesRequest,
    ListSessionsRequest,
    ListTurnsRequest,
)
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Session, Turn, TurnEvents
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.item_pb2 import ItemStatus
from smartbrain.v1.plan_pb2 import PerModeK, PlanBudget, PlanFilters, PlanQuery, RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core import Brain, load_policy
from brain_core.env import Env, uuid7
from brain_core.errors import AlreadyExists, InvalidArgument, NotFound
from brain_core.models.static import StaticEmbedder
from brain_core.store import items
from brain_core.text.tokens import ApproxCounter
from tests.model import KINDS, Memory, ModelBrain, Refused, item_key

_DAY = "2024-05-01"
_START_US = 1_714_521_600_000_000  # 2024-05-01T00:00:00Z
_MEMORIES = ("notes", "记忆")
_SESSIONS = ("first", "second one", "会话")
_POLICY = load_policy({"store": {"durability": "process"}})
_EMBEDDER = StaticEmbedder()
_count = ApproxCounter().count
_QUERIES = _POLICY.limits.queries_per_plan
_STATUSES = {name: ItemStatus.Value(f"ITEM_STATUS_{name.upper()}") for name in ("active", "superseded", "retracted")}
_WORD = re.compile("qz[a-z]+xk|[\u3500-\u37ff][\u3800-\u3bff]")

_MESSAGES = st.lists(
    st.tuples(
        st.sampled_from(["en", "zh", "mixed"]),
        st.sampled_from(["user", "assistant", "tool", "system"]),
        st.sampled_from(["", "", "", "", "m1", "m2", "t2.0", "t3.0", "t4.1"]),
    ),
    max_size=3,
)
# Few keys, so that they meet.
_KIND = st.sampled_from([*KINDS, "preferences", "preferences", "preferences"])
_SLOT = st.sampled_from([0, 0, 0, 1])
_FLAVOUR = st.sampled_from(["new", "new", "again", "unsure"])
_ITEMS = st.lists(
    st.tuples(_KIND, _SLOT, _FLAVOUR),
    max_size=3,
)
_DENIALS = st.lists(st.tuples(_KIND, _SLOT), max_size=1)


def english(number: int) -> str:
    """Return a word of its own, of letters that no stemmer touches."""
    letters = "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}")
    return f"qz{letters}xk"


def chinese(number: int) -> str:
    """Return a word of its own, of two characters that nothing else is written with."""
    return chr(0x3500 + number // 256) + chr(0x3800 + number % 256)


def words_of(value: object) -> set[str]:
    """Return the words of `english` and `chinese` in anything."""
    return set(_WORD.findall(str(value)))


class BrainMachine(RuleBasedStateMachine):
    """Rules are calls; after each, the brain must hold what the model holds."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = Path(tempfile.mkdtemp(prefix="brain-"))
        self._number = 0
        self._now_us = _START_US
        self._model = ModelBrain(_DAY)
        self._answers: dict[tuple[str, str], CommitTurnResponse] = {}
        self._requests: list[CommitTurnRequest] = []
        self._turn_ids: dict[tuple[str, str], list[tuple[str, list[str]]]] = {}

    @initialize()
    def open(self) -> None:
        self._brain = Brain.open(self._folder, _POLICY, _EMBEDDER, Env(self._tick, lambda: uuid7(self._now_us)))

    def _tick(self) -> int:
        self._now_us += 1_000
        return self._now_us

    def _word(self) -> str:
        self._number += 1
        return english(self._number) if self._number % 2 else chinese(self._number)

    # Writing

    @rule(
        memory_id=st.sampled_from(_MEMORIES),
        session_id=st.sampled_from(_SESSIONS),
        messages=_MESSAGES,
        entries=_ITEMS,
        denials=_DENIALS,
        request_id=st.sampled_from(["", "", "r1", "r2", "请求"]),
        validate_only=st.sampled_from([False, False, False, True]),
    )
    def commit(
        self,
        memory_id: str,
        session_id: str,
        messages: list[tuple[str, str, str]],
        entries: list[tuple[str, int, str]],
        denials: list[tuple[str, int]],
        request_id: str,
        validate_only: bool,
    ) -> None:
        turn: dict[str, Any] = {}
        for language, role, message_id in messages:
            message = {"role": role, "content": self._content(language)}
            turn.setdefault("messages", []).append({**message, **({"message_id": message_id} if message_id else {})})
        for kind, slot, flavour in entries:
            turn.setdefault(kind, []).append(self._entry(memory_id, kind, slot, flavour))
        for kind, slot in denials:
            turn.setdefault("retractions", []).append({"type": kind, "key": self._key(kind, slot)})
        if turn:
            self._commit(memory_id, session_id, turn, request_id, validate_only)
        else:
            with pytest.raises(InvalidArgument):
                self._brain.commit_turn(CommitTurnRequest(memory_id=memory_id, session_id=session_id))

    @rule(memory_id=st.sampled_from(_MEMORIES), kind=_KIND, denied=st.booleans(), flavour=_FLAVOUR, then=_FLAVOUR)
    def correct(self, memory_id: str, kind: str, denied: bool, flavour: str, then: str) -> None:
        """Change what is known of one thing, perhaps twice in one turn."""
        turn: dict[str, Any] = {kind: [self._entry(memory_id, kind, 0, flavour)]}
        if then != flavour:
            turn[kind].append(self._entry(memory_id, kind, 0, then))
        if denied:
            turn["retractions"] = [{"type": kind, "key": self._key(kind, 0)}]
        self._commit(memory_id, _SESSIONS[0], turn, "", validate_only=False)

    def _commit(
        self, memory_id: str, session_id: str, turn: dict[str, Any], request_id: str, validate_only: bool
    ) -> None:
        request = CommitTurnRequest(
            memory_id=memory_id,
            session_id=session_id,
            request_id=request_id,
            turn=json_format.ParseDict(turn, TurnEvents()),
            validate_only=validate_only,
        )
        try:
            expected = self._model.commit(memory_id, session_id, turn, request_id, validate_only=validate_only)
        except Refused:
            with pytest.raises(AlreadyExists):
                self._brain.commit_turn(request)
            return
        answer = self._brain.commit_turn(request)
        self._compare(request, answer, expected)
        if not validate_only:
            self._requests += [request] * bool(request_id)
            self._check_found(memory_id, words_of(turn.get("messages", "")))

    def _compare(self, request: CommitTurnRequest, answer: CommitTurnResponse, expected: dict[str, Any]) -> None:
        assert answer.revision == expected["revision"]
        assert [(one.type, one.key, one.status, one.version) for one in answer.items] == [
            (kind, key, _STATUSES[status], version) for kind, key, status, version in expected["items"]
        ]
        assert [
            (one.type, one.key, one.policy, one.decision, one.old_version, one.new_version)
            for one in answer.explain.conflicts
            if (one.policy, one.decision) != ("validity", "reported")  # the clock was set back: no decision of its own
        ] == expected["conflicts"]
        if expected["repeat"]:
            assert answer == self._answers[request.memory_id, request.request_id]
        elif request.validate_only:
            assert (answer.turn_id, answer.commit_id) == ("", "")
        else:
            self._answers[request.memory_id, request.request_id] = answer
            given = [message.message_id for message in request.turn.messages]
            assert [made for made, kept in zip(answer.message_ids, given, strict=True) if kept] == [
                *filter(None, given)
            ]
            turns = self._turn_ids.setdefault((request.memory_id, request.session_id), [])
            turns.append((answer.turn_id, list(answer.message_ids)))
            self._model.take(request.memory_id, request.session_id, list(answer.message_ids))

    def _content(self, language: str) -> str:
        word = self._word()
        if language == "en":
            return f"Who was it that spoke of {word} at the river?"
        return f"为什么会提到{word}这件事？" if language == "zh" else f"{word} 的 RocksDB 方案 meeting 会讨论吗？"

    def _named(self, kind: str, slot: int) -> dict[str, Any]:
        name = ("tea or coffee", "编辑器")[slot]
        shapes: dict[str, dict[str, Any]] = {
            "tasks": {"task_id": name},
            "decisions": {"topic": name, "decision": "-"},
            "goals": {"name": name, "project": "apollo"},
            "events": {"title": ("launch day", "发布")[slot], "date": "2024-04-30"},
            "preferences": {"name": name, "scope": ("other", "coding")[slot]},
            "entities": {"canonical": name, "kind": "person", "remember": True},
        }
        return shapes[kind]

    def _key(self, kind: str, slot: int) -> str:
        return item_key(kind, self._model.facts(kind, self._named(kind, slot)))

    def _entry(self, memory_id: str, kind: str, slot: int, flavour: str) -> dict[str, Any]:
        entry = self._named(kind, slot)
        versions = self._model.memories.get(memory_id, {}).get("items", {}).get((kind, self._key(kind, slot)))
        field = {"tasks": "title", "decisions": "decision", "goals": "description", "events": "impact"}
        field |= {"preferences": "value", "entities": "attrs"}
        value: Any = {f"about {slot}": self._word()} if kind == "entities" else f"it is {self._word()} now"
        if flavour == "again" and versions:
            value = versions[-1]["value"][field[kind]]
        entry[field[kind]] = value
        if kind == "preferences" and flavour != "unsure":
            entry["confirmed"] = True
        if kind == "decisions" and flavour == "unsure":
            entry["made_at"] = "2024-04-20"
        if kind == "entities" and flavour == "new":
            entry["aliases"] = [f"also {self._word()}"]
        return entry

    @rule(hour=st.integers(0, 22))
    def set_clock(self, hour: int) -> None:
        """Set the clock, ahead or back within the day: what comes without a time is told by the order of commits."""
        self._now_us = _START_US + hour * 3_600_000_000

    @precondition(lambda self: self._requests)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        request = data.draw(st.sampled_from(self._requests))
        assert self._brain.commit_turn(request) == self._answers[request.memory_id, request.request_id]

    # Reading

    @rule(
        memory_id=st.sampled_from(_MEMORIES),
        session_id=st.sampled_from(_SESSIONS),
        limit=st.sampled_from([0, 8, 30, 60, 120, 400, 2000]),
        data=st.data(),
    )
    def compose(self, memory_id: str, session_id: str, limit: int, data: st.DataObject) -> None:
        about = english(data.draw(st.integers(1, max(self._number, 1))))
        message = f"What did we say of {about}, 还有编辑器？"
        request = ComposeContextRequest(
            memory_id=memory_id, session_id=session_id, user_message=message, token_limit=limit
        )
        needed = _count(f"\n{HEADINGS['user_message']}\n{message}")
        if 0 < limit < needed:
            with pytest.raises(InvalidArgument, match=str(needed)):
                self._brain.compose_context(request)
            return
        if memory_id not in self._model.memories:
            empty = self._brain.compose_context(request)
            assert (empty.revision, len(empty.context.evidence), len(empty.context.recent_turns)) == (0, 0, 0)
            return
        answer = self._brain.compose_context(request)
        package = answer.context
        allowed = limit or _POLICY.policies.composition.token_limit
        assert package.constraints.token_budget.limit == allowed
        assert package.constraints.token_budget.used <= allowed
        assert _count(render(package)) <= allowed
        assert answer.revision == self._model.memories[memory_id]["revision"]
        assert not words_of(remembered(package)) & self._dead(memory_id)
        assert words_of(remembered(package)) <= self._all_words(memory_id)
        stored = self._brain.get_context(GetContextRequest(memory_id=memory_id, context_id=package.context_id))
        assert (stored.context, stored.request, stored.revision) == (package, request, answer.revision)

    @rule(memory_id=st.sampled_from(_MEMORIES), mode=st.sampled_from(["exact", "semantic", "hybrid"]), data=st.data())
    def retrieve(self, memory_id: str, mode: str, data: st.DataObject) -> None:
        number = data.draw(st.integers(1, max(self._number, 1)))
        text = f"{english(number)} {chinese(number)} tea or coffee 编辑器 river"
        plan = RetrievalPlan(queries=[PlanQuery(text=text, mode=mode)], budget=PlanBudget(top_k=7))
        if memory_id not in self._model.memories:
            with pytest.raises(NotFound):
                self._brain.retrieve(RetrieveRequest(memory_id=memory_id, plan=plan))
            return
        answer = self._brain.retrieve(RetrieveRequest(memory_id=memory_id, plan=plan))
        assert answer.revision == self._model.memories[memory_id]["revision"]
        assert len(answer.pack.evidences) <= 7
        assert len({evidence.id for evidence in answer.pack.evidences}) == len(answer.pack.evidences)
        found = words_of(snippets(answer.pack))
        assert not found & self._dead(memory_id)
        assert found <= self._all_words(memory_id)

    @rule(memory_id=st.sampled_from(_MEMORIES), size=st.integers(1, 3))
    def page(self, memory_id: str, size: int) -> None:
        if memory_id not in self._model.memories:
            with pytest.raises(NotFound):
                self._brain.list_sessions(ListSessionsRequest(memory_id=memory_id))
            return
        sessions = self._model.memories[memory_id]["sessions"]
        assert [one.session_id for one in self._sessions(memory_id, size)] == sorted(sessions, key=str.encode)
        for session_id in _SESSIONS:
            if session_id not in sessions:
                with pytest.raises(NotFound):
                    self._brain.list_turns(ListTurnsRequest(memory_id=memory_id, session_id=session_id))
                with pytest.raises(NotFound):
                    self._brain.get_session(GetSessionRequest(memory_id=memory_id, session_id=session_id))
            else:
                assert len(self._turns(memory_id, session_id, size)) == len(sessions[session_id])

    # Breaking and mending

    @rule(how=st.sampled_from(["verify", "rebuild", "reopen", "reopen without index"]))
    def maintain(self, how: str) -> None:
        if how == "verify":
            self._check_sound()
            return
        if how == "rebuild":
            rebuilt = {one.memory_id: one.revision for one in self._brain.rebuild_index()}
            assert rebuilt == {name: memory["revision"] for name, memory in self._model.memories.items()}
        else:
            self._brain.close()
            if how == "reopen without index":
                shutil.rmtree(self._folder / "index", ignore_errors=True)
            self.open()
        self._check_all_found()

    # What always holds

    @invariant()
    def turns_are_the_models(self) -> None:
        for memory_id, memory in self._model.memories.items():
            listed = self._sessions(memory_id, 1000)
            assert {one.session_id for one in listed} == set(memory["sessions"])
            for session in listed:
                turns = self._turns(memory_id, session.session_id, 1000)
                sent = memory["sessions"][session.session_id]
                assert [as_sent(turn.events, one) for turn, one in zip(turns, sent, strict=True)] == sent
                assert [
                    (turn.turn_id, [message.message_id for message in turn.events.messages]) for turn in turns
                ] == self._turn_ids[memory_id, session.session_id]
                assert [turn.sequence for turn in turns] == list(range(session.turn_count))
                ids = [message.message_id for turn in turns for message in turn.events.messages]
                assert len(set(ids)) == len(ids) == session.message_count

    @invariant()
    def items_are_the_models(self) -> None:
        for memory_id, memory in self._model.memories.items():
            view = self._brain._kv.snapshot()
            newest = {(item.type, item.key): item for item in items.scan_items(view, memory_id)}
            assert newest.keys() == memory["items"].keys()
            for (kind, key), versions in memory["items"].items():
                item = newest[kind, key]
                assert (item.version, item.confidence) == (len(versions), versions[-1]["confidence"])
                for number, version in enumerate(versions, start=1):
                    stored = items.read_version(view, memory_id, kind, key, number)
                    assert stored is not None, f"{kind} {key}: version {number} is not kept"
                    assert stored.status == _STATUSES[version["status"]]
                    assert json_format.MessageToDict(stored.value) == version["value"]

    @invariant()
    def ended_values_are_gone_and_current_ones_are_found(self) -> None:
        for memory_id, memory in self._model.memories.items():
            dead = sorted(self._dead(memory_id))[:_QUERIES]
            if dead:
                assert not words_of(snippets(self._search(memory_id, dead))) & set(dead)
            for status in ("active", "superseded", "retracted"):
                wanted = {
                    word
                    for versions in memory["items"].values()
                    for version in versions
                    if version["status"] == status and version.get("stood")
                    for word in words_of(version["value"])
                }
                some = sorted(wanted)[-_QUERIES:]
                filters = PlanFilters(statuses=[_STATUSES[status]])
                assert set(some) <= words_of(snippets(self._search(memory_id, some, filters)))

    @invariant()
    def confirmed_values_are_found_as_such(self) -> None:
        for memory_id, memory in self._model.memories.items():
            active = [versions[-1] for versions in memory["items"].values() if versions[-1]["status"] == "active"]
            sure = sorted({word for one in active if one["confidence"] > 0.7 for word in words_of(one["value"])})
            filters = PlanFilters(min_confidence=0.7)
            assert set(sure[:_QUERIES]) <= words_of(snippets(self._search(memory_id, sure[:_QUERIES], filters)))

    @invariant()
    def the_memories_are_listed(self) -> None:
        """With what the model has of each, whatever was called before."""
        listed = self._brain.list_memories(ListMemoriesRequest()).memories
        assert [one.memory_id for one in listed] == sorted(self._model.memories, key=str.encode)
        for one in listed:
            memory = self._model.memories[one.memory_id]
            said = [turn.get("messages", ()) for turns in memory["sessions"].values() for turn in turns]
            statuses = Counter(_STATUSES[versions[-1]["status"]] for versions in memory["items"].values())
            assert (one.revision, one.sessions, one.messages) == (
                memory["revision"],
                len(memory["sessions"]),
                sum(map(len, said)),
            )
            assert {each.status: each.count for each in one.items} == statuses

    def teardown(self) -> None:
        self._check_all_found()
        self._check_sound()
        self._brain.close()
        shutil.rmtree(self._folder)

    # Helpers

    def _dead(self, memory_id: str) -> set[str]:
        """Return the words of values that no longer hold."""
        items_ = self._model.memories[memory_id]["items"].values()
        ever = {word for versions in items_ for version in versions for word in words_of(version["value"])}
        holds = {
            w for versions in items_ if versions[-1]["status"] == "active" for w in words_of(versions[-1]["value"])
        }
        return ever - holds

    def _all_words(self, memory_id: str) -> set[str]:
        memory: Memory = self._model.memories[memory_id]
        return words_of(memory["sessions"])

    def _check_sound(self) -> None:
        answers = {one.memory_id: one for one in self._brain.verify()}
        assert answers.keys() == self._model.memories.keys()
        for memory_id, answer in answers.items():
            memory = self._model.memories[memory_id]
            assert list(answer.problems) == []
            assert answer.revision == memory["revision"]
            assert answer.turns == sum(map(len, memory["sessions"].values()))

    def _check_all_found(self) -> None:
        for memory_id, memory in self._model.memories.items():
            said = [turn.get("messages", "") for turns in memory["sessions"].values() for turn in turns]
            self._check_found(memory_id, words_of(said))

    def _check_found(self, memory_id: str, words: set[str]) -> None:
        """Each word is found in its memory, and in no other."""
        listed = sorted(words)
        for start in range(0, len(listed), _QUERIES):
            some = listed[start : start + _QUERIES]
            for each in self._model.memories:
                found = words_of(snippets(self._search(each, some)))
                assert found & set(some) == (set(some) if each == memory_id else set())

    def _search(self, memory_id: str, words: list[str], filters: PlanFilters | None = None) -> EvidencePack:
        if not words:
            return EvidencePack()
        plan = RetrievalPlan(
            queries=[PlanQuery(text=word, mode="exact") for word in words],
            global_filters=filters,
            budget=PlanBudget(top_k=1000, per_mode_k=PerModeK(exact=20)),
        )
        return self._brain.retrieve(RetrieveRequest(memory_id=memory_id, plan=plan)).pack

    def _sessions(self, memory_id: str, size: int) -> list[Session]:
        request = ListSessionsRequest(memory_id=memory_id, page_size=size)
        found: list[Session] = []
        while True:
            page = self._brain.list_sessions(request)
            assert page.revision == self._model.memories[memory_id]["revision"]
            found += page.sessions
            if not page.next_page_token:
                return found
            assert len(page.sessions) == size
            request.page_token = page.next_page_token

    def _turns(self, memory_id: str, session_id: str, size: int) -> list[Turn]:
        request = ListTurnsRequest(memory_id=memory_id, session_id=session_id, page_size=size)
        found: list[Turn] = []
        while True:
            page = self._brain.list_turns(request)
            found += page.turns
            if not page.next_page_token:
                return found
            assert len(page.turns) == size
            request.page_token = page.next_page_token


def as_sent(events: TurnEvents, sent: dict[str, Any]) -> dict[str, Any]:
    """Return stored events without the ids, names and times that the brain filled in where none were sent."""
    turn: dict[str, Any] = json_format.MessageToDict(events, preserving_proto_field_name=True)
    for message, original in zip(turn.get("messages", ()), sent.get("messages", ()), strict=True):
        assert message.pop("created_at").startswith(_DAY)
        assert message.pop("speaker") == message["role"]
        if "message_id" not in original:
            assert message.pop("message_id")
    return turn


def snippets(pack: EvidencePack) -> list[str]:
    """Return the texts of a pack."""
    return [evidence.snippet for evidence in pack.evidences]


def remembered(package: ContextPackage) -> list[str]:
    """Return the texts of a package that come from memory."""
    return [
        *(block.text for block in package.system_blocks),
        *(line for section in package.working_summary.sections for line in section.lines),
        *(turn.content for turn in package.recent_turns),
        *(evidence.snippet for evidence in package.evidence),
    ]


BrainMachine.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking takes minutes; add it to look at a failure
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
TestBrainAgainstModel = BrainMachine.TestCase


def test_a_denial_and_a_new_value_in_one_turn_are_two_versions() -> None:
    with by_hand() as machine:
        machine.correct("notes", "preferences", denied=False, flavour="new", then="new")
        machine.correct("notes", "preferences", denied=True, flavour="new", then="new")


def test_a_made_message_id_gives_way_to_one_that_is_given_later_in_the_turn() -> None:
    with by_hand() as machine:
        messages = [("en", "user", ""), ("zh", "user", "t1.0")]
        machine.commit("notes", "first", messages, [], [], request_id="", validate_only=False)


def test_what_is_confirmed_is_found_as_such() -> None:
    with by_hand() as machine:
        machine.correct("notes", "preferences", denied=False, flavour="unsure", then="unsure")
        machine.correct("notes", "preferences", denied=False, flavour="again", then="again")


@contextmanager
def by_hand() -> Iterator[BrainMachine]:
    """Give a machine whose rules the test calls, and check what always holds at the end."""
    machine = BrainMachine()
    machine.open()
    yield machine
    machine.turns_are_the_models()
    machine.items_are_the_models()
    machine.ended_values_are_gone_and_current_ones_are_found()
    machine.confirmed_values_are_found_as_such()
    machine.teardown()
