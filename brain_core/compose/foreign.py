"""What other executors found, on the scale of what this memory found, without what it has already.

An evidence that has a rerank_score keeps it: by the contract it is comparable. Any other is looked at here, and gets
what the ranker gives to a text that is a session of its own and that nobody stands beside: how much it has of the words
of the query that it fits best, by what they weigh in this memory, and how near its meaning is. For one of rank r in its
pack, from 0, that counts k / (k + r), so that its executor's order decides between texts that look alike.

A text of this memory is also looked at with its neighbours, so it scores higher: an unscored text from elsewhere wins
only where it plainly fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Dropped, Evidence
from smartbrain.v1.plan_pb2 import PlanDiversity, RetrievalPlan

from brain_core.compose.executors import MARK, Gathered
from brain_core.compose.retrieve import Found
from brain_core.compose.search import weights_of
from brain_core.index.chunks import text_hash
from brain_core.index.memory_index import MemoryIndex
from brain_core.models.embedder import Embedder, fresh_vectors
from brain_core.policy import Ranking
from brain_core.text.words import terms

_SHARED = ("http", "https", "file", "ftp", "s3")
"""Schemes whose addresses mean the same whoever says them; those of turns, items and one's own kinds do not."""

_MOST_COMPARED = 16  # rows of one document or address


@dataclass(frozen=True, slots=True)
class Guest:
    """An evidence of another executor as it came. rank: in its pack, from 0. cosines: float32[queries]."""

    executor: str
    evidence: Evidence
    rank: int
    cosines: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Piece:
    """An evidence of another executor under a name of its own. score: 0..1. why: it has it, in words."""

    evidence: Evidence
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """What may stand beside what the memory found, best first, and what may not."""

    pieces: Sequence[Piece] = ()
    dropped: Sequence[Dropped] = ()


NOTHING = Foreign()


class Others(NamedTuple):
    """What others answered to a plan, before it is held against what the memory found. plan: as it was sent."""

    gathered: Gathered
    guests: Sequence[Guest]
    plan: RetrievalPlan

    def beside(self, found: Found, index: MemoryIndex, policy: Ranking) -> Foreign:
        """Return what of it may stand beside that. The caller holds the memory's lock."""
        return weigh(self.guests, self.plan, found, index, policy) if self.guests else NOTHING

    def ignored(self, found: Found) -> list[str]:
        """Return what of the plan's fields was not done. Where others were to be asked, documents were sought."""
        if not self.gathered.asked:
            return found.ignored
        return [words for words in found.ignored if words != "resource_retrieval.enabled"]


def receive(gathered: Gathered, vectors: NDArray[np.float32], embedder: Embedder) -> list[Guest]:
    """Return all that was gathered. vectors: float32[queries, dimension]. Waits for no model and no endpoint."""
    came = [(one.name, rank, each) for one in gathered.answers for rank, each in enumerate(one.evidences)]
    unscored = [place for place, (_, _, each) in enumerate(came) if not each.signals.HasField("rerank_score")]
    cosines = np.zeros((len(came), len(vectors)), dtype=np.float32)
    if unscored:
        cosines[unscored] = fresh_vectors(embedder, [came[place][2].snippet for place in unscored]) @ vectors.T
    return [Guest(name, each, rank, cosines[place]) for place, (name, rank, each) in enumerate(came)]


def weigh(guests: Sequence[Guest], plan: RetrievalPlan, found: Found, index: MemoryIndex, policy: Ranking) -> Foreign:
    """Return the guests that this memory does not have itself, under the plan's caps on one origin.

    plan: as it was sent. The caller holds the memory's lock.
    """
    scale = _Scale(plan, index, policy)
    scored = sorted(((guest, *scale.score(guest)) for guest in guests), key=lambda one: -one[1])
    known, caps = _Known(found, index), _Caps(found, index)
    pieces, dropped = [], []
    for guest, score, why in scored:
        evidence = renamed(guest.executor, guest.evidence)
        twin = known.twin(guest.evidence, evidence.id)
        full = caps.full(guest.evidence, evidence.source_uri) if not twin else ""
        if twin or full:
            reason = "duplicate" if twin else "diversity"
            dropped.append(Dropped(id=evidence.id, reason=reason, detail=twin or full))
        else:
            pieces.append(Piece(evidence, score, f"remote {guest.executor}: score {score:.3f} ({why})"))
    return Foreign(pieces, dropped)


def renamed(executor: str, evidence: Evidence) -> Evidence:
    """Return an evidence whose ids, and address where it is one of a brain's, name the executor that they come from.

    Nothing of this memory has such names: no evidence from elsewhere can pose as one of its own.
    """
    named = Evidence()
    named.CopyFrom(evidence)
    named.id = f"{MARK}{executor}:{evidence.id}"
    for message, fields in (
        (named, ("document_id", "section_id")),
        (named.ref, evidence.ref.DESCRIPTOR.fields_by_name),
    ):
        for name in fields:
            value = getattr(message, name)
            if value:
                setattr(message, name, f"{MARK}{executor}:{value}")
    if not _is_shared(evidence.source_uri):
        scheme, _, rest = evidence.source_uri.partition("://")
        named.source_uri = f"{scheme}://{executor}@{rest.replace('@', '%40')}"
    named.ClearField("raw")
    return named


def _is_shared(address: str) -> bool:
    return address.partition("://")[0].lower() in _SHARED


class _Scale:
    """Scores of guests, as if the ranker had given them."""

    def __init__(self, plan: RetrievalPlan, index: MemoryIndex, policy: Ranking) -> None:
        self._k = plan.ranking.fusion.rrf_k
        weights = weights_of(policy, plan)
        total = sum(weights.model_dump().values()) or 1.0
        self._words = (weights.lexical + weights.session_lexical) / total
        self._meaning = (weights.semantic + weights.session_semantic) / total
        self._queries = []
        for query in plan.queries:
            wanted = list(dict.fromkeys(terms(query.text)))
            idf = dict(zip(wanted, index.lexical.idf(wanted).tolist(), strict=True))
            self._queries.append((min(1.0, query.weight), idf, sum(idf.values())))

    def score(self, guest: Guest) -> tuple[float, str]:
        """Return (0..1, of what in words)."""
        signals = guest.evidence.signals
        if signals.HasField("rerank_score"):
            return signals.rerank_score, "as it gave it"
        said = set(terms(guest.evidence.snippet))
        parts = max(self._looks(said, guest.cosines.tolist()))
        score = parts[0] * self._k / (self._k + guest.rank)
        return score, f"as seen here: words {parts[1]:.2f}, meaning {parts[2]:.2f}; rank {guest.rank + 1} there"

    def _looks(self, said: set[str], cosines: Sequence[float]) -> Iterator[tuple[float, float, float]]:
        """Yield of each query (how well a text fits, share of its words that the text has, nearness), each 0..1."""
        for (weight, idf, total), cosine in zip(self._queries, cosines, strict=True):
            words = sum(idf[word] for word in idf.keys() & said) / total if total else 0.0
            meaning = min(1.0, max(0.0, cosine))
            yield weight * (self._words * words + self._meaning * meaning), words, meaning


class _Known:
    """What the memory found itself, and what came from elsewhere so far."""

    def __init__(self, found: Found, index: MemoryIndex) -> None:
        self._chunks, self._rows = index.chunks, found.ranking.rows
        self._hashes = self._chunks.column("text_hash")[self._rows]
        self._texts: dict[int, str] = {}
        self._places: dict[tuple[object, ...], str] = {}

    def twin(self, evidence: Evidence, name: str) -> str:
        """Return in words what an evidence says again, "" if nothing; then it is known by its name from now on."""
        text, places = text_hash(evidence.snippet), list(_places(evidence))
        rows = self._rows[self._hashes == text]
        if len(rows):
            return f"same text as {self._chunks.records.id(int(rows[0]))}"
        if text in self._texts:
            return f"same text as {self._texts[text]}"
        for place in places:
            twin = self._places.get(place) or self._standing(evidence, place)
            if twin:
                return f"same place as {twin}"
        self._texts[text] = name
        self._places.update(dict.fromkeys(places, name))
        return ""

    def _standing(self, evidence: Evidence, place: tuple[object, ...]) -> str:
        """Return the id of a found row at this place, "" if there is none."""
        kind, value = ("document", evidence.document_id) if place[0] == "document" else ("uri", evidence.source_uri)
        ordinals = self._chunks.names[kind].find([value])
        rows = self._rows[np.isin(self._chunks.column(kind)[self._rows], ordinals)][:_MOST_COMPARED]
        same = (each.id for each in self._chunks.records.read(rows.tolist()) if place in _places(each))
        return next(same, "")


def _places(evidence: Evidence) -> Iterator[tuple[object, ...]]:
    """Yield what names the place of an evidence wherever it was found; a brain's own addresses do not."""
    metadata = evidence.metadata
    if evidence.document_id:
        yield "document", evidence.document_id, evidence.section_id, metadata.chunk_index
    if metadata.offset_end > 0 and _is_shared(evidence.source_uri):
        yield "uri", evidence.source_uri, metadata.offset_start, metadata.offset_end


class _Caps:
    """How many share an origin, whoever found them."""

    def __init__(self, found: Found, index: MemoryIndex) -> None:
        self._limits = found.asked.plan.budget.diversity
        kept = found.ranking.rows[found.selection.kept].tolist()
        self._counts = Counter(
            origin
            for each in index.chunks.records.read(kept)
            for origin, _, _ in _origins(each, each.source_uri, self._limits)
        )

    def full(self, evidence: Evidence, address: str) -> str:
        """Return the cap that leaves no room for an evidence, in words; "" if none does, and then it is counted."""
        origins = list(_origins(evidence, address, self._limits))
        for origin, limit, words in origins:
            if self._counts[origin] >= limit:
                return words
        self._counts.update(origin for origin, _, _ in origins)
        return ""


def _origins(evidence: Evidence, address: str, limits: PlanDiversity) -> Iterator[tuple[tuple[str, ...], int, str]]:
    """Yield (origin, how many may share it, what is said of one too many)."""
    yield ("uri", address), limits.by_source, "over by_source of one source_uri"
    if evidence.document_id:
        yield ("document", evidence.document_id), limits.by_document, "over by_document of one document"
    if evidence.section_id:
        section = "section", evidence.document_id, evidence.section_id
        yield section, limits.by_section, "over by_section of one section"
