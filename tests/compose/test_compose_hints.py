"""What was said just before counts beside the message, and hints of a plan beside their query."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest
from smartbrain.v1.event_pb2 import Message, TurnEvents
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan

from brain_core import Brain
from brain_core.errors import InvalidArgument
from tests.building import compose, open_brain, retrieve, say

ENGLISH = (
    ("a", "I was so nervous at the school play that I forgot my lines."),
    ("b", "The dentist said my next checkup is due in spring."),
    ("c", "Our neighbour's cat had four kittens behind the shed."),
    ("d", "The train to the coast takes about three hours."),
)
CHINESE = (
    ("a", "学校话剧演出时我太紧张，把台词忘了。"),
    ("b", "牙医说我春天该去复查了。"),
    ("c", "邻居家的猫在棚子后面生了四只小猫。"),
    ("d", "去海边的火车大约要三个小时。"),
)
BEFORE_EN = "On Friday I have a role in a school play again and should learn my lines."
BEFORE_ZH = "星期五我又要在学校话剧里演出，得背台词。"


@pytest.fixture(params=["en", "zh"])
def talk(brain: Brain, request: pytest.FixtureRequest) -> tuple[Brain, str, str, str]:
    """Give a memory of four matters; what was said before; a message that says little; one of another matter."""
    english = request.param == "en"
    for session, text in ENGLISH if english else CHINESE:
        brain.commit_turn(say("m", session, text))
    if english:
        return brain, BEFORE_EN, "I hope it goes better this time!", "When is my checkup at the dentist?"
    return brain, BEFORE_ZH, "希望这次会好一些！", "我的牙医复查是什么时候？"


def first_session(brain: Brain, session: str, message: str) -> str:
    evidence = compose(brain, "m", session, message).evidence
    return next((piece.ref.session_id for piece in evidence if piece.ref.session_id != session), "")


def test_a_message_is_found_amid_what_was_said_before_it(talk: tuple[Brain, str, str, str]) -> None:
    brain, before, little, _ = talk
    brain.commit_turn(say("m", "now", before, "ok"))
    assert first_session(brain, "now", little) == "a"
    planner = compose(brain, "m", "now", little).debug.planner
    assert [(query.text, list(query.hints)) for query in planner.queries] == [(little, [before, "ok"])]
    assert "looked for amid what was said just before (2 as hints)" in planner.reason


def test_a_message_of_another_matter_outweighs_what_was_said_before(talk: tuple[Brain, str, str, str]) -> None:
    brain, before, _, another = talk
    brain.commit_turn(say("m", "now", before))
    assert first_session(brain, "now", another) == "b"


def test_a_new_session_has_no_hints(talk: tuple[Brain, str, str, str]) -> None:
    brain, before, little, _ = talk
    brain.commit_turn(say("m", "now", before))
    assert not compose(brain, "m", "new", little).debug.planner.queries[0].hints


def test_what_tools_said_and_the_message_itself_are_no_hints(brain: Brain) -> None:
    said = [("user", "the harbour walk"), ("tool", "zebra " * 50), ("user", "and tomorrow?")]
    turn = TurnEvents(messages=[Message(role=role, content=content) for role, content in said])
    brain.commit_turn(CommitTurnRequest(memory_id="m", session_id="now", turn=turn))
    assert list(compose(brain, "m", "now", "and tomorrow?").debug.planner.queries[0].hints) == ["the harbour walk"]


def test_of_a_long_message_the_end_is_a_hint(folder: Path) -> None:
    with open_brain(folder, policies={"retrieval": {"hints": {"messages": 1, "chars": 10}}}) as brain:
        brain.commit_turn(say("m", "now", "first", "x" * 100 + " the harbour"))
        assert list(compose(brain, "m", "now", "what else?").debug.planner.queries[0].hints) == ["he harbour"]


def test_hints_are_two_long_messages_or_many_short_ones(brain: Brain) -> None:
    brain.commit_turn(say("m", "now", "a" * 200, "b" * 200, "c" * 200))
    assert list(compose(brain, "m", "now", "what else?").debug.planner.queries[0].hints) == ["b" * 120, "c" * 120]
    brain.commit_turn(say("m", "now", *(f"walk {number}" for number in range(12))))
    found = list(compose(brain, "m", "now", "what else?").debug.planner.queries[0].hints)
    assert found == [f"walk {number}" for number in range(4, 12)]


def test_what_is_said_before_another_matter_is_no_hint(brain: Brain) -> None:
    message = "Which of the passwords for the old router in the office did the electrician change before he left us?"
    brain.commit_turn(say("m", "now", BEFORE_EN))
    planner = compose(brain, "m", "now", message).debug.planner
    assert not any(query.hints for query in planner.queries)
    assert "what was said just before is about something else (likeness 0." in planner.reason


@pytest.mark.parametrize(
    ("before", "message"),
    [
        (
            BEFORE_EN,
            "My part in the school play worries me: last time I forgot my lines on the stage in front of everybody.",
        ),
        (
            BEFORE_ZH,
            "学校话剧里我的角色让我很担心：上次演出时我站在舞台上，当着所有人的面把台词全忘了，这次该怎么准备才好？",
        ),
    ],
)
def test_a_long_message_of_the_same_matter_keeps_its_hints(brain: Brain, before: str, message: str) -> None:
    brain.commit_turn(say("m", "now", before))
    assert list(compose(brain, "m", "now", message).debug.planner.queries[0].hints) == [before]


def test_hints_can_be_turned_off(folder: Path) -> None:
    with open_brain(folder, policies={"retrieval": {"hints": {"messages": 0}}}) as brain:
        brain.commit_turn(say("m", "now", BEFORE_EN))
        assert not compose(brain, "m", "now", "I hope it goes better this time!").debug.planner.queries[0].hints


def test_recent_turns_take_no_piece_of_evidence_away(brain: Brain) -> None:
    for number in range(12):
        brain.commit_turn(say("m", f"s{number}", f"Walk {number} by the lake was pleasant."))
    for number in range(12):
        brain.commit_turn(say("m", "now", f"The lake is nice, part {number}.", f"A walk by the lake, yes, {number}."))
    package = compose(brain, "m", "now", "the lake walk?")
    elsewhere = {piece.ref.session_id for piece in package.evidence} - {"now"}
    assert len(elsewhere) >= 8


@pytest.mark.parametrize("mode", ["exact", "relational"])
def test_modes_that_know_no_hints_name_them(brain: Brain, mode: str) -> None:
    brain.commit_turn(say("m", "a", "a zebra"))
    asked = RetrievalPlan(queries=[PlanQuery(text="zebra", mode=mode, hints=["copper"])])
    plain = RetrievalPlan(queries=[PlanQuery(text="zebra", mode=mode)])
    hinted, bare = retrieve(brain, "m", asked), retrieve(brain, "m", plain)
    assert f"queries[0].hints: mode {mode} goes by its text alone" in hinted.explain.ignored_fields
    assert [one.id for one in hinted.evidences] == [one.id for one in bare.evidences]


@pytest.mark.parametrize("mode", ["semantic", "hybrid", "associative"])
def test_hints_of_a_plan_turn_the_order(brain: Brain, mode: str) -> None:
    for session, text in ENGLISH:
        brain.commit_turn(say("m", session, text))
    query = PlanQuery(text="How long does it take?", mode=mode, hints=["We want to go to the coast by train."])
    assert retrieve(brain, "m", RetrievalPlan(queries=[query])).evidences[0].ref.session_id == "d"


def test_too_many_and_too_long_hints_are_refused(brain: Brain) -> None:
    for hints, field in ((["x"] * 101, "plan.queries[0].hints"), (["字" * 10_001], "plan.queries[0].hints[0]")):
        with pytest.raises(InvalidArgument) as failed:
            retrieve(brain, "m", RetrievalPlan(queries=[PlanQuery(text="x", hints=hints)]))
        assert failed.value.field == field
