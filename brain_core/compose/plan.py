"""From a message to a RetrievalPlan, and from a plan with gaps to one with every default filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, tzinfo
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.plan_pb2 import (
    Fusion,
    PerModeK,
    PlanBudget,
    PlanDiversity,
    PlanOutput,
    PlanQuery,
    PlanRanking,
    Rerank,
    ResourceRetrieval,
    RetrievalPlan,
)

from brain_core.compose.check import HINTED, MODES, RANKERS, SOURCE_TYPES, VERSION
from brain_core.compose.own_days import day_range, items_about
from brain_core.compose.planner.adviser import Advice
from brain_core.compose.planner.amid import Amid, amid
from brain_core.compose.planner.gather import TURNS, places_named, recent_of
from brain_core.compose.planner.queries import LONGEST_QUERY, Known, both_ends, queries
from brain_core.compose.planner.read import Reading, Recent, read
from brain_core.compose.planner.telling import documents_tell
from brain_core.compose.planner.tells import Period
from brain_core.compose.planner.why import decide, reason_of
from brain_core.compose.said import SaidTurn
from brain_core.compose.search import formula_of
from brain_core.compose.then import Then
from brain_core.index.chunks import ChunkTable
from brain_core.index.memory_index import MemoryIndex
from brain_core.once import Once
from brain_core.policy import Composition, Policies
from brain_core.policy.section import MOST
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE
from brain_core.zones import day_at, midnight_us

LISTS = ("exact", "semantic", "relational", "associative")
"""Sorts of list that queries bring to the fusion."""

_MESSAGES_PER_TURN = 2
_BY_MODE = attrgetter(*MODES)
_REMEMBERED = 64  # budgets by what they are made of; a policy and its kinds of task come to a few

_OF_ASSISTANTS = 2 / 3
"""Share of the characters said in a memory that are an assistant's, from which they hide what users told.

Of two friends one may be logged as the assistant; they say as much as each other (a half), assistants three to seven
times as much as their users.
"""


class Planned(NamedTuple):
    """A plan and why it is so, in words. revision: of the memory that the planner looked at, 0 where none did.

    advice: of a language model, None where none is configured. turns: gives the session's newest while the memory is at
    that revision, None where no planner looked. then: the moment that the context is of, None for now.
    """

    plan: RetrievalPlan
    reason: str
    revision: int = 0
    advice: Advice | None = None
    turns: Callable[[], Sequence[SaidTurn]] | None = None
    then: Then | None = None


class Asker(NamedTuple):
    """How a message is taken. zone: in which "yesterday" is counted.

    longest_query: characters that a query of a plan may have; of a longer message both ends are asked.
    """

    zone: tzinfo = UTC
    longest_query: int = LONGEST_QUERY


ASKER = Asker()


def plan_message(
    request: ComposeContextRequest,
    policies: Policies,
    index: MemoryIndex,
    turns: Callable[[], Sequence[SaidTurn]],
    advice: Advice | None = None,
    then: Then | None = None,
    asker: Asker = ASKER,
) -> Planned:
    """Return the plan for a message, for as much evidence as a package may hold. The caller holds the memory's lock.

    turns: gives the session's newest, oldest first, at least as many as a context shows; called only where the message
    leans on them. advice: stands over what rules read. then: the moment that the context is of, None for now.
    """
    message = both_ends(request.user_message, asker.longest_query)
    newest_us, rows = (index.chunks.newest_us, len(index.chunks)) if then is None else (then.newest_us, then.rows)
    now_us = request.now.ToMicroseconds() if request.HasField("now") else newest_us
    recent = Once(lambda: recent_of(turns()[-TURNS:]))
    reading, advice = _read(request.user_message, day_at(now_us, asker.zone), recent, advice)
    if reading.scattered and not _is_of_assistants(index.chunks, rows):
        reading = reading._replace(scattered="")
    plan = RetrievalPlan(version=VERSION, purpose=reading.intent)
    if reading.scattered:
        plan.ranking.scattered = True
    places = places_named(index.chunks, rows, reading.place) if reading.place else ()
    aliases: Sequence[str] = ()
    if reading.intent != "other" and then is None:  # which names an entity had then is not known
        aliases = index.aliases.others(request.user_message, index.chunks)
    expansion, hints = policies.retrieval.query_expansion, policies.retrieval.hints
    left_out: Sequence[PlanQuery] = ()
    days: Sequence[Period] = ()
    around = Amid()
    if expansion.enabled:
        # Where nothing of it is asked for, the log is not read.
        before = recent() if hints.messages or reading.follows or reading.refers_to else Recent()
        advised = advice.expansions if advice is not None else ()
        days = _known_days(reading, index, then, asker.zone)
        task = request.agent_state.task
        known = Known(request.session_id, before, places, aliases, task, advised, asker.zone, days)
        around = amid(message, before.texts, hints)
        asked = queries(message, reading, known, around.hints)
        plan.queries.extend(asked[: expansion.max_queries])
        left_out = asked[expansion.max_queries :]
    else:
        plan.queries.add(text=message, mode="hybrid")
    plan.budget.CopyFrom(_budget(plan, most_pieces(request.token_limit, policies.composition), policies))
    wanted, why_wanted = _wants_documents(request.user_message, reading, advice, index, policies)
    plan.resource_retrieval.enabled, plan.resource_retrieval.reason = wanted, why_wanted
    plan.debug.caller.session_id = request.session_id
    why = reason_of(reading, places, aliases, why_wanted, days=days, around=around.told, expanded=expansion.enabled)
    if advice is None:
        return Planned(plan, why, index.revision, None, turns, then)
    under = advice.under(policies.retrieval, left_out)
    return Planned(plan, f"{why}; {advice.told}", index.revision, under, turns, then)


def _read(
    message: str, today: date, recent: Callable[[], Recent], advice: Advice | None
) -> tuple[Reading, Advice | None]:
    """Return how a message is read, and the advice beside what rules read of it."""
    reading = read(message, today, recent)
    if advice is not None:
        advice = advice.beside(reading)
        reading = advice.over(reading)
    return reading.looking_ahead(today), advice


def _wants_documents(
    message: str, reading: Reading, advice: Advice | None, index: MemoryIndex, policies: Policies
) -> tuple[bool, str]:
    """Return whether documents are looked at, and why: a model's word stands over what they tell."""
    policy = policies.retrieval.enable_resource_retrieval
    if policy == "auto" and advice is None and reading.may_want_documents:
        told = documents_tell(index, message, formula_of(policies.ranking))
        if told:
            return True, told
    return decide(reading, policy)


def _is_of_assistants(chunks: ChunkTable, rows: int) -> bool:
    """Return whether most of a memory is what assistants said: among people, what is said around a text tells of it."""
    said = chunks.column("chars")[:rows] * (chunks.column("kind")[:rows] == CHUNK_KIND_MESSAGE)
    of_assistants = int(said[chunks.column("assistant")[:rows] != 0].sum())
    return of_assistants > 0 and of_assistants >= _OF_ASSISTANTS * int(said.sum())


def _known_days(reading: Reading, index: MemoryIndex, then: Then | None, zone: tzinfo) -> list[Period]:
    """Return of the days asked for those that something is about: to come, or past and told at another time."""
    chunks, found = index.chunks, []
    if reading.ahead and len(items_about(chunks, day_range(reading.ahead.start, reading.ahead.stop), then)):
        found.append(reading.ahead)
    if reading.period:
        start, stop = reading.period.start, reading.period.stop
        times = chunks.column("time_us")[items_about(chunks, day_range(start, stop), then)]
        if ((times < midnight_us(start, zone)) | (times >= midnight_us(stop, zone))).any():
            found.append(reading.period)
    return found


def most_pieces(token_limit: int, policy: Composition) -> int:
    """Return how many pieces of evidence a context may have. token_limit: of the request, 0 if it names none."""
    return min(policy.evidence_max_items, max(policy.evidence_items, token_limit // policy.evidence_item_tokens))


def _budget(plan: RetrievalPlan, most: int, policies: Policies) -> PlanBudget:
    """Return the budget that asks for so many pieces, and for as many of each mode, where the policy's quota is less.

    What hints are taken from is found, too, and stands in recent_turns: it must not take up the quota of the queries.
    """
    said = any(query.hints for query in plan.queries)
    recent = policies.composition.recent_turns_max * _MESSAGES_PER_TURN if said else 0
    diversity = policies.composition.diversity
    return _room(most, recent, _quotas(policies), diversity.by_document, diversity.by_source_uri)


def _quotas(policies: Policies) -> tuple[int, ...]:
    """Return the policy's quotas, by mode."""
    quotas: tuple[int, ...] = _BY_MODE(policies.retrieval.per_mode_k)
    return quotas


@lru_cache(maxsize=_REMEMBERED)
def _room(most: int, recent: int, quotas: Sequence[int], by_document: int, by_source: int) -> PlanBudget:
    """Return a budget, which is for copying. quotas: by mode."""
    budget = PlanBudget(top_k=most, diversity=PlanDiversity(by_document=by_document, by_source=by_source))
    for mode, quota in zip(MODES, quotas, strict=True):
        wanted = min(max(most, quota) + (recent if mode == "hybrid" else 0), MOST)
        if wanted > quota:
            setattr(budget.per_mode_k, mode, wanted)
    return budget


def completed(plan: RetrievalPlan, request_id: str, policies: Policies) -> RetrievalPlan:
    """Return a copy with every default filled in; request_id is for a plan that has none."""
    retrieval = policies.retrieval
    full = RetrievalPlan()
    full.CopyFrom(
        _defaults(
            (retrieval.top_k, retrieval.candidate_k, retrieval.rrf_k),
            _quotas(policies),
            policies.ranking.rerank_top_n,
            policies.composition.max_snippet_chars,
            retrieval.enable_resource_retrieval != "off",
        )
    )
    full.request_id = request_id
    full.MergeFrom(plan)  # in which what is 0 or empty says nothing
    for query in full.queries:
        query.mode = query.mode or "hybrid"
        query.weight = query.weight or 1.0
    return full


@lru_cache(maxsize=_REMEMBERED)
def _defaults(
    numbers: tuple[int, int, int], quotas: Sequence[int], rerank_top_n: int, snippet_chars: int, resources: bool
) -> RetrievalPlan:
    """Return a plan of what a plan says that says nothing, which is for copying. numbers: top_k, candidate_k, rrf_k."""
    top_k, candidate_k, rrf_k = numbers
    per_mode = PerModeK(**dict(zip(MODES, quotas, strict=True)))
    diversity = PlanDiversity(by_document=3, by_source=10, by_section=1)
    return RetrievalPlan(
        version=VERSION,
        purpose="qa",
        budget=PlanBudget(top_k=top_k, candidate_k=candidate_k, per_mode_k=per_mode, diversity=diversity),
        ranking=PlanRanking(
            fusion=Fusion(method="rrf", rrf_k=rrf_k),
            rerank=Rerank(enabled=True, model=RANKERS[0], top_n=rerank_top_n),
            tie_breaker="none",
        ),
        output=PlanOutput(
            include_snippets=True,
            include_signals=True,
            include_provenance=True,
            snippet_policy="auto",
            max_snippet_chars=snippet_chars,
        ),
        resource_retrieval=ResourceRetrieval(enabled=resources),
    )


def ignored_fields(plan: RetrievalPlan, usual_rrf_k: int) -> list[str]:
    """Name what a completed plan asks for and this executor cannot do, as paths. usual_rrf_k: of a plan without one."""
    ignored = [
        f"queries[{number}].hints: mode {query.mode} goes by its text alone"
        for number, query in enumerate(plan.queries)
        if query.hints and query.mode not in HINTED
    ]
    return ignored + _ignored_of(plan.ranking.SerializeToString(), usual_rrf_k)


@lru_cache(maxsize=_REMEMBERED)
def _ignored_of(serialised: bytes, usual_rrf_k: int) -> list[str]:
    """Name the same of a PlanRanking, serialised, as most plans have it. Nobody changes the list."""
    ranking = PlanRanking.FromString(serialised)
    ignored = [f"ranking.fusion.weights[{name}]" for name in sorted(ranking.fusion.weights) if name not in LISTS]
    ignored += _fused_in_vain(ranking, usual_rrf_k)
    priorities = sorted(ranking.source_priority)
    if priorities and ranking.tie_breaker != "source_priority":
        ignored.append(f"ranking.source_priority: ranking.tie_breaker is {ranking.tie_breaker}")
    else:
        ignored += [f"ranking.source_priority[{name}]" for name in priorities if name not in ("memory", *SOURCE_TYPES)]
    return ignored


def _fused_in_vain(ranking: PlanRanking, usual_rrf_k: int) -> list[str]:
    """Name what of the fusion moves nothing because the ranker orders what it brings."""
    if not ranking.rerank.enabled:
        return ["ranking.scattered: ranking.rerank is off"] if ranking.scattered else []
    fusion = ranking.fusion
    named = ["method"] if fusion.method != "rrf" else []
    named += ["rrf_k"] if fusion.rrf_k != usual_rrf_k else []
    named += [f"weights[{name}]" for name in LISTS if fusion.weights.get(name, 1.0) not in (0.0, 1.0)]
    why = "says only which top_n texts are scored: ranking.rerank orders them"
    return [f"ranking.fusion.{name}: {why}" for name in named]
