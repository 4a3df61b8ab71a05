"""The benchmark of kernels at its smallest size: every kernel is there, and agrees with its twin."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.kernels import __main__ as kernels
from benchmarks.kernels.measure import difference

_STUBS = Path(__file__).parents[2] / "brain_core/kernels"


def test_every_public_kernel_is_measured_and_equals_its_twin(tmp_path: Path) -> None:
    assert kernels.main(["--out", str(tmp_path), "--sizes", "tiny", "--seconds", "0.02"]) == 0
    rows = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["rows"]
    assert {row["kernel"] for row in rows} >= set(_public())
    for row in rows:
        assert row["twin"]["difference"] == 0, row["kernel"]
        assert min(row["compiled"]["us"], row["twin"]["us"]) > 0
        if row["naive"] is not None:
            assert row["naive"]["difference"] < 1e-5, row["kernel"]
    assert "| `fuse.fuse` |" in (tmp_path / "table.md").read_text(encoding="utf-8")


def _public() -> list[str]:
    """Name what the stubs offer: functions, and classes that do more than keep and score what others measure."""
    found = []
    for stub in sorted(_STUBS.glob("*.pyi")):
        for node in ast.parse(stub.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                found.append(f"{stub.stem}.{node.name}")
            elif isinstance(node, ast.ClassDef):
                inside = (one.name for one in node.body if isinstance(one, ast.FunctionDef))
                found += [f"{stub.stem}.{node.name}.{name}" for name in inside if name in {"add", "score", "idf"}]
    return found


def test_one_kernel_can_be_chosen(tmp_path: Path) -> None:
    assert kernels.main(["--out", str(tmp_path), "--sizes", "tiny", "--kernel", "budget"]) == 0
    rows = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["rows"]
    assert [row["kernel"] for row in rows] == ["budget.fit"]


def test_a_kernel_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        kernels.main(["--out", str(tmp_path), "--kernel", "nothing"])


def test_differences_are_told_apart() -> None:
    left = (np.array([1, 2]), np.array([0.5, 0.25]))
    assert difference(left, ([1, 2], [0.5, 0.25])) == 0
    assert difference(left, ([1, 2], [0.5, 0.2])) == pytest.approx(0.05)
    assert difference(left, ([1, 3], [0.5, 0.25])) == float("inf")
    assert difference(left, ([1, 2], [0.5])) == float("inf")
    assert difference(left, ([1, 2],)) == float("inf")
    assert difference(([1, 2],), left, whole=False) == 0
