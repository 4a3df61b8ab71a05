"""What tools gave, in the next context of the session and as evidence."""

from __future__ import annotations

import pytest
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.render import render
from smartbrain.v1.event_pb2 import Message, ToolCall

from brain_core import Brain
from tests.building import compose, turn

PASSED = "".join(f"PASS src/part{number}.test.ts\n" for number in range(120))


def called(name: str, result: str, status: str = "ok", **args: str) -> ToolCall:
    given = Struct()
    given.update(args)
    return ToolCall(name=name, args=given, result=result, status=status)


def said(user: str, assistant: str = "", when: str = "") -> list[Message]:
    messages = [Message(role="user", content=user)]
    messages += [Message(role="assistant", content=assistant)] if assistant else []
    if when:
        for message in messages:
            message.created_at.FromJsonString(when)
    return messages


def test_calls_stand_between_the_question_and_the_answer_that_they_led_to(brain: Brain) -> None:
    calls = [
        called("read_file", "MAX_ITEMS = 50", path="src/cart.ts"),
        called("bash", "", "error", command="pnpm test"),
    ]
    brain.commit_turn(turn("m", "s", messages=said("how many items?", "Fifty."), tool_calls=calls))
    package = compose(brain, "m", "s", "and now?")
    assert [(one.role, one.speaker, one.content, one.message_id) for one in package.recent_turns] == [
        ("user", "user", "how many items?", "t1.0"),
        ("tool", "read_file", "src/cart.ts\nMAX_ITEMS = 50", "tool-0"),
        ("tool", "bash", "pnpm test (error)", "tool-1"),
        ("assistant", "assistant", "Fifty.", "t1.1"),
    ]
    assert "MAX_ITEMS" not in "".join(one.snippet for one in package.evidence), "it stands in recent_turns"


@pytest.mark.parametrize("question", ["fix it", "what failed?", "修一下", "哪里报错了", "why?"])
@pytest.mark.parametrize("as_message", [False, True])
def test_the_line_that_failed_is_in_the_next_context(brain: Brain, question: str, as_message: bool) -> None:
    """Only a reference stood there, and evidence had lines that passed."""
    log = f"{PASSED}FAIL src/cart.test.ts > adds an item twice\n{PASSED}Tests: 1 failed, 240 passed"
    parts = said("run the tests", "One of them is red.")
    if as_message:
        parts.insert(1, Message(role="tool", content=log))
        brain.commit_turn(turn("m", "s", messages=parts))
    else:
        brain.commit_turn(turn("m", "s", messages=parts, tool_calls=[called("bash", log, command="pnpm test")]))
    package = compose(brain, "m", "s", question, token_limit=1000)
    recent = "\n".join(one.content for one in package.recent_turns)
    assert "adds an item twice" in recent
    assert "run the tests" in recent
    assert "240 passed" in recent
    assert package.constraints.token_budget.used <= 1000


def test_many_long_results_leave_room_for_what_was_said(brain: Brain) -> None:
    calls = [
        called("bash", f"{PASSED}run {number} failed\n{PASSED}", command=f"make t{number}") for number in range(12)
    ]
    brain.commit_turn(turn("m", "s", messages=said("run all of them twelve times", "All done."), tool_calls=calls))
    package = compose(brain, "m", "s", "and?", token_limit=4000)
    recent = [one.content for one in package.recent_turns]
    assert recent[0] == "run all of them twelve times"
    assert sum("failed" in one for one in recent) == 4
    assert "run 11 failed" in recent[-2]


def test_numbers_that_a_tool_was_called_with_have_all_their_digits(brain: Brain) -> None:
    call = ToolCall(name="refund", result="done")
    call.args.update({"order": 123456789, "amount": 1999999.95, "share": 0.5})
    brain.commit_turn(turn("m", "s", messages=said("refund it", "Refunded."), tool_calls=[call]))
    told = compose(brain, "m", "s", "thanks").recent_turns[1]
    assert told.content == "amount=1999999.95 order=123456789 share=0.5\ndone"


def test_evidence_of_a_tool_tells_what_it_was_called_with_and_when(brain: Brain) -> None:
    """Two files of two days could not be told apart: all was "read_file (ok)", of the day of the import."""
    for day, name in (("2026-03-02T09:00:00Z", "web/package.json"), ("2026-05-04T09:00:00Z", "api/package.json")):
        call = called("read_file", f'{{"zebra": "of {name}"}}', path=name)
        brain.commit_turn(turn("m", f"s{name}", messages=said("read it", "Done.", day), tool_calls=[call]))
    shown = render(compose(brain, "m", "new", "which zebra version do we have?"))
    assert "read_file web/package.json (ok), 2026-03-02 09:00" in shown
    assert "read_file api/package.json (ok), 2026-05-04 09:00" in shown


def test_a_result_is_found_by_the_time_of_its_turn(brain: Brain) -> None:
    call = called("bash", "zebra 301 kg", command="weigh")
    brain.commit_turn(turn("m", "old", messages=said("weigh it", "Done.", "2026-03-02T09:00:00Z"), tool_calls=[call]))
    package = compose(brain, "m", "new", "zebra")
    at = Timestamp()
    at.FromJsonString("2026-03-02T09:00:00Z")
    assert [one.created_at for one in package.evidence if one.id.endswith("tool-0")] == [at]


def test_secrets_that_a_tool_was_called_with_stand_in_no_context(brain: Brain) -> None:
    secret = "sk-live-4eC39HqLyjWDarjtT1zdp7dc"
    calls = [called("curl", "zebra found", header=f"Authorization: Bearer {secret}")]
    brain.commit_turn(turn("m", "s", messages=said("look", "Done."), tool_calls=calls))
    for session in ("s", "new"):
        assert secret not in render(compose(brain, "m", session, "zebra"))
