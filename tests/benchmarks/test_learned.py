"""The benchmark of what is learned, on a small data folder."""

import json
from pathlib import Path

import pytest

from benchmarks.learned import __main__ as learned


def test_a_small_run(tmp_path: Path, data_folder: Path) -> None:
    assert learned.main(["--data", str(data_folder), "--out", str(tmp_path)]) == 0
    results = (tmp_path / "results.json").read_text(encoding="utf-8")
    [counts] = json.loads(results)["learned"]
    assert (counts["data"], counts["sessions"], counts["turns"], counts["user_turns"]) == ("made_up", 5, 10, 10)
    lines = (tmp_path / "sample.jsonl").read_text(encoding="utf-8").splitlines()
    sample = [json.loads(line) for line in lines]
    assert len(sample) == sum(counts["items"].values()) > 0
    assert all(one["text"].startswith(f"[{one['type']}:{one['key']}]") for one in sample)
    assert all(one["read"] and one["read"] in one["said"] for one in sample)
    assert all(counts["verdicts"][one["rule"]]["written"] for one in sample)
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert f"| {sample[0]['rule']} |" in table
    assert not any(one["said"] in results + table for one in sample)


def test_sessions_are_taken_in_turn_of_all_conversations(tmp_path: Path, data_folder: Path) -> None:
    out = ["--out", str(tmp_path)]
    assert learned.main(["--data", str(data_folder), "--sessions", "3", "--sample", "1", *out]) == 0
    [counts] = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["learned"]
    assert (counts["sessions"], counts["turns"]) == (3, 6)
    assert len((tmp_path / "sample.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_missing_data_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert learned.main(["--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert str(tmp_path) in capsys.readouterr().err
