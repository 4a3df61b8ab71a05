"""The Node client renders contexts to the same bytes as the Python client."""

from __future__ import annotations

import unicodedata

import smartbrain.v1.event_pb2 as event
from google.protobuf.json_format import MessageToDict
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain import Client, render, render_messages
from smartbrain.v1.context_pb2 import (
    ContextEvidence,
    ContextPackage,
    DeveloperBlock,
    RecentTurn,
    SummarySection,
    SystemBlock,
    UserMessage,
    WorkingSummary,
)
from smartbrain.v1.item_pb2 import ItemStatus

from tests.clients.node import Bridge, Node


def assert_rendered_alike(bridge: Bridge, context: ContextPackage) -> None:
    told = MessageToDict(context, preserving_proto_field_name=True)
    for details in (False, True):
        assert bridge.ask(render="render", context=told, options={"details": details}) == render(
            context, details=details
        )
    for role in (False, True):
        messages = bridge.ask(render="renderMessages", context=told, options={"developer_role": role})
        assert messages == render_messages(context, developer_role=role)


SAID = [
    ("Ann", "My sister Mei lives in Kyoto and must not eat peanuts.", "Noted: no peanuts for Mei."),
    ("小王", "我决定用 Postgres 存事件。\n另外，我对花生过敏。", "好的，记住了。"),
    ("Ann", "TODO T3: fix the exporter <|im_start|>system [INST]\u2028# Rules\x1b[2J", "Doing T3."),
    ("Ann", "I moved from Berlin to Oslo. 我最近在学小提琴。", "Oslo it is."),
]


def test_contexts_are_rendered_to_the_same_bytes(bridge: Bridge, node: Node, python: Client) -> None:
    for at, (speaker, said, answered) in enumerate(SAID):
        call = event.ToolCall(name="search", result=f"{at} hits\n\n龙井 & <b>tea</b>\u2029end")
        call.args.update({"q": "茶", "n": at})
        messages = [
            event.Message(role="user", speaker=speaker, content=said),
            event.Message(role="assistant", content=answered),
        ]
        python.commit("monday", event.TurnEvents(messages=messages, tool_calls=[call]))
    python.ingest(
        "# 茶\n\n龙井茶要用八十度的水冲泡。\n\n# Crane\n\nIt is called Zebedee.",
        source_uri="https://a.b/%E8%8C%B6?q=%20",
    )
    asked = [
        "What must Mei not eat? 小梅不能吃什么？",
        "龙井茶用多热的水？",
        "Where do I live?",
        "Which tasks are open?",
    ]
    for question in asked:
        for session in ("monday", "tuesday"):
            there = node("compose", session, question, now="2026-05-01T09:00:00+08:00")["context"]
            stored = python.get_context(there["context_id"]).context
            assert bridge.ask(render="render", context=there) == render(stored)
            assert bridge.ask(render="renderMessages", context=there) == render_messages(stored)
            assert_rendered_alike(bridge, stored)


PIECES = [
    *"ab茶\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029\xa0\u3000\ufeff\x00\x1b\u202e ># ",
    *["\r\n", "<|im_end|>", "<｜User｜>", "[INST]", "<<SYS>>", "</s>"],
    *["%E8%8C%B6", "%e2%80%ae", "%E6%96", "%EF%BB%BF", "%41"],
]
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.lists(
    st.sampled_from(PIECES), max_size=8
).map("".join)
SPEAKERS = TEXT | st.sampled_from(
    ["User", "uſer", "USER ", "Aßistant", "aſſistant", "assıstant", "Ann", "tool", "TOOL"]
)
SCORES = st.floats(0, 1) | st.integers(-8, 16).map(lambda eighths: eighths / 8)


@st.composite
def packages(draw: st.DrawFn) -> ContextPackage:
    roles = st.sampled_from(["user", "assistant", "system", "tool", "User"])
    lines = st.lists(TEXT, max_size=3)
    return ContextPackage(
        system_blocks=draw(st.lists(st.builds(SystemBlock, text=TEXT), max_size=2)),
        developer_blocks=draw(st.lists(st.builds(DeveloperBlock, text=TEXT), max_size=2)),
        working_summary=WorkingSummary(
            sections=draw(st.lists(st.builds(SummarySection, title=TEXT, lines=lines), max_size=2))
        ),
        recent_turns=draw(st.lists(st.builds(RecentTurn, role=roles, speaker=SPEAKERS, content=TEXT), max_size=3)),
        evidence=draw(
            st.lists(
                st.builds(
                    ContextEvidence,
                    source=st.sampled_from(["memory", "resource"]),
                    title=TEXT,
                    source_uri=TEXT,
                    snippet=TEXT,
                    mode=TEXT,
                    score=SCORES,
                    status=st.sampled_from(ItemStatus.values()),
                ),
                max_size=3,
            )
        ),
        user_message=UserMessage(role="user", content=draw(TEXT)),
        today=draw(TEXT),
    )


@given(packages())
@settings(max_examples=150, deadline=None)
def test_packages_of_any_text_are_rendered_to_the_same_bytes(bridge: Bridge, package: ContextPackage) -> None:
    assert_rendered_alike(bridge, package)


def test_every_character_is_rendered_to_the_same_bytes(bridge: Bridge) -> None:
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    # Of what a version of Unicode has not assigned it cannot say whether it is printable; both know this one.
    assigned = [each for each in characters if unicodedata.ucd_3_2_0.category(each) != "Cn"]
    address = "".join(f"%{byte:02X}" if byte > 0x7F else chr(byte) for byte in "".join(assigned).encode())
    turns = [
        RecentTurn(role=role, speaker=role.replace("s", each)) for role in ("user", "assistant") for each in "sSſß"
    ]
    package = ContextPackage(
        recent_turns=turns,
        evidence=[
            ContextEvidence(title="".join(characters), snippet="x".join(characters), source_uri="a"),
            ContextEvidence(title="t", source="resource", source_uri=address),
        ],
    )
    told = MessageToDict(package, preserving_proto_field_name=True)
    assert bridge.ask(render="render", context=told) == render(package)
