"""Evidence kept by row: as it was given, whatever came after, and after a dump and a load."""

from __future__ import annotations

import numpy as np
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.evidence_pb2 import Evidence, EvidenceMetadata, EvidenceRef

from brain_core.index.records import Records, joined

texts = st.text(max_size=40)
evidences = st.builds(
    Evidence,
    id=texts,
    title=texts,
    source_uri=texts,
    snippet=st.one_of(texts, st.just("long 长 " * 3_000)),
    ref=st.builds(EvidenceRef, turn_id=texts),
    metadata=st.builds(EvidenceMetadata, speaker=texts, created_at=st.builds(Timestamp, seconds=st.integers(0, 2**33))),
)


def filled(given_evidences: list[Evidence]) -> Records:
    records = Records()
    for evidence in given_evidences:
        records.add(evidence)
    return records


def same(records: Records, expected: list[Evidence]) -> None:
    assert len(records) == len(expected)
    assert records.read(range(len(expected))) == expected
    assert records.ids(range(len(expected))) == [one.id for one in expected]
    assert [records.id(row) for row in range(len(expected))] == [one.id for one in expected]


@settings(max_examples=60, deadline=None)
@given(st.lists(evidences, max_size=12), st.lists(evidences, max_size=3))
def test_what_was_put_in_comes_back_also_of_a_dump(first: list[Evidence], then: list[Evidence]) -> None:
    records = filled(first)
    same(records, first)
    content, ends = records.dump()
    assert (len(ends), int(ends[-1])) == (len(first) + 1, len(content)), "without room to grow"
    again = Records.load(content, ends)
    for one in (records, again):  # goes on as the one it was made of
        for evidence in then:
            one.add(evidence)
        same(one, first + then)
    for mine, theirs in zip(records.dump(), again.dump(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_rows_come_back_in_the_order_asked_for() -> None:
    records = filled([Evidence(id=str(number)) for number in range(1_000)])
    assert [one.id for one in records.read([999, 0, 7, 7])] == ["999", "0", "7", "7"]
    assert records.ids(np.array([5, 4], dtype=np.int32)) == ["5", "4"]
    for row in (-1, 1_000):
        with pytest.raises((IndexError, ValueError)):
            records.id(row)


def test_arrays_that_nobody_may_write_to_are_taken_over() -> None:
    content, ends = filled([Evidence(id="a")]).dump()
    for part in (content, ends):
        part.setflags(write=False)
    again = Records.load(content, ends)
    again.add(Evidence(id="b"))
    assert again.ids([0, 1]) == ["a", "b"]


@pytest.mark.parametrize("ends", [[], [1, 3], [0, 2], [0, 4], [0, 2, 1, 3]])
def test_ends_that_do_not_fit_are_refused(ends: list[int]) -> None:
    with pytest.raises(ValueError, match="records end at other places than their 3 bytes say"):
        Records.load(np.zeros(3, dtype=np.uint8), np.array(ends, dtype=np.int64))


def test_memory_is_counted() -> None:
    texts_ = [Evidence(snippet="x" * 1_000)] * 200
    assert 200 * 1_000 < filled(texts_).nbytes < 2 * 200 * 1_100


def test_pieces_of_bytes_are_joined() -> None:
    content, ends = joined([b"ab", b"", b"c"])
    assert (content.tobytes(), ends.tolist()) == (b"abc", [0, 2, 2, 3])
    assert [len(part) for part in joined([])] == [0, 1]


def test_what_is_made_of_a_row_is_made_once_for_each_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brain_core.index.records._REMEMBERED", 3)
    records = filled([Evidence(id="a", snippet="one two"), Evidence(id="b", snippet="three")])
    read = list[str]()

    def words(evidence: Evidence) -> list[str]:
        read.append(evidence.id)
        return evidence.snippet.split()

    for _ in range(2):
        assert records.made_of(0, "words", words) == ["one", "two"]
        assert records.made_of(1, "words", words) == ["three"]
        assert records.made_of(0, "length", lambda evidence: len(evidence.snippet)) == 7
    assert read == ["a", "b"]
    records.add(Evidence(id="c", snippet=""))
    assert records.made_of(2, "words", words) == []  # one too many: all are made anew from then on
    assert records.made_of(0, "words", words) == ["one", "two"]
    assert read == ["a", "b", "c", "a"]
