"""The benchmark of many memories, with few."""

import json
from pathlib import Path

import pytest

from benchmarks.memories import __main__ as memories


@pytest.mark.parametrize(("cache_bytes", "evicting"), [(200_000, True), (2**30, False)])
def test_a_small_run(tmp_path: Path, cache_bytes: int, evicting: bool) -> None:
    arguments = ["--out", str(tmp_path), "--memories", "12", "--chunks", "40"]
    assert memories.main([*arguments, "--cache-bytes", str(cache_bytes)]) == 0
    trial = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["trial"]
    assert [way["name"] for way in trial["ways"]] == ["retrieve", "compose"]
    for way in trial["ways"]:
        assert way["again"]["calls"] == 12
        assert 0 < way["again"]["p50_ms"] <= way["again"]["p95_ms"] <= way["again"]["max_ms"]
        assert (way["loading"] is not None) == evicting == (way["loads"] > 0)
        assert (way["evictions"] > 0) == evicting
    assert trial["commit"]["calls"] == 24
    assert (trial["loaded"] < 13) == evicting
    # Over the bound only a single index may be, whatever it weighs: those of memories that learned more weigh more.
    assert trial["index_bytes"] <= cache_bytes or trial["loaded"] == 1
    assert trial["index_bytes"] <= max(cache_bytes, 1.5 * trial["of_one_counted"])
    assert min(trial["store_disk"], trial["snapshot_disk"], trial["of_one_counted"]) > 0
    assert "| retrieve |" in (tmp_path / "table.md").read_text(encoding="utf-8")


def test_bad_data_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert memories.main(["--out", str(tmp_path / "out"), "--data", str(tmp_path)]) == 1
    assert str(tmp_path) in capsys.readouterr().err
