"""Servers that differ in one or two policies answer the same messages in turn, so that noise hits all the same."""

import contextlib
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

import grpc
from smartbrain.v1.brain_service_pb2 import ComposeContextResponse
from smartbrain.v1.plan_pb2 import PlanBudget, PlanDiversity, PlanQuery, ResourceRetrieval, RetrievalPlan
from tqdm import tqdm

from benchmarks.engine.calls import compose_call, fill
from benchmarks.engine.texts import Texts
from benchmarks.overhead.messages import Messages
from benchmarks.quality.metrics import percentile
from benchmarks.server import running_server
from brain_core import load_policy

_NO_PLANNER: dict[str, object] = {"retrieval": {"query_expansion": {"enabled": False}}}
_NO_TRACE: dict[str, object] = {"observability": {"trace": False}}
_NO_HINTS: dict[str, object] = {"retrieval": {"hints": {"messages": 0}}}
VARIANTS: dict[str, dict[str, object]] = {
    "caller's plan": {**_NO_PLANNER, **_NO_TRACE},
    "both off": {**_NO_PLANNER, **_NO_TRACE},
    "planner": _NO_TRACE,
    "trace": _NO_PLANNER,
    "planner and trace, no hints": _NO_HINTS,
    "planner and trace": {},
}
"""Policies by what they leave on. With the first no message is read; the last is as shipped."""

OWN, BASE, *_, SHIPPED = VARIANTS
"""Both of the first two are what the others are compared with."""

_TIMEOUT = 60.0  # seconds per call

Call = Callable[..., bytes]
"""A method of one server: request as bytes, `timeout` in seconds."""


class Row(TypedDict):
    """One kind of message; the dictionaries are by variant. Milliseconds as the caller sees them.

    ratio: of medians, to both off. paired: each message's median over that of both off, the median of all messages;
    to_own: over that of the caller's plan. queries: that the planner made of a message, mean.
    """

    kind: str
    messages: int
    calls: int
    queries: float
    p50_ms: dict[str, float]
    p95_ms: dict[str, float]
    ratio: dict[str, float]
    paired: dict[str, float]
    to_own: dict[str, float]
    response_bytes: dict[str, int]


def run(texts: Texts, chunks: int, messages: Messages, rounds: int, folder: Path) -> list[Row]:
    """Fill one store, serve a copy of it under each variant, and ask. Raises grpc.RpcError when a call fails."""
    with running_server({"store": {"durability": "process"}}, folder / "filled") as server:
        fill(server.target, texts, chunks)
    with contextlib.ExitStack() as stack:
        calls: dict[str, Call] = {}
        for number, (name, policies) in enumerate(VARIANTS.items()):
            data = folder / f"store-{number}"
            shutil.copytree(folder / "filled", data)
            server = stack.enter_context(running_server({"policies": policies}, data))
            channel = stack.enter_context(grpc.insecure_channel(server.target))
            calls[name] = channel.unary_unary(compose_call("")[0])
        return [_row(calls, kind, asked, rounds) for kind, asked in messages.items()]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one variant answered. spent: milliseconds, by message. sizes: of responses. queries: of its planner."""

    spent: list[list[float]]
    sizes: list[int] = field(default_factory=list)
    queries: list[int] = field(default_factory=list)


def _row(calls: Mapping[str, Call], kind: str, messages: Sequence[str], rounds: int) -> Row:
    seen = _asked(calls, kind, messages, rounds)
    every = {name: [took for of_message in one.spent for took in of_message] for name, one in seen.items()}
    medians = {name: [percentile(took, 0.5) for took in one.spent] for name, one in seen.items()}
    p50 = {name: percentile(took, 0.5) for name, took in every.items()}
    return Row(
        kind=kind,
        messages=len(messages),
        calls=len(messages) * rounds,
        queries=sum(seen[SHIPPED].queries) / len(messages),
        p50_ms={name: round(took, 4) for name, took in p50.items()},
        p95_ms={name: round(percentile(took, 0.95), 4) for name, took in every.items()},
        ratio={name: round(took / p50[BASE], 4) for name, took in p50.items()},
        paired={name: round(_paired(took, medians[BASE]), 4) for name, took in medians.items()},
        to_own={name: round(_paired(took, medians[OWN]), 4) for name, took in medians.items()},
        response_bytes={name: round(percentile(one.sizes, 0.5)) for name, one in seen.items()},
    )


def _asked(calls: Mapping[str, Call], kind: str, messages: Sequence[str], rounds: int) -> dict[str, _Seen]:
    """Ask each message of each server, whose order goes round; then all again. A first round is not timed."""
    names = list(calls)
    requests = [_requests(names, message) for message in messages]
    seen = {name: _Seen([[] for _ in messages]) for name in names}
    for one in tqdm(range(rounds + 1), desc=kind, disable=None):
        for number, request in enumerate(requests):
            first = (one + number) % len(names)
            for name in (*names[first:], *names[:first]):
                before = time.perf_counter()
                response = calls[name](request[name], timeout=_TIMEOUT)
                took_ms = (time.perf_counter() - before) * 1e3
                if one:
                    seen[name].spent[number].append(took_ms)
                else:
                    seen[name].sizes.append(len(response))
                    seen[name].queries.append(_queries(response))
    return seen


def _requests(names: Sequence[str], message: str) -> dict[str, bytes]:
    plan = _plan(message)
    return {name: compose_call(message, plan if name == OWN else None)[1] for name in names}


def _plan(message: str) -> RetrievalPlan:
    """Return the plan that the planner makes of a message without cues."""
    composition = load_policy().policies.composition
    caps = PlanDiversity(by_document=composition.diversity.by_document, by_source=composition.diversity.by_source_uri)
    return RetrievalPlan(
        queries=[PlanQuery(text=message, mode="hybrid")],
        budget=PlanBudget(top_k=composition.evidence_items, diversity=caps),
        resource_retrieval=ResourceRetrieval(enabled=False),
    )


def _paired(medians: Sequence[float], base: Sequence[float]) -> float:
    return percentile([one / other for one, other in zip(medians, base, strict=True)], 0.5)


def _queries(response: bytes) -> int:
    return len(ComposeContextResponse.FromString(response).context.debug.planner.queries)
