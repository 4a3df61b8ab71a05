"""A brain that asks a language model how to look, and what such a model answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from smartbrain.v1.context_pb2 import ContextPackage

from brain_core import Brain, load_policy
from tests.building import embedder, ticking
from tests.models.chat_endpoint import MODEL, ChatStub

PATIENT_MS = 20_000
"""A timeout that no healthy endpoint needs."""


def section(url: str, **llm: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the section of brain.yml that names an endpoint. llm: keys of planner.llm."""
    return {"llm": {"url": url, "model": MODEL, "timeout_ms": PATIENT_MS, **llm}}


def open_advised(folder: Path, stub: ChatStub, policies: dict[str, Any] | None = None, **llm: Any) -> Brain:  # noqa: ANN401
    """Open a brain that asks the endpoint."""
    changes = {"planner": section(stub.url, **llm), "policies": policies or {}}
    return Brain.open(folder, load_policy({"store": {"durability": "process"}, **changes}), embedder(), ticking())


def advice(**fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a good answer that leaves all to the rules but the purpose. fields: that differ."""
    empty = {"documents": False, "why": "", "expansions": [], "time_from": "", "time_to": "", "time_words": ""}
    return {"purpose": "qa", **empty, "types": [], **fields}


def says(stub: ChatStub, **fields: Any) -> None:  # noqa: ANN401
    """Let the endpoint answer so from now on."""
    stub.behaviour.answer = lambda _: advice(**fields)


def texts(package: ContextPackage) -> list[tuple[str, float]]:
    """Return (text, weight) of each query as it was asked."""
    return [(query.text, round(query.weight, 3)) for query in package.debug.planner.queries]


def named(package: ContextPackage) -> list[str]:
    """Return what of the answer was not taken, without the prefix of such lines."""
    return [line.removeprefix("planner.llm: ") for line in package.debug.ignored if line.startswith("planner.llm: ")]
