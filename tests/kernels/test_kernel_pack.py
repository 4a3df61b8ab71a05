"""Evidence of a pack written byte by byte against what protobuf makes of the same records."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.evidence_pb2 import Evidence, EvidencePack, EvidenceRaw, Provenance

from brain_core.kernels import pack, reference
from tests.kernels.stored import evidences, ints, joined, texts, times

BOTH = [pack, reference.pack]
FIELD = EvidencePack.DESCRIPTOR.fields_by_name["evidences"].number


@st.composite
def packs(draw: st.DrawFn) -> dict[str, Any]:
    """Draw all that the evidences of a pack are made of."""
    records = draw(st.lists(evidences(), min_size=1, max_size=6))
    content, ends = joined([one.SerializeToString() for one in records], spare=9)
    rows = draw(st.lists(st.integers(0, len(records) - 1), max_size=5))
    m, random = len(rows), np.random.default_rng(draw(st.integers(0, 2**32)))
    queries = draw(st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
    asked = (
        [mode for mode, _ in queries],
        [text for _, text in queries],
        (draw(times) or Timestamp()).SerializeToString(),
    )
    raws = [EvidenceRaw(content_ref=draw(texts), debug_payload=draw(texts)).SerializeToString() for _ in rows]
    signals = np.where(random.random((m, 5)) < 0.5, np.nan, random.choice([0.0, 0.5, -1.0], (m, 5)))
    told = m if draw(st.booleans()) else 0
    return {
        "content": content,
        "ends": ends,
        "rows": ints(*rows),
        "texts": [draw(st.one_of(st.none(), texts)) for _ in rows],
        "policy": draw(st.sampled_from(["", "l2"])),
        "queries": random.integers(0, len(queries), m, dtype=np.int32),
        "provenance": asked if draw(st.booleans()) else None,
        "relations": [draw(texts) for _ in rows] if draw(st.booleans()) else [],
        "raws": raws if draw(st.booleans()) else [],
        "standing": (*random.integers(0, 7, (2, len(records)), dtype=np.uint8), 3),
        "ranks": random.choice([0, 1, 300], (m, 2)).astype(np.int32)[:told],
        "signals": signals[:told],
        "field": FIELD,
    }


@settings(max_examples=400, deadline=None)
@given(packs())
def test_a_packs_evidences_are_the_twins_byte_for_byte(parts: dict[str, Any]) -> None:
    assert pack.pack_evidences(**parts) == reference.pack.pack_evidences(**parts)


@settings(max_examples=200, deadline=None)
@given(st.lists(evidences(), min_size=1, max_size=6), st.sampled_from([0, 1, 2, 5, 12, 100, 1000]))
def test_texts_that_are_longer_are_the_twins(records: list[Evidence], longest: int) -> None:
    stored = joined([one.SerializeToString() for one in records])
    rows = np.arange(len(records), dtype=np.int32)
    assert pack.longer(*stored, rows, longest) == reference.pack.longer(*stored, rows, longest)


def by_hand() -> dict[str, Any]:
    """Give one message that a query found."""
    content, ends = joined([Evidence(id="t1:a", snippet="天气很好", language="zh").SerializeToString()])
    return {
        "content": content,
        "ends": ends,
        "rows": ints(0),
        "texts": [None],
        "policy": "l2",
        "queries": ints(0),
        "provenance": (["hybrid"], ["天气"], Timestamp(seconds=9).SerializeToString()),
        "relations": ["mentions Mei"],
        "raws": [],
        "standing": (np.array([2], dtype=np.uint8), np.array([1], dtype=np.uint8), 2),
        "ranks": ints(0, 3)[None],
        "signals": np.array([[np.nan, 0.0, 0.5, np.nan, np.nan]]),
        "field": FIELD,
    }


@pytest.mark.parametrize("module", BOTH)
def test_an_evidence_by_hand(module: ModuleType) -> None:
    [found] = EvidencePack.FromString(module.pack_evidences(**by_hand())).evidences
    expected = Evidence(id="t1:a", snippet="天气很好", snippet_policy="l2", language="zh", status=1)  # type: ignore[arg-type]
    expected.provenance.MergeFrom(Provenance(mode="hybrid", query_text="天气", relation="mentions Mei"))
    expected.provenance.retrieved_at.seconds = 9
    expected.signals.fts_rank, expected.signals.fts_score, expected.signals.rrf_score = 3, 0.0, 0.5
    assert found == expected
    [given_text] = EvidencePack.FromString(module.pack_evidences(**{**by_hand(), "texts": ["…好"]})).evidences
    assert given_text.snippet == "…好"
    no_item = (*by_hand()["standing"][:2], 1)
    [found] = EvidencePack.FromString(module.pack_evidences(**{**by_hand(), "standing": no_item})).evidences
    assert found.status == 0, "items alone have one"


@pytest.mark.parametrize("module", BOTH)
def test_texts_are_counted_in_characters(module: ModuleType) -> None:
    stored = by_hand()["content"], by_hand()["ends"]
    assert module.longer(*stored, ints(0), 3) == [0]
    assert module.longer(*stored, ints(0), 4) == [], "twelve bytes"


@pytest.mark.parametrize("module", BOTH)
def test_nothing_gives_nothing(module: ModuleType) -> None:
    none, (content, ends) = ints(), joined([])
    parts = {
        **by_hand(), "content": content, "ends": ends, "rows": none, "texts": [], "queries": none, "relations": [],
        "ranks": np.empty((0, 2), dtype=np.int32), "signals": np.empty((0, 5)),
    }  # fmt: skip
    assert module.pack_evidences(**parts) == b""
    assert module.longer(content, ends, none, 1) == []


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"rows": ints(1)}, IndexError, "row 1 is not in 0..0"),
        ({"rows": ints(-1)}, IndexError, "row -1 is not in 0..0"),
        ({"texts": []}, ValueError, "texts has 0 entries, not 1"),
        ({"relations": ["", ""]}, ValueError, "relations has 2 entries, not 1"),
        ({"raws": [b"", b""]}, ValueError, "raws has 2 entries, not 1"),
        ({"queries": ints()}, ValueError, "queries must have 1 entries"),
        ({"provenance": (["hybrid"], [], b"")}, ValueError, "texts of queries has 0 entries, not 1"),
        (
            {"standing": (np.zeros(1, np.uint8), np.zeros(2, np.uint8), 2)},
            ValueError,
            "kinds has 1 entries but statuses 2",
        ),
        ({"standing": (*np.zeros((2, 0), np.uint8), 2)}, IndexError, "row 0 is not in 0..-1"),
        ({"queries": ints(1)}, IndexError, r"queries\[0\] is 1, not in 0..0"),
        ({"ranks": np.zeros((0, 2), dtype=np.int32)}, ValueError, "must be of 1 rows or of none"),
        ({"ranks": np.zeros((1, 3), dtype=np.int32)}, ValueError, "must have 2 and 5 columns"),
        ({"signals": np.zeros((1, 4))}, ValueError, "must have 2 and 5 columns"),
        ({"field": 0}, ValueError, "field must be in"),
        ({"ends": np.array([0, 10**9])}, ValueError, "record 0 does not stand in the content"),
        ({"content": np.full(30, 0xFF, dtype=np.uint8)}, ValueError, "record 0 is no message"),
    ],
)
def test_parts_that_do_not_fit_are_refused_by_both(changed: dict[str, Any], error: type[Exception], says: str) -> None:
    for module in BOTH:
        with pytest.raises(error, match=says):
            module.pack_evidences(**{**by_hand(), **changed})
