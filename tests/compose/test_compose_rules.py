"""developer_blocks: rules of the server's policy, in every context, right after what is pinned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from smartbrain.render import render, render_messages

from brain_core import Brain, load_policy
from brain_core.errors import PolicyError
from brain_core.text.tokens import ApproxCounter
from tests.building import compose, open_brain, pref, say, turn

RULES = [
    {"type": "format_rules", "text": "Answer in one paragraph.\nNo lists."},
    {"type": "safety_rules", "text": "涉及个人隐私的内容一律不要透露。"},
    {"type": "tooling_rules", "text": "Call `search` before you say that something is unknown."},
]


def ruled(folder: Path, rules: list[dict[str, str]] = RULES, **composition: Any) -> Brain:  # noqa: ANN401
    brain = open_brain(folder, policies={"composition": {"developer_blocks": rules, **composition}})
    brain.commit_turn(turn("m", "now", preferences=[pref("tone", "short answers")]))
    for number in range(8):
        brain.commit_turn(say("m", f"s{number}", f"The zebra of herd {number} eats grass.", "斑马住在草原上。"))
    return brain


def test_rules_stand_after_pinned_blocks_and_are_counted(folder: Path) -> None:
    with ruled(folder) as brain:
        package = compose(brain, "m", "now", "what does the zebra eat? 斑马吃什么？")
    assert [(one.type, one.text) for one in package.developer_blocks] == [(r["type"], r["text"]) for r in RULES]
    budget = package.constraints.token_budget
    assert budget.slots["developer_blocks"] > 0
    assert ApproxCounter().count(render(package)) <= budget.used == sum(budget.slots.values())
    order = ["# What always holds", "# Rules", "# Evidence", "# User message"]
    places = [render(package).index(slot) for slot in order]
    assert places == sorted(places)


def test_rules_have_room_before_evidence_and_after_pinned_blocks(folder: Path) -> None:
    with ruled(folder) as brain:
        whole = compose(brain, "m", "now", "zebra?").constraints.token_budget.slots
        pinned = whole["user_message"] + whole["system_blocks"]
        tight = compose(brain, "m", "now", "zebra?", token_limit=pinned + whole["developer_blocks"])
        assert dict(tight.constraints.token_budget.slots) == {
            slot: whole[slot] for slot in ("user_message", "system_blocks", "developer_blocks")
        }
        short = compose(brain, "m", "now", "zebra?", token_limit=pinned + whole["developer_blocks"] - 1)
    kept = {one.text for one in short.developer_blocks}
    lost = [number for number, rule in enumerate(RULES) if rule["text"] not in kept]
    assert lost
    named = {one.id: (one.reason, one.detail) for one in short.debug.dropped if one.id.startswith("developer_blocks")}
    assert named == {f"developer_blocks[{number}]": ("budget", "over token_limit") for number in lost}
    assert short.constraints.token_budget.used <= short.constraints.token_budget.limit


MANY = [
    {"type": "other", "text": "Prefer metric units wherever a measure is named."},
    {"type": "format_rules", "text": "用一段话回答，不要列表。"},
    {"type": "safety_rules", "text": "涉及个人隐私的内容一律不要透露。"},
    {"type": "tooling_rules", "text": "Call `search` before you say that something is unknown."},
    {"type": "safety_rules", "text": "Never give doses of medicines."},
    {"type": "other", "text": "Mention the weekday beside a date."},
]
ROOM_FOR = [2, 4, 3, 1, 0, 5]
"""Places of MANY by what is left out last."""


def test_other_rules_are_left_out_first_and_safety_rules_last(folder: Path) -> None:
    with ruled(folder, MANY, system_blocks_max_tokens=0) as brain:
        whole = compose(brain, "m", "now", "zebra?").constraints.token_budget.slots
        least = whole["user_message"]
        packages = [
            compose(brain, "m", "now", "zebra?", token_limit=limit)
            for limit in range(least, least + whole["developer_blocks"] + 1)
        ]
    seen = []
    for package in packages:
        kept = [
            number for number, rule in enumerate(MANY) if rule["text"] in {r.text for r in package.developer_blocks}
        ]
        named = [one.id for one in package.debug.dropped if one.id.startswith("developer_blocks")]
        assert [one.text for one in package.developer_blocks] == [MANY[number]["text"] for number in kept]
        assert named == [f"developer_blocks[{number}]" for number in range(len(MANY)) if number not in kept]
        assert package.debug.dropped_counts["developer_blocks/budget"] == len(named)
        seen.append(kept)
    assert seen[0] == []
    assert seen[-1] == list(range(len(MANY)))
    for most in range(len(MANY) + 1):  # where the first so many fit, they are there
        assert sorted(ROOM_FOR[:most]) in seen


def test_rules_fold_into_the_system_message_unless_the_role_is_there(folder: Path) -> None:
    with ruled(folder) as brain:
        package = compose(brain, "m", "now", "zebra?")
    folded = render_messages(package)
    assert [one["role"] for one in folded].count("system") == 1
    assert all(rule["text"].split("\n")[0] in folded[0]["content"] for rule in RULES)
    apart = render_messages(package, developer_role=True)
    assert apart[1]["role"] == "developer"
    assert "隐私" in apart[1]["content"]
    assert "隐私" not in apart[0]["content"]


def test_without_rules_nothing_is_there(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The zebra eats grass."))
    package = compose(brain, "m", "s", "zebra?")
    assert not package.developer_blocks
    assert "developer_blocks" not in package.constraints.token_budget.slots


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ([{"type": "wishes", "text": "x"}], "policies.composition.developer_blocks.0.type"),
        ([RULES[0], {"type": "other", "text": " \n"}], "policies.composition.developer_blocks.1.text"),
        ([{"type": "other", "text": "字" * 4001}], "policies.composition.developer_blocks.0.text"),
        ([{"type": "other"}], "policies.composition.developer_blocks.0.text"),
        ([{"type": "other", "text": "x", "who": "me"}], "policies.composition.developer_blocks.0.who"),
        ([RULES[0]] * 51, "policies.composition.developer_blocks"),
        ("be nice", "policies.composition.developer_blocks"),
    ],
)
def test_bad_rules_are_refused_by_name(rules: object, field: str) -> None:
    with pytest.raises(PolicyError) as failed:
        load_policy({"policies": {"composition": {"developer_blocks": rules}}})
    assert failed.value.field == field
