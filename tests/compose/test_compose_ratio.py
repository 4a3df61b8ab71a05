"""memory_resource_ratio: memory and documents share the evidence as far as both have something good."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from smartbrain.v1.resource_service_pb2 import DocumentHeader

from brain_core import Brain, load_policy
from brain_core.compose.ratio import Ratio
from brain_core.compose.select import _shared, _Wanted
from brain_core.errors import PolicyError
from brain_core.kernels.offers import offered
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE, CHUNK_KIND_SECTION, CHUNK_KIND_TOOL_RESULT
from tests.building import compose, open_brain, say

POLICIES = load_policy().policies
POLICY = POLICIES.composition.diversity


def first(ratio: Ratio, resource: list[bool], scores: list[float], most: int) -> list[bool]:
    """Return what the first pieces are of."""
    ranked = sorted(zip(scores, resource, strict=True), key=lambda one: -one[0])
    n = len(ranked)
    rows, none = np.arange(n, dtype=np.int32), np.empty(0, dtype=np.uint8)
    kinds = np.array([CHUNK_KIND_SECTION if one else CHUNK_KIND_MESSAGE for _, one in ranked], dtype=np.uint8)
    given_room, *_ = offered(
        (rows, np.array([score for score, _ in ranked]), np.zeros(n, dtype=np.int32)),
        n,
        np.arange(n),
        (kinds, rows, np.full(n, 100, dtype=np.int32), np.zeros(n, dtype=np.uint8)),
        (CHUNK_KIND_MESSAGE, CHUNK_KIND_TOOL_RESULT, CHUNK_KIND_SECTION),
        rows[:0],
        none,
        np.zeros(1, dtype=np.uint8),
        POLICIES.composition.tokens_exponent,
        (0.0, 0.0, 0.0),
        (ratio.memory, ratio.documents, ratio.least),
    )
    assert sorted(given_room.tolist()) == list(range(n)), "nothing is lost"
    return [ranked[place][1] for place in given_room[:most].tolist()]


@pytest.mark.parametrize(
    ("written", "most", "quotas"),
    [("40/60", 12, (5, 7)), ("40/60", 10, (4, 6)), ("0/100", 12, (0, 12)), ("100/0", 3, (3, 0)), ("1/2", 3, (1, 2))],
)
def test_the_policy_is_read_as_pieces(written: str, most: int, quotas: tuple[int, int]) -> None:
    ratio = Ratio.of(POLICY.model_copy(update={"memory_resource_ratio": written}), most)
    assert (ratio.memory, ratio.documents) == quotas


def test_both_have_their_share_where_both_are_good() -> None:
    ratio = Ratio.of(POLICY, 10)
    assert sum(first(ratio, [True] * 20 + [False] * 20, [0.9] * 20 + [0.8] * 20, 10)) == 6
    assert sum(first(ratio, [True] * 20 + [False] * 20, [0.6] * 20 + [0.8] * 20, 10)) == 6


def test_what_one_cannot_fill_the_other_has() -> None:
    ratio = Ratio.of(POLICY, 10)
    assert sum(first(ratio, [True] * 2 + [False] * 20, [0.9] * 2 + [0.8] * 20, 10)) == 2
    assert sum(first(ratio, [True] * 20 + [False], [0.9] * 20 + [0.8], 10)) == 9


def test_what_is_far_below_has_no_room_because_of_the_ratio() -> None:
    ratio = Ratio.of(POLICY, 10)
    assert sum(first(ratio, [True] * 20 + [False] * 20, [0.9] * 20 + [0.44] * 20, 10)) == 10
    assert sum(first(ratio, [True] * 20 + [False] * 20, [0.3] * 20 + [0.8] * 20, 10)) == 0


@given(st.lists(st.tuples(st.booleans(), st.floats(0.01, 1.0)), min_size=1, max_size=60), st.integers(1, 15))
def test_each_has_its_share_or_all_that_it_has(candidates: list[tuple[bool, float]], most: int) -> None:
    resource, scores = map(list, zip(*candidates, strict=True))
    ratio = Ratio.of(POLICY, most)
    taken = first(ratio, resource, scores, most)
    good = [one for one, score in candidates if score >= ratio.least * max(scores)]
    assert sum(taken) >= min(ratio.documents, sum(good))
    assert len(taken) - sum(taken) >= min(ratio.memory, len(good) - sum(good))
    assert len(taken) == min(most, len(candidates))


@given(st.lists(st.tuples(st.booleans(), st.floats(0.01, 1.0)), min_size=1, max_size=60), st.integers(1, 40))
def test_caps_leave_the_other_its_quota(candidates: list[tuple[bool, float]], k: int) -> None:
    resource, scores = map(np.array, zip(*candidates, strict=True))
    ratio = Ratio.of(POLICY, min(k, 12))
    memory, documents = ratio.caps(resource, scores, k).tolist()
    good = scores >= ratio.least * scores.max()
    assert memory == max(1, k - min(ratio.documents, int(np.count_nonzero(good & resource))))
    assert documents == max(1, k - min(ratio.memory, int(np.count_nonzero(good & ~resource))))


@pytest.mark.parametrize("of_documents", [True, False])
def test_what_one_source_is_capped_at_the_other_has(of_documents: bool) -> None:
    """Of four texts of one sort one may stand: then the other sort has all but one, not only its own share."""
    capped = np.array([True, False] * 4 + [False] * 2)
    groups = np.where(capped, 0, -1).astype(np.int32)
    rows, vectors = np.arange(10, dtype=np.int32), np.zeros((10, 0), dtype=np.float32)
    limits, resource = np.ones(1, dtype=np.int32), capped if of_documents else ~capped
    wanted = _Wanted(rows, np.linspace(1.0, 0.9, 10), vectors, (groups,))
    kept, dropped, reasons, _ = _shared(wanted, limits, resource, 1.0, 6, Ratio(3, 3, 0.5))
    assert kept.tolist() == [0, 1, 3, 5, 7, 8]
    assert dropped[reasons == 1].tolist() == [2, 4, 6], "over the cap of its sort"


def test_a_ratio_of_nothing_is_refused() -> None:
    with pytest.raises(PolicyError, match="one side must be above 0"):
        load_policy({"policies": {"composition": {"diversity": {"memory_resource_ratio": "0/0"}}}})


def with_documents(brain: Brain, documents: int, sections: int) -> None:
    """Take documents in, whose every section is about the same."""
    for d in range(documents):
        header = DocumentHeader(
            memory_id="m", source_uri=f"file:///doc{d}", document_id=f"doc{d}", media_type="text/markdown"
        )
        parts = [
            f"# Day {s}\n\nSection {s} of handbook {d}: the reactor valve is checked on day {s}. 反应堆阀门检查。"
            for s in range(sections)
        ]
        brain.ingest_document(header, ["\n\n".join(parts).encode()])


@pytest.mark.parametrize("message", ["When is the reactor valve checked?", "反应堆阀门什么时候检查？"])
def test_a_package_has_of_both(folder: Path, message: str) -> None:
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        for number in range(20):
            text = f"We checked the reactor valve on day {number}. 今天检查了反应堆阀门{number}次。"
            brain.commit_turn(say("m", f"s{number}", text))
        before = compose(brain, "m", "new", message).constraints.diversity
        assert (before.memory_evidence, before.resource_evidence) == (12, 0)
        with_documents(brain, 20, 1)
        package = compose(brain, "m", "new", message)
        sources = [piece.source for piece in package.evidence]
        shown = package.constraints.diversity
        assert (shown.memory_evidence, shown.resource_evidence) == (sources.count("memory"), sources.count("resource"))
        assert (shown.memory_evidence, shown.resource_evidence) == (5, 7)
        assert shown.memory_resource_ratio == "40/60"
        assert {piece.id for piece in package.evidence if piece.source == "resource"} == {
            piece.id for piece in package.evidence if piece.id.startswith("doc")
        }


def test_documents_capped_by_one_document_leave_the_rest_to_memory(folder: Path) -> None:
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        for number in range(20):
            brain.commit_turn(say("m", f"s{number}", f"We checked the reactor valve on day {number}."))
        with_documents(brain, 1, 20)
        shown = compose(brain, "m", "new", "When is the reactor valve checked?").constraints.diversity
        assert (shown.memory_evidence, shown.resource_evidence) == (
            11,
            1,
        )  # its two sections stand side by side, in one piece
