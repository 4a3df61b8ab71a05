"""The benchmark of the core on few texts."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.core import __main__ as core
from benchmarks.core.fill import filled, records, rows_of
from benchmarks.core.shorter import Shorter
from benchmarks.core.texts import Windows
from benchmarks.core.trial import from_folders, run_trial
from benchmarks.engine.texts import MadeUpTexts
from brain_core.index.derive import chunk_text
from brain_core.models.static import StaticEmbedder
from tests.building import embedder


def test_windows_are_the_same_every_time_and_do_not_repeat(data_folder: Path) -> None:
    texts, again = Windows([data_folder]), Windows([data_folder])
    assert texts.distinct == 10
    first = [texts.text(number) for number in range(40)]
    assert first == [again.text(number) for number in range(40)]
    assert "我昨天在杭州喝了龙井茶。" in first[: texts.distinct]
    assert len(set(first)) > 2 * texts.distinct  # halves are joined once all were given away
    assert {texts.question(number) for number in range(20)} >= {"Which city did I move to, Lisbon?"}


def test_a_filled_index_holds_each_text_as_one_chunk() -> None:
    vectors = np.zeros((90, embedder().dimension), dtype=np.float16)
    index = filled(MadeUpTexts(), embedder(), vectors)
    assert len(index.chunks) == len(index.lexical) == len(index.vectors) == 90
    assert index.chunks.names["session"].all() == ["session-0", "session-1", "session-2"]
    assert int(index.chunks.column("before")[1]) == 0
    assert [one.ordinal for one in records(MadeUpTexts(), 40, 43)] == [40, 41, 42]
    texts = [chunk_text(one) for one in records(MadeUpTexts(), 0, 90)]
    assert np.array_equal(vectors, embedder().embed(texts).astype(np.float16))


@pytest.mark.parametrize("together", [True, False])
def test_a_share_of_the_rows_is_allowed(together: bool) -> None:
    allowed = rows_of(1000, 0.1, together=together, seed=3)
    assert allowed.sum() == 100
    assert (np.count_nonzero(np.diff(allowed)) <= 2) == together


def test_a_small_run(data_folder: Path, tmp_path: Path) -> None:
    arguments = ["--out", str(tmp_path), "--chunks", "60", "120", "--questions", "5", "--data", str(data_folder)]
    assert core.main(arguments) == 0
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert results["texts"] == "of made_up"
    assert [trial["chunks"] for trial in results["trials"]] == [60, 120]
    for trial in results["trials"]:
        assert all(0 < one["p50_ms"] <= one["p95_ms"] for one in (*trial["stages"], *trial["adding"]))
        # Few rows are scanned; which of two is nearer may be a matter of vectors being kept in bytes.
        assert min(one["recall"] for one in trial["recalls"]) >= 0.98
        assert trial["nbytes"]["all"] > 60 * trial["dimension"]
        assert 0 < trial["text_bytes"] == trial["nbytes"]["all"] - trial["nbytes"]["beyond texts"]
    assert "| embed to selected rows |" in (tmp_path / "table.md").read_text(encoding="utf-8")


class _Quoted(MadeUpTexts):
    """Made-up texts whose questions quote the first of their words."""

    def question(self, number: int) -> str:
        return f'Where did I say "{" ".join(self.text(number).split()[:2])}"?'


def test_questions_may_quote() -> None:
    trial = run_trial(_Quoted(), 60, 5)
    assert trial["questions"] == 5
    assert all(one["p50_ms"] > 0 for one in trial["stages"])


def test_bad_data_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="no conversations"):
        from_folders([tmp_path], 10, 1)
    assert core.main(["--out", str(tmp_path / "out"), "--chunks", "10", "--data", str(tmp_path)]) == 1
    assert str(tmp_path) in capsys.readouterr().err


def test_shorter_vectors_keep_what_the_first_axes_tell() -> None:
    texts = [MadeUpTexts().text(number) for number in range(200)]
    whole, shorter = embedder().embed(texts), Shorter(StaticEmbedder(), 128, texts).embed(texts)
    assert shorter.shape == (200, 128)
    assert np.linalg.norm(shorter, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.abs(shorter @ shorter.T - whole @ whole.T).mean() < 0.03
    assert (Shorter(StaticEmbedder(), 128, texts).embed([""]) == 0).all()


def test_a_run_says_how_many_numbers_a_vector_has(tmp_path: Path) -> None:
    assert core.main(["--out", str(tmp_path), "--chunks", "60", "--questions", "2", "--dimension", "64"]) == 0
    [trial] = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["trials"]
    assert trial["dimension"] == 64
    assert "; 64 numbers a vector." in (tmp_path / "table.md").read_text(encoding="utf-8")
