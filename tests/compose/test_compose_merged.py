"""Evidence of several messages: whole, in the order they were said, and nothing that must not stand there."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import AgentState
from smartbrain.v1.context_pb2 import ContextEvidence, ContextPackage
from smartbrain.v1.event_pb2 import Message, Retraction
from smartbrain.v1.evidence_pb2 import EvidenceRef
from smartbrain.v1.plan_pb2 import PlanFilters, TimeRange

from brain_core import Brain
from brain_core.text.tokens import ApproxCounter
from tests.building import compose, open_brain, plan, pref, second, turn

_LONGEST = 800
_MOST = 12
_SPEAKERS = ("Ann", "assistant", "小明")
_TEXTS = (
    "The zebra sleeps under the acacia.",
    "斑马喜欢吃草。",
    "Otters hold hands, zebra or no zebra.",
    "Yes.",
    "The zebra walked. " * 20,
    "Nothing of the kind was said here. " * 9,
)


@dataclass(frozen=True)
class Said:
    """A message as it was committed."""

    session: str
    position: int
    speaker: str
    text: str
    seconds: int


class Talk:
    """A memory that keeps note of what was said in it. Each message is unlike all others, and a second apart."""

    def __init__(self, brain: Brain, memory: str = "m") -> None:
        self.brain, self.memory = brain, memory
        self.said: dict[tuple[str, str], Said] = {}
        self._sizes: dict[str, int] = {}

    def say(self, session: str, *texts: str) -> None:
        """Commit a turn of messages by speakers in turn."""
        messages: list[Message] = []
        noted: list[Said] = []
        for text in texts:
            number, position = len(self.said) + len(noted), self._sizes.get(session, 0)
            speaker, whole = _SPEAKERS[position % len(_SPEAKERS)], f"{text} ({number})"
            role = "assistant" if speaker == "assistant" else "user"
            messages.append(Message(role=role, speaker=speaker, content=whole, created_at=second(number)))
            noted.append(Said(session, position, speaker, whole, number))
            self._sizes[session] = position + 1
        answer = self.brain.commit_turn(turn(self.memory, session, messages=messages))
        self.said.update({(answer.turn_id, name): one for name, one in zip(answer.message_ids, noted, strict=True)})

    def compose(self, session: str, message: str, **fields: Any) -> ContextPackage:  # noqa: ANN401
        """Compose, and demand what holds of every package."""
        package = compose(self.brain, self.memory, session, message, **fields)
        check(package, self)
        return package

    def of(self, piece: ContextEvidence) -> list[Said]:
        """Return the messages that a piece holds."""
        return [self.said[ref.turn_id, ref.message_id] for ref in refs(piece)]


def refs(piece: ContextEvidence) -> Sequence[EvidenceRef]:
    return list(piece.merged) or [piece.ref]


def check(package: ContextPackage, talk: Talk) -> None:
    """Demand what holds of the evidence of every package."""
    budget = package.constraints.token_budget
    assert ApproxCounter().count(render(package)) <= budget.used <= budget.limit
    shown = {(one.turn_id, one.message_id) for one in package.recent_turns}
    seen: set[tuple[str, str]] = set()
    why = {one.id: one.reason for one in package.debug.why_selected}
    dropped = {one.id for one in package.debug.dropped if "recent_turns" not in one.detail}
    for piece in package.evidence:
        if piece.ref.memory_item_id:
            assert not piece.merged, "an item has no neighbours"
            continue
        names = [(ref.turn_id, ref.message_id) for ref in refs(piece)]
        messages = talk.of(piece)
        assert len(piece.merged) != 1
        assert piece.ref in refs(piece)
        assert piece.id == f"{piece.ref.turn_id}:{piece.ref.message_id}"
        assert not seen & {*names}, "what stands in one piece stands in no other"
        assert not shown & {*names}, "nor in recent_turns"
        seen |= {*names}
        first = messages[0]
        assert {one.session for one in messages} == {first.session}
        positions = [one.position for one in messages]
        assert positions == sorted(set(positions))
        lines = [f"{one.speaker}: {one.text}" for one in messages[1:]]
        gaps = ["…\n" if after > before + 1 else "" for before, after in pairwise(positions)]
        whole = "\n".join([first.text, *map(str.__add__, gaps, lines)])
        if f"of {len(whole)} characters" in why[piece.id]:
            assert piece.snippet.strip("…") in whole, "cut to what room there was"
            assert not piece.merged
        else:
            assert piece.snippet == whole
        assert len(piece.snippet) <= _LONGEST
        assert piece.title.startswith(f"{first.speaker}, ")
        assert piece.source_uri.endswith(f"/{names[0][0]}")
        assert not {f"{turn_id}:{message_id}" for turn_id, message_id in names} & dropped, "what stands was not dropped"
        assert piece.created_at == second(talk.said[piece.ref.turn_id, piece.ref.message_id].seconds)


@pytest.fixture
def talk(brain: Brain) -> Talk:
    """Give a memory in which a zebra comes up now and then in three sessions."""
    made = Talk(brain)
    for number in range(10):
        for session in ("monday", "tuesday", "now"):
            made.say(session, *(_TEXTS[(number + place) % len(_TEXTS)] for place in range(1 + number % 3)))
    return made


_memories = itertools.count()
lines = st.lists(
    st.tuples(st.sampled_from(["s1", "s2"]), st.lists(st.sampled_from(_TEXTS), min_size=1, max_size=4)),
    min_size=1,
    max_size=12,
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines,
    st.sampled_from(["s1", "elsewhere"]),
    st.sampled_from(["where does the zebra sleep?", "斑马吃什么？", "yes"]),
    st.integers(60, 3000),
)
@example([("s1", ["The zebra walked. " * 40])], "elsewhere", "where does the zebra sleep?", 61)
def test_pieces_are_whole_in_order_and_within_the_limit(
    brain: Brain, made: list[tuple[str, list[str]]], session: str, message: str, limit: int
) -> None:
    talk = Talk(brain, f"m{next(_memories)}")
    for where, texts in made:
        talk.say(where, *texts)
    package = talk.compose(session, message, token_limit=limit)
    assert len(package.evidence) <= _MOST


def test_an_answer_stands_with_its_question(brain: Brain) -> None:
    talk = Talk(brain)
    talk.say("old", "How old is the zebra that we saw?", "She turned seventeen.")
    for number in range(40):
        talk.say(f"filler{number}", "We spoke of the weather in the mountains.", "It rained.")
    piece = talk.compose("now", "how old is the zebra?").evidence[0]
    assert [one.text for one in talk.of(piece)] == [
        "How old is the zebra that we saw? (0)",
        "She turned seventeen. (1)",
    ]
    assert piece.ref == piece.merged[0]
    assert piece.snippet.splitlines()[1] == "assistant: She turned seventeen. (1)"


def test_room_is_filled_with_what_was_said_around_the_hits(talk: Talk) -> None:
    sizes = [
        sum(len(refs(piece)) for piece in talk.compose("elsewhere", "zebra", token_limit=limit).evidence)
        for limit in (300, 600, 1200, 4000)
    ]
    assert sizes == sorted(sizes)
    assert sizes[-1] > _MOST, "twelve pieces hold more than twelve messages"


def test_what_is_left_of_a_session_stands_in_its_piece_behind_an_ellipsis(folder: Path) -> None:
    with open_brain(folder, policies={"composition": {"evidence_max_items": 1}}) as brain:
        talk = Talk(brain)
        weather = ["We spoke of the weather in the mountains."] * 30
        talk.say("old", "Where does the zebra sleep?", *weather, "A zebra sleeps on its feet.")
        talk.say("other", "Zebra stories.")
        package = talk.compose("elsewhere", "where does the zebra sleep?", token_limit=300)
        [piece] = package.evidence
        assert "\n…\n" in piece.snippet
        assert {"Where does the zebra sleep? (0)", "A zebra sleeps on its feet. (31)"} <= {
            one.text for one in talk.of(piece)
        }
        assert "\n> …\n" in render(package)
        assert package.debug.why_selected[0].reason.endswith(
            f"with {len(piece.merged) - 1} messages of its day in the session"
        )


def test_more_pieces_for_a_request_that_names_its_tokens_and_for_a_plan_that_asks_for_them(folder: Path) -> None:
    with open_brain(folder, policies={"composition": {"evidence_max_items": 30, "evidence_item_tokens": 48}}) as brain:
        talk = Talk(brain)
        for number in range(40):
            talk.say(f"s{number}", "The zebra sleeps.")

        def pieces(**fields: Any) -> int:  # noqa: ANN401
            return len(talk.compose("elsewhere", "zebra", **fields).evidence)

        assert pieces() == _MOST
        assert [pieces(token_limit=limit) for limit in (48 * 12, 48 * 20, 48 * 30, 8192)] == [_MOST, 20, 30, 30]
        for top_k in (5, 20, 35):
            asked = plan("zebra")
            asked.budget.top_k = top_k
            asked.budget.per_mode_k.hybrid = top_k
            assert pieces(plan=asked) == pieces(plan=asked, token_limit=8192) == top_k


def test_tokens_are_what_binds_where_a_request_names_them(folder: Path) -> None:
    with open_brain(folder) as brain:
        talk = Talk(brain)
        for number in range(60):
            talk.say(f"s{number}", "The zebra sleeps.")
        small, middle, large = (talk.compose("elsewhere", "zebra", token_limit=limit) for limit in (500, 1000, 4000))
        assert _MOST < len(small.evidence) < len(middle.evidence) < len(large.evidence) == 60
        assert 0 <= 500 - small.constraints.token_budget.used < 30, "one more piece would not have fitted"


def test_a_text_that_the_plan_cuts_costs_what_is_shown_of_it(folder: Path) -> None:
    with open_brain(folder) as brain:
        talk = Talk(brain)
        for number in range(20):
            talk.say(f"s{number}", f"Zebra number {number} sleeps. " + "It sleeps very long in the warm shade. " * 18)
        pieces = []
        for longest in (60, 800):
            asked = plan("zebra")
            asked.budget.top_k = asked.budget.per_mode_k.hybrid = 20
            asked.output.max_snippet_chars = longest
            package = compose(brain, "m", "elsewhere", "zebra", token_limit=600, plan=asked)
            assert all(len(one.snippet) <= longest for one in package.evidence)
            pieces.append(len(package.evidence))
        assert pieces[0] > 4 * pieces[1]


def test_the_kind_of_task_shares_the_pieces_that_tokens_give_room_for(folder: Path) -> None:
    with open_brain(folder, policies={"composition": {"evidence_item_tokens": 48}}) as brain:
        talk = Talk(brain)
        for number in range(60):
            talk.say(f"s{number}", "The zebra sleeps.")
        for limit in (48 * 12, 48 * 40):
            whole, half = (
                len(talk.compose("elsewhere", "zebra", token_limit=limit, agent_state=state).evidence)
                for state in (AgentState(), AgentState(task_kind="simple"))
            )
            assert whole == 2 * half == limit / 48


@pytest.mark.parametrize(
    ("filters", "holds"),
    [
        (PlanFilters(session_ids=["monday"]), lambda one: one.session == "monday"),
        (PlanFilters(language="en"), lambda one: "斑马" not in one.text),
        (PlanFilters(time_range=TimeRange(to=second(30))), lambda one: one.seconds < 30),
    ],
    ids=["session", "language", "time"],
)
def test_a_filter_holds_for_what_stands_beside_a_hit(talk: Talk, filters: PlanFilters, holds: Any) -> None:  # noqa: ANN401
    package = talk.compose("elsewhere", "zebra", plan=plan("zebra", filters=filters))
    messages = [one for piece in package.evidence for one in talk.of(piece)]
    assert len(messages) > len(package.evidence), "some are merged"
    assert all(holds(one) for one in messages)


def test_an_exact_query_brings_nothing_without_its_words(talk: Talk) -> None:
    package = talk.compose("elsewhere", "zebra", plan=plan("zebra", mode="exact"))
    assert package.evidence
    assert all("zebra" in one.text for piece in package.evidence for one in talk.of(piece))


def test_of_two_queries_each_brings_what_its_own_filter_allows(talk: Talk) -> None:
    asked = plan("zebra", "斑马")
    for query, session in zip(asked.queries, ("monday", "tuesday"), strict=True):
        query.filters.session_ids.append(session)
    messages = [one for piece in talk.compose("elsewhere", "zebra", plan=asked).evidence for one in talk.of(piece)]
    assert {one.session for one in messages} == {"monday", "tuesday"}


def test_ended_values_and_items_stand_beside_no_message(brain: Brain) -> None:
    talk = Talk(brain)
    talk.say("s", "My favourite zebra is Marty.", "Noted.")
    brain.commit_turn(turn("m", "s", preferences=[pref("zebra", "zebra Marty", confirmed=False)]))
    brain.commit_turn(turn("m", "s", preferences=[pref("zebra", "zebra Melman", confirmed=False)]))
    brain.commit_turn(turn("m", "s", preferences=[pref("otter", "otter Olga, unlike a zebra", confirmed=False)]))
    brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key="pref:writing:otter")]))
    talk.say("s", "Zebra stories, please.", "Once upon a time.")
    package = talk.compose("elsewhere", "which zebra is my favourite?")
    text = render(package)
    assert "zebra Melman" in text
    assert "prefers (writing) zebra: zebra Marty" not in text
    assert "Olga" not in text
    assert max(len(piece.merged) for piece in package.evidence) == 4, "messages are neighbours past the items"


def test_what_recent_turns_shows_joins_no_piece(brain: Brain) -> None:
    talk = Talk(brain)
    for number in range(12):
        talk.say("now", f"Zebra question {number}?", f"Zebra answer {number}.")
    package = talk.compose("now", "zebra question")
    assert len(package.recent_turns) == 16
    messages = [one for piece in package.evidence for one in talk.of(piece)]
    assert {one.position for one in messages} == set(range(8)), "the four turns before the recent ones"
    assert any(piece.merged for piece in package.evidence)


def test_parts_of_a_long_message_are_put_together_in_order(folder: Path) -> None:
    with open_brain(folder, index={"window_chars": 100}) as brain:
        content = " ".join(f"Zebra sentence {number} has a few words." for number in range(8))
        brain.commit_turn(turn("m", "s", messages=[Message(role="user", content=content)]))
        package = compose(brain, "m", "elsewhere", "zebra sentence")
        [piece] = package.evidence
        assert {ref.message_id for ref in piece.merged} == {piece.ref.message_id}
        numbers = [int(word) for word in piece.snippet.split() if word.isdigit()]
        assert numbers == list(range(8))


def test_a_policy_of_short_snippets_merges_less(folder: Path) -> None:
    sizes = []
    for longest in (40, 120, 800):
        with open_brain(folder / str(longest), policies={"composition": {"max_snippet_chars": longest}}) as brain:
            talk = Talk(brain)
            for _ in range(4):
                talk.say("s", "The zebra sleeps.", "Yes.")
            pieces = compose(brain, "m", "elsewhere", "zebra").evidence
            assert max(len(piece.snippet) for piece in pieces) <= longest
            sizes.append(max(len(piece.merged) for piece in pieces))
    assert 0 == sizes[0] < sizes[1] <= sizes[2]
