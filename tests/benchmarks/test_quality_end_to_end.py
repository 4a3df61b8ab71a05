"""The whole benchmark on the made-up data, through a real server that it starts itself."""

import json
from pathlib import Path

import pytest

from benchmarks.quality import __main__ as quality
from benchmarks.quality import score as scorer
from benchmarks.quality.answers import Answer, read_answers
from benchmarks.quality.scoring import Scores


def _run(data_folder: Path, out: Path, *systems: str) -> list[Scores]:
    arguments = ["--data", str(data_folder), "--out", str(out)]
    for system in systems:
        arguments += ["--system", system]
    assert quality.main(arguments) == 0
    results: list[Scores] = json.loads((out / "metrics.json").read_text(encoding="utf-8"))["results"]
    return results


def _by_question(answers: list[Answer]) -> dict[str, Answer]:
    return {answer["question_id"]: answer for answer in answers}


def test_through_the_server(data_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    results = _run(data_folder, out, "smartbrain", "bm25")
    assert [(one["system"], one["answered"]) for one in results] == [("smartbrain", 7), ("bm25", 7)]
    answers = _by_question([one for one in read_answers(out / "answers.jsonl") if one["system"] == "smartbrain"])

    assert answers["q1"]["retrieved"][0] == "s0:0"
    assert answers["q5"]["retrieved"][0] == "s0:0"
    assert {turn[:2] for turn in answers["q2"]["retrieved"]} <= {"s0", "s1"}  # s2 was not said yet
    assert {turn[:2] for turn in answers["q6"]["retrieved"]} <= {"s0"}
    assert "s2:0" in answers["q3"]["retrieved"]
    for answer in answers.values():
        assert len(set(answer["retrieved"])) == len(answer["retrieved"]) <= 50
        assert set(answer["package"]) == {"1024", "2048", "4096"}
        assert all(0 < answer["tokens"][limit] <= int(limit) for limit in answer["package"])

    smartbrain = results[0]
    assert smartbrain["turn"]["questions"] == 5
    assert smartbrain["turn"]["unlabelled"] == 1
    assert smartbrain["excluded"] == {"adversarial": 1}
    assert smartbrain["absent_gold"] == 1
    assert smartbrain["turn"]["by_category"]["adversarial"]["questions"] == 1.0

    assert {path.name for path in out.iterdir()} == {"answers.jsonl", "metrics.json", "plot.png", "table.md"}
    assert "| made_up | smartbrain | 5 |" in (out / "table.md").read_text(encoding="utf-8")

    capsys.readouterr()
    assert scorer.main([str(out / "answers.jsonl"), "--data", str(data_folder)]) == 0
    assert json.loads(capsys.readouterr().out) == results


def test_answers_to_other_data_are_refused(
    data_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(data_folder, tmp_path / "out", "bm25")
    lines = (tmp_path / "out" / "answers.jsonl").read_text(encoding="utf-8").replace('"q1"', '"q100"')
    (tmp_path / "answers.jsonl").write_text(lines, encoding="utf-8")
    assert scorer.main([str(tmp_path / "answers.jsonl"), "--data", str(data_folder)]) == 1
    assert "q100" in capsys.readouterr().err


def test_missing_data_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert quality.main(["--data", str(tmp_path), "--system", "bm25", "--out", str(tmp_path / "out")]) == 1
    assert str(tmp_path) in capsys.readouterr().err
