"""The ablation on the made-up data: a row for each group, and what is off ranks otherwise."""

import json
from pathlib import Path

from benchmarks.quality import ablation


def test_each_group_is_off_in_its_row(data_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert ablation.main(["--data", str(data_folder), "--out", str(out)]) == 0
    metrics = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    rows = {one["without"]: one["turn"] for one in metrics["results"]}
    assert list(rows) == list(ablation.GROUPS)
    assert rows[ablation.ALL]["recall@10"] > 0.5
    assert any(row["ndcg@10"] != rows[ablation.ALL]["ndcg@10"] for row in rows.values())
    table = (out / "table.md").read_text(encoding="utf-8")
    assert all(f"| {name} | " in table for name in ablation.GROUPS)


def test_every_feature_is_in_a_group_that_turns_it_off() -> None:
    weights = ablation._policy(()).policies.ranking
    for features in ablation.GROUPS.values():
        off = ablation._policy(features).policies.ranking
        for kind in ("weights", "scattered"):
            before, after = (getattr(one, kind).model_dump() for one in (weights, off))
            assert after == before | dict.fromkeys(features, 0.0)
    assert {name for features in ablation.GROUPS.values() for name in features} == set(weights.weights.model_dump())
