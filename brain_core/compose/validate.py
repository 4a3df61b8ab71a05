"""Is this an answer that a context may be made of? What another server sends is data, and may be anything.

One bad evidence spoils the whole pack: a server that gets one wrong is not to be trusted with the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from urllib.parse import urlsplit

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from smartbrain.v1.evidence_pb2 import Evidence, EvidenceMetadata, EvidencePack, Signals
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveResponse

from brain_core.check import check_count, check_id, check_range, check_size, check_time, check_word
from brain_core.compose.check import MODES, SOURCE_TYPES, VERSION
from brain_core.errors import InvalidArgument, require, shorten
from brain_core.index.derive import turn_uri

ANSWER_BYTES = 1 << 20
"""Largest answer of an executor, serialised."""

KINDS = ("resource_section", "resource_doc", "memory_chunk", "other")
_ID_BYTES = 512
_LONGEST_TEXT = 8192  # characters of any other text field of an evidence
_WORDS, _WORDS_CHARS = 5, 300  # of a server's own warnings that are passed on
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
_SCRIPTS = ("javascript", "vbscript", "data")
_MOST = 1e6
_INT32 = 2**31 - 1
# A cosine of rounded vectors may be a little over 1.
_SIGNALS = {
    "vector_score": (-1.01, 1.01),
    "vector_rank": (1, _INT32),
    "fts_score": (0, _MOST),
    "fts_rank": (1, _INT32),
    "rrf_score": (0, _MOST),
    "rerank_score": (0, 1),
    "tag_score": (0, 1),
    "topic_score": (0, 1),
    "recency_score": (0, 1),
}
_STEERING = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # all control characters but tab and line ends


def check_answer(response: RetrieveResponse, plan: RetrievalPlan) -> None:
    """Raise InvalidArgument that names the first bad field of an answer to a plan, and the evidence that has it."""
    check_size("answer", response.ByteSize(), ANSWER_BYTES)
    require(response.HasField("pack"), "pack", "none", "a pack", "is required")
    pack = response.pack
    check_word("pack.version", pack.version, (VERSION,), required=True)
    check_id("pack.plan_id", pack.plan_id, _ID_BYTES)
    require(pack.request_id == plan.request_id, "pack.request_id", pack.request_id, plan.request_id, "is another one")
    check_count("pack.evidences", len(pack.evidences), plan.budget.top_k)
    for number, evidence in enumerate(pack.evidences):
        try:
            _check_evidence(evidence, plan)
        except InvalidArgument as error:
            raise InvalidArgument(
                f"evidences[{number}] ({shorten(evidence.id)!r}): {error}", field=error.field, limit=error.limit
            ) from error
    _check_ids(pack)


def make_passable(evidence: Evidence, memory_id: str) -> None:
    """Make an evidence of this memory pass that check at another brain: users say what is no address, and stray bytes.

    An address that is none becomes that of the turn; control characters go.
    """
    if not _is_address(evidence.source_uri):
        evidence.source_uri = turn_uri(memory_id, evidence.ref.session_id, evidence.ref.turn_id)
    evidence.title, evidence.snippet = _STEERING.sub("", evidence.title), _STEERING.sub("", evidence.snippet)


def said(words: Iterable[str]) -> Iterator[str]:
    """Yield the first few of what a server says of itself, each on one line, without control characters."""
    for each in islice(words, _WORDS):
        yield shorten(" ".join(_STEERING.sub(" ", each).split()), _WORDS_CHARS)


def _check_evidence(evidence: Evidence, plan: RetrievalPlan) -> None:
    check_id("id", evidence.id, _ID_BYTES)
    check_word("kind", evidence.kind, KINDS)
    check_word("source_type", evidence.source_type, SOURCE_TYPES)
    require(_is_address(evidence.source_uri), "source_uri", evidence.source_uri, "scheme://…", "is no address")
    require(bool(evidence.snippet.strip()), "snippet", evidence.snippet, "a text", "is required")
    check_range("snippet, in characters", len(evidence.snippet), 1, plan.output.max_snippet_chars)
    _check_texts("", evidence)
    _check_signals(evidence.signals)
    provenance = evidence.provenance
    check_word("provenance.mode", provenance.mode, MODES, required=True)
    check_range("provenance.query_index", provenance.query_index, 0, len(plan.queries) - 1)
    check_time("provenance.retrieved_at", provenance.retrieved_at)
    _check_metadata(evidence.metadata)


def _is_address(address: str) -> bool:
    try:
        return bool(_ADDRESS.fullmatch(address)) and urlsplit(address).scheme not in _SCRIPTS
    except ValueError:
        return False


def _check_texts(path: str, message: Message) -> None:
    """Check every text of a message and those within it: its length, and that nothing in it steers a terminal."""
    for field, value in message.ListFields():
        name = f"{path}{field.name}"
        if field.type == FieldDescriptor.TYPE_STRING:
            if name not in {"snippet", "provenance.query_text"}:
                check_range(f"{name}, in characters", len(value), 0, _LONGEST_TEXT)
            steering = _STEERING.search(value)
            require(
                steering is None, name, steering and steering[0], "no control characters", "has a control character"
            )
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            _check_texts(f"{name}.", value)


def _check_signals(signals: Signals) -> None:
    given = {field.name: value for field, value in signals.ListFields()}
    require(bool(given), "signals", "none", "at least one", "is required")
    for name, value in given.items():
        check_range(f"signals.{name}", value, *_SIGNALS.get(name, (-_MOST, _MOST)))


def _check_metadata(metadata: EvidenceMetadata) -> None:
    check_range("metadata.chunk_index", metadata.chunk_index, 0, _INT32)
    check_range("metadata.offset_start", metadata.offset_start, 0, _INT32)
    check_range("metadata.offset_end", metadata.offset_end, metadata.offset_start, _INT32)
    check_range("metadata.page", metadata.page, 0, _INT32)
    check_time("metadata.created_at", metadata.created_at)


def _check_ids(pack: EvidencePack) -> None:
    seen: set[str] = set()
    for number, evidence in enumerate(pack.evidences):
        require(evidence.id not in seen, f"evidences[{number}].id", evidence.id, "once each", "stands twice")
        seen.add(evidence.id)
