"""Who is listened to, and what tool calls and refs tell."""

from __future__ import annotations

import pytest
from google.protobuf.struct_pb2 import Struct
from smartbrain.v1.event_pb2 import Message, Ref, ToolCall, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_SOURCE_TOOL, ITEM_SOURCE_USER

from brain_core.extract.pasted import LONGEST_MESSAGE
from brain_core.kinds.draft import Draft, Skip
from tests.extraction.reading import CONFIDENCE, drafts, item, read, read_events


def arguments(**values: str) -> Struct:
    struct = Struct()
    struct.update(values)
    return struct


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_the_user_tells_facts(role: str) -> None:
    assert read("I live in Oslo.", role=role) == []
    assert drafts("I live in Oslo.")


def test_a_draft_says_where_it_was_read_and_how_sure_it_is() -> None:
    text = "Hello! I live in Oslo."
    [draft] = drafts(text)
    assert draft.path == "messages[0]"
    assert draft.span is not None
    assert text[slice(*draft.span)] == "I live in Oslo"
    assert (draft.confidence, draft.source) == (CONFIDENCE.user_asserted, ITEM_SOURCE_USER)


def test_a_very_long_message_counts_as_pasted() -> None:
    [skip] = read("I live in Oslo. " * (LONGEST_MESSAGE // 10))
    assert isinstance(skip, Skip)
    assert skip.rule == "pasted_message"


def test_a_message_is_passed_over_once() -> None:
    found = read("I live in Oslo? My name is Bob? I work at Acme?")
    assert [type(each) for each in found] == [Skip]


def test_echoed_memory_is_not_learned_again() -> None:
    text = "[profile:profile:user]\nProfile of the user\nhome: Oslo\nI live in Oslo.\n\nis that all?"
    assert drafts(text) == []


def test_what_is_named_twice_is_learned_once_and_passing_files_are_not() -> None:
    text = (
        "cloning https://github.com/acme/rocket.git to /tmp/build-7/rocket then https://github.com/acme/rocket again, "
        "/usr/lib/python3/dist-packages/pip/main.py, [docs](https://docs.acme.dev/a], src/main.rs"
    )
    found = [each.given["canonical"] for each in drafts(text) if each.rule == "entity_structural"]
    assert found == ["acme/rocket", "https://docs.acme.dev/a", "src/main.rs"]


@pytest.mark.parametrize(
    "text", ["Write https://example.com/foo as the address.", "地址就写 https://www.example.org/a 或者 /path/to/file。"]
)
def test_addresses_that_stand_for_any_other_are_not_learned(text: str) -> None:
    assert drafts(text) == []
    assert len(drafts(text.replace("example", "acme-works").replace("path/to", "srv/data"))) >= 1


def test_refs_become_entities() -> None:
    refs = [
        Ref(ref_type="url", uri="https://github.com/acme/rocket", meta=arguments(title="Rocket")),
        Ref(ref_type="url", uri="https://docs.acme.dev/a"),
        Ref(ref_type="file", uri="/srv/plan.ods"),
        Ref(ref_type="artifact", uri="build-77"),
    ]
    found = [each for each in read_events(TurnEvents(refs=refs)) if isinstance(each, Draft)]
    assert [(each.path, each.given["kind"], each.given["canonical"]) for each in found] == [
        ("refs[0]", "repo", "acme/rocket"),
        ("refs[1]", "url", "https://docs.acme.dev/a"),
        ("refs[2]", "file", "/srv/plan.ods"),
        ("refs[3]", "other", "build-77"),
    ]
    assert found[0].given["aliases"] == ["rocket", "Rocket"]
    assert all(each.confidence >= CONFIDENCE.tool_derived for each in found)


def test_arguments_of_a_tool_name_entities() -> None:
    calls = [
        ToolCall(name="read", args=arguments(path="src/app/main.py"), status="ok"),
        ToolCall(name="read", args=arguments(path="src/app/lost.py"), status="error"),
    ]
    [draft] = read_events(TurnEvents(tool_calls=calls))
    assert isinstance(draft, Draft)
    assert (draft.path, draft.given["canonical"]) == ("tool_calls[0]", "src/app/main.py")
    assert (draft.source, draft.confidence) == (ITEM_SOURCE_TOOL, CONFIDENCE.tool_derived)


@pytest.mark.parametrize(
    ("result", "status"),
    [
        ("Task 'fix the login redirect' was marked as done.", "done"),
        ("ticket fix the login redirect: in progress", "doing"),
        ("任务 fix the login redirect 已关闭", "done"),
        ("Task 'fix the login redirect' could not be closed: error", None),
        ("Task 'write the docs' is done", None),
    ],
)
def test_a_tool_that_reports_the_state_of_a_known_task(result: str, status: str | None) -> None:
    known = item("tasks", task_id="fix_login_redirect", title="fix the login redirect")
    found = read_events(TurnEvents(tool_calls=[ToolCall(name="tracker", result=result, status="ok")]), known)
    assert [each.given["status"] for each in found if isinstance(each, Draft)] == ([status] if status else [])


REPORTS = [
    ("Task WEB-14 created. Prerequisite WEB-13 must be completed first.", {}),
    ("issue OPS-9 created. It can start when WEB-13 is completed.", {}),
    ("issues:\n12 OPEN WEB-12 Add SSO\n13 CLOSED WEB-13 Rotate the keys", {"WEB-13": "done"}),
    ("issues:\nWEB-12  done  Add SSO\nWEB-13  blocked  Rotate the keys", {"WEB-12": "done", "WEB-13": "blocked"}),
    ('{"id":"WEB-12","status":"todo","subtasks":[{"status":"done"}]}', {}),
    ('{"id":"WEB-12","status":"done","subtasks":[{"id":"WEB-13","status":"todo"}]}', {"WEB-12": "done"}),
    ('{"tasks":[{"id":"WEB-12","status":"todo"},{"id":"WEB-13","status":"Done"}]}', {"WEB-13": "done"}),
    ('{"key":"WEB-12","fields":{"summary":"Add SSO","status":{"name":"In Progress"}}}', {"WEB-12": "doing"}),
    ('{"id":"WEB-12","parent":{"id":"WEB-1","status":"done"},"status":"blocked"}', {"WEB-12": "blocked"}),
    ("WEB-12 moved to In Progress; it is blocked by WEB-13", {"WEB-12": "doing"}),
    ("Issue WEB-12 is blocked by WEB-13", {"WEB-12": "blocked"}),
    ("Issue WEB-14 closed as a copy of WEB-12", {}),
    ("Issue WEB-12 moved from todo to in progress", {"WEB-12": "doing"}),
    ("Closed issue WEB-12 (Add SSO).", {"WEB-12": "done"}),
    ("Issue WEB-20 reopened, status: todo", {"WEB-20": "todo"}),
    ("Issue WEB-20 is now open", {"WEB-20": "todo"}),
    ("工单 WEB-12 已完成；WEB-13 完成之后才能开始 WEB-20", {"WEB-12": "done"}),
]


@pytest.mark.parametrize(("result", "states"), REPORTS)
def test_the_state_of_each_task_is_the_one_beside_it(result: str, states: dict[str, str]) -> None:
    known = (
        item("tasks", task_id="WEB-12", title="Add SSO"),
        item("tasks", task_id="WEB-13", title="Rotate the keys"),
        item("tasks", task_id="WEB-20", title="Closed captions", status="done"),
    )
    found = read_events(TurnEvents(tool_calls=[ToolCall(name="issues", result=result, status="ok")]), *known)
    drafts = [each for each in found if isinstance(each, Draft)]
    assert {each.given["task_id"]: each.given["status"] for each in drafts} == states


def test_what_a_tool_prints_is_no_fact_of_the_user() -> None:
    call = ToolCall(name="cat", result="My name is Bob. I prefer dark mode. We decided to use MySQL.", status="ok")
    message = Message(role="tool", content="I live in Oslo. TODO buy milk by Friday")
    assert read_events(TurnEvents(tool_calls=[call], messages=[message])) == []
