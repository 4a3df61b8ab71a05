"""The benchmark of peers on made-up data, with the two that are always there: SmartBrain and the exact one."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextEvidence
from smartbrain.v1.evidence_pb2 import EvidenceRef

from benchmarks.machine import describe_machine
from benchmarks.peers import __main__ as peers
from benchmarks.peers.corpus import BATCH, PER_OWNER, Corpus, Source, load_corpus
from benchmarks.peers.peer import WANTED, Found, Memory, Query, Search
from benchmarks.peers.report import LeftOut, Results, markdown
from benchmarks.peers.stores.exact_numpy import ExactNumpy
from benchmarks.peers.stores.smartbrain import _hit
from benchmarks.peers.trial import OutOfTimeError, run_trial

_DIMENSION = 8


def _embed(texts: Sequence[str]) -> NDArray[np.float32]:
    vectors = np.array([np.random.default_rng(list(text.encode())).normal(size=_DIMENSION) for text in texts])
    scaled: NDArray[np.float32] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return scaled


@pytest.fixture
def source(data_folder: Path) -> Source:
    return Source([data_folder])


@pytest.fixture
def corpus(source: Source) -> Corpus:
    return source.corpus(PER_OWNER + 70, _embed)


def test_queries_are_held_out_and_a_smaller_corpus_begins_a_larger_one(source: Source) -> None:
    texts = source.texts(400)
    assert source.queries
    assert not set(source.queries) & set(texts)
    assert source.texts(100) == texts[:100]
    assert len(set(texts)) > 4 * len(set(texts[:8]))  # the halves are mixed once all were given away


def test_every_memory_comes_in_once_in_batches_of_one_owner(corpus: Corpus) -> None:
    batches = list(corpus.batches(PER_OWNER + 60))
    assert sorted(memory.number for batch in batches for memory in batch) == list(range(PER_OWNER + 60))
    assert all(len({memory.owner for memory in batch}) == 1 and len(batch) <= BATCH for batch in batches)
    assert [batch[0].owner for batch in batches[:3]] == ["user-0", "user-1", "user-0"]


def test_a_corpus_comes_back_as_it_was_saved(corpus: Corpus, tmp_path: Path) -> None:
    corpus.save(tmp_path)
    again = load_corpus(tmp_path)
    assert (again.texts, again.query_texts, again.query_owners) == (
        corpus.texts, corpus.query_texts, corpus.query_owners,
    )  # fmt: skip
    np.testing.assert_array_equal(again.vectors, corpus.vectors)
    np.testing.assert_array_equal(again.query_vectors, corpus.query_vectors)


def test_recall_counts_near_ties_and_no_number_twice() -> None:
    vectors = np.zeros((20, 2), dtype=np.float32)
    vectors[:, 0] = [1.0] * 6 + [0.5] * 8 + [0.1] * 6
    corpus = Corpus([str(n) for n in range(20)], vectors, ["q"], [0], np.array([[1.0, 0.0]], dtype=np.float32))
    assert corpus.recall(0, [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13]) == 1.0  # any six of the eight that are tied
    assert corpus.recall(0, [0, 1, 2, 3, 4, 5, 14, 15, 16, 17, 18, 19]) == 6 / WANTED
    assert corpus.recall(0, [0] * 12) == 1 / WANTED
    assert corpus.recall(0, []) == 0.0


def test_the_exact_peer_is_exact(corpus: Corpus, tmp_path: Path) -> None:
    trial = run_trial("exact_numpy", lambda _, dimension: ExactNumpy(dimension), corpus, tmp_path, 60.0)
    [way] = trial["ways"]
    assert way["rounds"] == 3
    assert [corpus.recall(at, found) for at, found in enumerate(way["found"])] == [1.0] * len(corpus.query_texts)


class _Faulty(ExactNumpy):
    """Answers with whatever a test says."""

    answer: list[Found]

    def ways(self) -> Mapping[str, Search]:
        return {"": lambda _: self.answer}


@pytest.mark.parametrize(
    ("number", "text", "message"), [(PER_OWNER, "", "gave memory 200 of user-1"), (3, "other", "came back changed")]
)
def test_an_answer_that_was_not_stored_is_refused(
    corpus: Corpus, tmp_path: Path, number: int, text: str, message: str
) -> None:
    faulty = _Faulty(_DIMENSION)
    faulty.answer = [Found(number, text or corpus.texts[number])]
    corpus.query_owners[:] = [0] * len(corpus.query_owners)
    with pytest.raises(ValueError, match=message):
        run_trial("faulty", lambda *_: faulty, corpus, tmp_path, 60.0)


class _Slow(ExactNumpy):
    """Takes its time, and says whether it was closed."""

    closed = False
    add_seconds = 0.0
    search_seconds = 0.0

    def add(self, memories: Sequence[Memory]) -> None:
        time.sleep(self.add_seconds)
        super().add(memories)

    def ways(self) -> Mapping[str, Search]:
        return {"": self._slowly}

    def close(self) -> None:
        self.closed = True

    def _slowly(self, query: Query) -> list[Found]:
        time.sleep(self.search_seconds)
        return self._search(query)


def test_a_peer_that_adds_slowly_is_left_out_with_what_it_had_done(corpus: Corpus, tmp_path: Path) -> None:
    slow = _Slow(_DIMENSION)
    slow.add_seconds = 0.05
    with pytest.raises(OutOfTimeError, match=r"^out of time: 50 of 270 memories were in"):
        run_trial("slow", lambda *_: slow, corpus, tmp_path, 0.01)
    assert slow.closed


def test_a_peer_that_searches_slowly_has_fewer_rounds(corpus: Corpus, tmp_path: Path) -> None:
    slow = _Slow(_DIMENSION)
    slow.search_seconds = 0.1
    [way] = run_trial("slow", lambda *_: slow, corpus, tmp_path, 0.3)["ways"]
    assert way["rounds"] == 1
    assert len(way["found"]) == len(corpus.query_texts) < 20  # a first round of so few is never broken off
    assert way["p50_ms"] > 90


def test_a_small_run(data_folder: Path, tmp_path: Path) -> None:
    arguments = ["--data", str(data_folder), "--out", str(tmp_path), "--memories", "220", "--seconds-per-peer", "60"]
    assert peers.main([*arguments, "--peer", "exact_numpy", "--peer", "smartbrain"]) == 0
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    rows = {f"{row['peer']} {row['way']}".strip(): row for row in results["rows"]}
    assert list(rows) == ["exact_numpy", "smartbrain compose", "smartbrain retrieve", "smartbrain semantic"]
    assert results["left_out"] == []
    assert rows["exact_numpy"]["recall"] == 1.0
    for row in rows.values():
        assert 0 < row["p50_ms"] <= row["p95_ms"]
        assert min(row["add_ms"], row["add_one_ms"]) > 0
    assert rows["smartbrain compose"]["disk_mb"] > 0
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} == {"plot.png", "results.json", "table.md"}


def test_what_is_left_out_of_a_piece_is_no_part_of_a_memory_in_it() -> None:
    """The ellipsis between two messages was taken for words of the first: the trial of 2026-11-28 ended so."""
    merged = [EvidenceRef(message_id=number) for number in ("3", "5", "6")]
    snippet = "The ferry leaves at nine.\n…\nuser: It is cancelled.\nuser: So they say."
    found = [_hit(ContextEvidence(snippet=snippet, merged=merged, ref=one)) for one in merged]
    assert [(one.number, one.text) for one in found] == [
        (3, "The ferry leaves at nine."),
        (5, "It is cancelled."),
        (6, "So they say."),
    ]


def test_a_peer_without_a_result_is_named_with_its_reason() -> None:
    missing = LeftOut(peer="chromadb", memories=10_000, reason="not installed: No module named 'chromadb'")
    results = Results(machine=describe_machine(), dimension=8, filesystem="ext4", rows=[], left_out=[missing])
    table = markdown(results)
    assert "- left out: **chromadb**: not installed: No module named 'chromadb'" in table


def test_bad_data_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert peers.main(["--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert str(tmp_path) in capsys.readouterr().err
