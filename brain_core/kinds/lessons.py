"""What was learned by doing: cases, patterns, experiences."""

from __future__ import annotations

from smartbrain.v1.item_pb2 import LAYER_LONGTERM

from brain_core.kinds.kind import Kind, Value, labelled, lines, listed, path, shown, told
from brain_core.kinds.shape import OBJECT, TEXT, TEXTS, Field, entries, number, word

OUTCOMES = ("success", "failure", "learning")

_APPROACH = Field(
    "object",
    fields={"tools": TEXTS, "methods": TEXTS, "time_spent": number(0), "iterations": number(0)},
)
_RESULT = Field(
    "object",
    fields={"quality": number(1, 10), "efficiency": number(1, 10), "user_satisfaction": number(1, 5)},
)
_LEARNING = Field(
    "object",
    fields={"skills_acquired": TEXTS, "lessons_learned": TEXTS, "mistakes": TEXTS, "best_practices": TEXTS},
)


def _case(value: Value) -> str:
    return lines(
        f"Case in {value['domain']}: {value['problem']}",
        labelled("Solution", value.get("solution")),
        labelled("Outcome", value.get("outcome")),
        listed("Artifacts", [each["ref"] for each in value.get("artifacts", ())], ", "),
    )


def _pattern(value: Value) -> str:
    return f"Pattern in {value['domain']}, {value['name']}: {value['rule']}"


def _experience(value: Value) -> str:
    learning = value.get("learning", {})
    return lines(
        f"Experience with {value['task_type']} ({value['outcome']}): {value['description']}",
        listed("Domains", value.get("domains"), ", "),
        told("Approach", value.get("approach")),
        told("Result", value.get("result")),
        listed("Skills", learning.get("skills_acquired"), ", "),
        listed("Lessons", learning.get("lessons_learned")),
        listed("Mistakes", learning.get("mistakes")),
        listed("Best practices", learning.get("best_practices")),
        labelled("Complexity", shown(value["complexity"])),
    )


LESSONS = (
    Kind(
        type="cases", prefix="case", parts=("domain", "slug"), policy="versioned",
        fields={
            "domain": TEXT, "slug": TEXT, "problem": TEXT, "solution": TEXT, "outcome": TEXT,
            "artifacts": entries(("ref",), type=TEXT, ref=TEXT),
        },
        required=("problem",), defaults={"domain": "general"}, slugged=("slug", "problem"),
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "lesson", priority=lambda _: 4,
        render=_case, uri=lambda v: f"workflow://solutions/{path(v['domain'], v['slug'])}",
        compared=("problem",),
    ),
    Kind(
        type="patterns", prefix="pattern", parts=("domain", "name"), policy="versioned",
        fields={"domain": TEXT, "name": TEXT, "rule": TEXT, "confidence": number(0, 1)},
        required=("name", "rule"), defaults={"domain": "general"},
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "pattern", priority=lambda _: 3,
        render=_pattern, uri=lambda v: f"workflow://patterns/{path(v['domain'], v['name'])}",
        compared=("name", "rule"),
    ),
    Kind(
        type="experiences", prefix="experience", parts=("task_type", "slug"), policy="versioned",
        fields={
            "task_type": TEXT, "slug": TEXT, "outcome": word(*OUTCOMES), "description": TEXT,
            "complexity": number(1, 10), "domains": TEXTS, "approach": _APPROACH, "result": _RESULT,
            "learning": _LEARNING, "associations": OBJECT,
        },
        required=("outcome", "description"), defaults={"task_type": "general", "complexity": 5},
        slugged=("slug", "description"),
        layer=lambda _: LAYER_LONGTERM, category=lambda _: "lesson", priority=lambda _: 4,
        render=_experience, uri=lambda v: f"workflow://experiences/{path(v['task_type'], v['slug'])}",
        compared=("description",),
    ),
)  # fmt: skip
"""Rows of what doing has taught."""
