"""ComposeContext and Retrieve before the memory is looked at, without its lock: plan, ask others, embed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core.compose import agent
from brain_core.compose.check import HINTED
from brain_core.compose.executors import NOBODY, Reach
from brain_core.compose.foreign import Others, receive
from brain_core.compose.package import check_fits
from brain_core.compose.plan import Planned, completed, most_pieces
from brain_core.compose.ratio import Ratio
from brain_core.compose.retrieve import Asked
from brain_core.compose.search import alike_of
from brain_core.compose.slots import SlotCounter
from brain_core.compose.worded import Worded
from brain_core.env import Env
from brain_core.kernels.pool import turned
from brain_core.models.embedder import Embedder, is_wordwise
from brain_core.policy import Policies

_PURE_RELEVANCE = 1.0


class Composing(NamedTuple):
    """A checked request with all that is worked out before the memory is looked at.

    limit: most tokens. said_cost: what the user message costs, in hundredths of a token. most: most pieces of evidence.
    planned: the plan as it was made or given. why: of the plan, in words. timings_ms: of the stages so far.
    tells_today: whether the package is to say which day it is.
    """

    request: ComposeContextRequest
    limit: int
    said_cost: int
    most: int
    asked: Asked
    others: Others
    planned: Planned
    why: str
    began: float
    timings_ms: dict[str, float]
    counter: SlotCounter
    tells_today: bool


@dataclass(frozen=True, slots=True)
class Retrieving:
    """A checked plan, completed, with what others answered to it. asked_by: as in executors.Reach."""

    asked: Asked
    others: Others
    asked_by: str


def prepare_compose(
    request: ComposeContextRequest,
    policies: Policies,
    embedder: Embedder,
    env: Env,
    counter: SlotCounter,
    reach: Reach,
    planner: Callable[[], Planned],
) -> Composing:
    """Plan, ask others and embed. Raises InvalidArgument if the user message alone is over the token limit.

    planner: looks at the memory, and is not asked where the request has a plan.
    """
    began = time.perf_counter()
    limit = request.token_limit or policies.composition.token_limit
    said_cost = check_fits(request.user_message, limit, counter)
    timings: dict[str, float] = {}
    if request.HasField("plan"):
        planned = Planned(request.plan, "plan given by the caller")
    else:
        planned = planner()
        timings["plan"] = (time.perf_counter() - began) * 1000
        if planned.advice is not None:
            timings["plan.llm"] = planned.advice.waited_ms
            timings["plan"] -= planned.advice.waited_ms
    plan = planned.plan
    most = plan.budget.top_k or most_pieces(request.token_limit, policies.composition)
    now_us = request.now.ToMicroseconds() if request.HasField("now") else None
    asked, others, timings["embed"] = _asked(request.memory_id, plan, policies, embedder, env, reach)
    ratio = Ratio.of(policies.composition.diversity, most)
    asked = asked._replace(now_us=now_us, ends_by_us=now_us, trade=policies.composition.mmr_trade, ratio=ratio)
    why = [planned.reason]
    if request.HasField("agent_state"):
        why += agent.told(request.agent_state, plan, most, policies)
    why_so = "; ".join(why)
    # Without a `now` it is the day of the newest text, which says nothing of when the user asks.
    tells = now_us is not None
    return Composing(request, limit, said_cost, most, asked, others, planned, why_so, began, timings, counter, tells)


def prepare_retrieve(
    request: RetrieveRequest, policies: Policies, embedder: Embedder, env: Env, reach: Reach
) -> Retrieving:
    """Complete the plan of a checked request, ask others and embed its queries."""
    asked, others, _ = _asked(request.memory_id, request.plan, policies, embedder, env, reach)
    return Retrieving(asked, others, reach.asked_by)


def _asked(
    memory_id: str, plan: RetrievalPlan, policies: Policies, embedder: Embedder, env: Env, reach: Reach
) -> tuple[Asked, Others, float]:
    """Return (what the memory is asked, what others answered meanwhile, the milliseconds that embedding took).

    They are waited for before the search, which holds the memory's lock.
    """
    at = Timestamp()
    at.FromMicroseconds(env.now_us())
    full = completed(plan, env.new_id(), policies)
    asking = reach.ask(memory_id, full) if reach.members else None
    began = time.perf_counter()
    worded = _worded(full, embedder, policies.retrieval.hints.meaning)
    # Others' answers are compared with vectors of the texts themselves.
    vectors = _vectors(full, embedder, policies.retrieval.hints.meaning, () if asking else worded)
    alike = alike_of(full, policies.retrieval)
    embedded = time.perf_counter()
    gathered = asking.collect() if asking else NOBODY
    received = time.perf_counter()
    guests = receive(gathered, vectors, embedder) if gathered.answers else ()
    embed_ms = (embedded - began + time.perf_counter() - received) * 1000
    asked = Asked(full, env.new_id(), vectors, at, None, _PURE_RELEVANCE, reach.due, worded=worded, alike=alike)
    return asked, Others(gathered, guests, full), embed_ms


def _vectors(
    plan: RetrievalPlan, embedder: Embedder, share: float, worded: Sequence[Worded | None]
) -> NDArray[np.float32]:
    """Return a vector per query; a text that stands in several is embedded once. share: of hints, beside 1 of the text.

    What has hints and no vector of its own has that of its hints. A lone query that is worded is not embedded besides:
    the sum of its words says that it has a vector.
    """
    hints = _hints(plan)
    if len(plan.queries) == 1 and not hints[0]:
        of_words = worded[0].plain() if worded and worded[0] else None
        return embedder.embed([plan.queries[0].text]) if of_words is None else of_words[np.newaxis]
    texts = dict.fromkeys([*(query.text for query in plan.queries), *filter(None, hints)])
    vectors = embedder.embed(list(texts))
    places = {text: place for place, text in enumerate(texts)}
    pairs = zip(plan.queries, hints, strict=True)
    return turned(vectors, [(places[query.text], places[hint] if hint else -1) for query, hint in pairs], share)


def _hints(plan: RetrievalPlan) -> list[str]:
    return ["\n".join(query.hints) if query.mode in HINTED else "" for query in plan.queries]


def _worded(plan: RetrievalPlan, embedder: Embedder, share: float) -> Sequence[Worded | None]:
    """Return the words of the queries by meaning alone; where words are looked for too, these tell rare from common."""
    if not any(query.mode == "semantic" for query in plan.queries) or not is_wordwise(embedder):
        return ()
    return [
        Worded(embedder.words(query.text), embedder.words(hint) if hint else None, share)
        if query.mode == "semantic"
        else None
        for query, hint in zip(plan.queries, _hints(plan), strict=True)
    ]
