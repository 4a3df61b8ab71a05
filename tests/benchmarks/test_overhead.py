"""What planner and trace add, measured briefly."""

import json
from pathlib import Path

import pytest

from benchmarks.engine.texts import MadeUpTexts
from benchmarks.overhead import __main__ as overhead
from benchmarks.overhead.messages import given, made_up
from benchmarks.overhead.trial import VARIANTS


def test_messages_are_the_same_every_time(data_folder: Path) -> None:
    texts = MadeUpTexts()
    messages = made_up(texts, 50, 30)
    assert messages == made_up(texts, 50, 30)
    assert [len(of_kind) for of_kind in messages.values()] == [30, 30]
    assert given(data_folder, 3) == given(data_folder, 3)
    assert len(given(data_folder, 100)["questions of made_up"]) == 7


def test_a_small_run(tmp_path: Path) -> None:
    arguments = ["--out", str(tmp_path), "--chunks", "100", "--messages", "12", "--rounds", "1"]
    assert overhead.main(arguments) == 0
    rows = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["rows"]
    assert [row["kind"] for row in rows] == ["without cues", "with cues"]
    assert rows[0]["queries"] == 1.0 < rows[1]["queries"]
    for row in rows:
        assert set(row["p50_ms"]) == set(VARIANTS)
        assert all(0 < row["p50_ms"][name] <= row["p95_ms"][name] for name in VARIANTS)
        assert row["ratio"]["both off"] == row["paired"]["both off"] == row["to_own"]["caller's plan"] == 1.0
        sizes = row["response_bytes"]
        assert sizes["trace"] > sizes["both off"], "what was dropped is told"
    assert "| with cues | 12 × 1 |" in (tmp_path / "table.md").read_text(encoding="utf-8")


def test_bad_data_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert overhead.main(["--out", str(tmp_path / "out"), "--data", str(tmp_path)]) == 1
    assert str(tmp_path) in capsys.readouterr().err
