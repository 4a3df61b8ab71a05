"""A plan carried out: what was found, as rows and numbers. Retrieve and the composer ask the same way."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core.compose.degrade import NO_VECTOR, Degraded, fit_to
from brain_core.compose.expiry import holding
from brain_core.compose.labels import NONE, Labels
from brain_core.compose.plan import ignored_fields
from brain_core.compose.ratio import Ratio
from brain_core.compose.search import Question, Ranking, search
from brain_core.compose.select import Selection, choose
from brain_core.compose.snippets import Snippets
from brain_core.compose.then import Then
from brain_core.compose.worded import Worded, in_words
from brain_core.index.memory_index import MemoryIndex
from brain_core.kernels.words import Alike
from brain_core.policy import Policies


class Asked(NamedTuple):
    """A completed plan and all it needs to be carried out.

    vectors: float32[queries, dimension]. now_us: the time that recency is counted from; None is the time of the newest
    text. trade: 1 for pure relevance; less trades it for variety. due: when the answer must be there, seconds of
    time.perf_counter; None is whenever it is. spare: evidences beyond top_k, for a composer that will find some of them
    in other slots. ratio: of memory and documents; None leaves it to the scores. then: the moment asked for, None for
    now. left_ms: instead of due, milliseconds that were left to a search that is done again; of what was carried out,
    those that were left to it if something was left out for that. codes_of: 0 looks at all vectors; of what was carried
    out, how many rows the codes that it went by were learned of. zone: in which days are told. ends_by_us: the time by
    which ends are judged; None leaves it to `ends_by`. worded: by query, those whose vector is made of its words when
    the memory is known, in the place of that of `vectors`. alike: as in Question.
    """

    plan: RetrievalPlan
    plan_id: str
    vectors: NDArray[np.float32]
    at: Timestamp
    now_us: int | None
    trade: float
    due: float | None = None
    spare: int = 0
    ratio: Ratio | None = None
    then: Then | None = None
    left_ms: float | None = None
    codes_of: int | None = None
    zone: tzinfo = UTC
    ends_by_us: int | None = None
    worded: Sequence[Worded | None] = ()
    alike: Mapping[str, tuple[Alike, ...]] = MappingProxyType({})


class Found(NamedTuple):
    """What a plan found. asked: as it was carried out. ignored: what could not be done. warnings: what was left out.

    degraded: the same as warnings, for machines. snippets: what is shown of the texts.
    """

    asked: Asked
    ranking: Ranking
    selection: Selection
    ignored: list[str]
    warnings: list[str]
    degraded: list[str]
    timings_ms: dict[str, float]
    snippets: Snippets
    labels: Labels = NONE


def ends_by(asked: Asked, newest_us: int) -> int:
    """Return the time by which ends are judged, Unix microseconds: the clock's, or that of the moment asked for.

    newest_us: of the newest text, which was said by then, whatever the clock says.
    """
    if asked.ends_by_us is not None:
        return asked.ends_by_us
    clock_us = asked.at.ToMicroseconds()
    return max(newest_us, clock_us if asked.then is None else min(asked.then.time_us, clock_us))


def execute(index: MemoryIndex, asked: Asked, policies: Policies, labels: Labels) -> Found:
    """Carry out a plan at the index's revision. The caller holds the memory's lock. labels: that its filters name."""
    began = time.perf_counter()
    missing = _unknown_to_the_embedder(asked)
    left_ms = asked.left_ms if asked.due is None else (asked.due - began) * 1000
    vectors = in_words(asked.worded, asked.vectors, index.lexical)
    within = fit_to(Degraded(asked.plan, vectors, [], []), left_ms, policies.retrieval.deadline)
    index.vectors.adopt()
    newest_us = index.chunks.newest_us if asked.then is None else asked.then.newest_us
    question = Question(
        index,
        within.plan,
        policies.ranking,
        policies.retrieval,
        newest_us if asked.now_us is None else asked.now_us,
        lambda rows: [evidence.snippet for evidence in index.chunks.records.read(rows.tolist())],
        index.vectors.search_all if asked.codes_of == 0 else None,
        asked.then,
        labels,
        asked.alike,
    )
    ends_by_us = ends_by(asked, newest_us)
    ranking, ended = holding(search(question, within.vectors), index.chunks, ends_by_us, asked.zone)
    searched = time.perf_counter()
    selection = choose(index, within.plan, ranking, asked.trade, asked.plan.budget.top_k + asked.spare, asked.ratio)
    if ended:
        selection = selection._replace(beyond=[*ended, *selection.beyond])
    timings = {"search": (searched - began) * 1000, "select": (time.perf_counter() - searched) * 1000}
    carried_out = asked._replace(
        plan=within.plan,
        vectors=within.vectors,
        now_us=question.now_us,
        left_ms=left_ms if within.words else None,
        codes_of=0 if asked.codes_of == 0 else index.vectors.learned_of,
        ends_by_us=ends_by_us,
    )
    degraded = [*within.left_out, NO_VECTOR] if missing else within.left_out
    ignored = ignored_fields(asked.plan, policies.retrieval.rrf_k)
    then = [*_documents_gone(asked), *_committed_later(asked)]
    warnings = [*within.words, *missing, *_naming_nothing(ranking), *_unread(ranking), *then]
    snippets = Snippets(within.plan.output, ranking.candidates)
    return Found(carried_out, ranking, selection, ignored, warnings, degraded, timings, snippets, labels)


def _naming_nothing(ranking: Ranking) -> list[str]:
    return [
        f"queries[{number}]: it names no entity, address, task or item that the memory knows: nothing is related to it"
        for number, one in enumerate(ranking.candidates)
        if one.kin is not None and not one.kin.names
    ]


def matching_nothing(ranking: Ranking) -> list[str]:
    """Name the filters of a plan that hold for nothing in the memory; a caller may have misspelt them."""
    idle = dict.fromkeys(words for one in ranking.candidates for words in one.allowed.idle)
    return [f"filter {words}: matches nothing in this memory" for words in idle]


def _unread(ranking: Ranking) -> list[str]:
    return [
        f"queries[{number}]: its phrase has no indexed word and was not looked for in {one.unread} older texts"
        for number, one in enumerate(ranking.candidates)
        if one.unread
    ]


def _documents_gone(asked: Asked) -> list[str]:
    if asked.then is None or not asked.then.gone or not asked.plan.resource_retrieval.enabled:
        return []
    return [f"as_of: documents are as of now: of {asked.then.gone} of then, text was replaced or taken out since"]


def _committed_later(asked: Asked) -> list[str]:
    if asked.then is None or not asked.then.belated:
        return []
    words = f"{asked.then.belated} texts that were said by then were committed later and are left out"
    return [f"as_of.time: it is the time of commits: {words} (a filter time_range goes by what was said when)"]


def _unknown_to_the_embedder(asked: Asked) -> list[str]:
    return [
        f"queries[{number}]: it has no vector (no word that the embedder knows, or its endpoint did not answer): "
        "semantic part left out"
        for number, (query, vector) in enumerate(zip(asked.plan.queries, asked.vectors, strict=True))
        if query.mode != "exact" and not np.count_nonzero(vector)
    ]
