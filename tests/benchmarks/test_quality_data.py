import json
from pathlib import Path

import pytest

from benchmarks.quality.answers import Answer
from benchmarks.quality.datasets import DataError, load_data
from benchmarks.quality.scoring import score


def test_loads_gzipped_and_plain(data_folder: Path) -> None:
    data = load_data(data_folder)
    assert (data.name, len(data.conversations), len(data.questions), data.blank_questions) == ("made_up", 2, 7, 1)
    assert data.session_of["zh"]["s1:0"] == "s1"
    assert data.questions[4].text == "我在哪里喝了龙井茶？"
    assert data.questions[6].gold_turns == ()


def test_place_of_a_question_in_the_stream(data_folder: Path) -> None:
    data = load_data(data_folder)
    assert [data.place_of(question) for question in data.questions] == [3, 2, 3, 3, 2, 1, 2]


def test_gold_that_cannot_be_found_is_counted(data_folder: Path) -> None:
    data = load_data(data_folder)
    assert [data.absent_gold(question) for question in data.questions] == [0, 0, 0, 0, 0, 1, 0]


def test_limit_keeps_the_first_questions_and_their_conversations(data_folder: Path) -> None:
    data = load_data(data_folder, limit=2)
    assert [question.id for question in data.questions] == ["q1", "q2"]
    assert [conversation.id for conversation in data.conversations] == ["en"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"conversation_id": "en", "question": "?"}, "'id'"),
        ({"id": "q1", "conversation_id": "en", "question": "?"}, "stands twice"),
        ({"id": "q9", "conversation_id": "nobody", "question": "?"}, "nobody"),
    ],
)
def test_bad_questions_are_named(data_folder: Path, row: dict[str, str], message: str) -> None:
    with (data_folder / "questions.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(row) + "\n")
    with pytest.raises(DataError, match=message):
        load_data(data_folder)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="questions"):
        load_data(tmp_path)


def test_a_turn_in_a_package_stands_for_another_of_its_words(tmp_path: Path) -> None:
    said = [("a", "Bo", "去游泳了"), ("b", "Bo", "去游泳了"), ("c", "Ann", "去游泳了"), ("d", "Bo", "went home")]
    turns = [{"turn_id": turn, "role": "user", "speaker": speaker, "text": text} for turn, speaker, text in said]
    conversation = {"id": "one", "sessions": [{"session_id": "s", "turns": turns}]}
    question = {"id": "q", "conversation_id": "one", "question": "谁去了？", "gold_turn_ids": ["b", "d"]}
    (tmp_path / "conversations.jsonl").write_text(json.dumps(conversation), encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text(json.dumps(question), encoding="utf-8")
    answer = Answer(
        data=tmp_path.name, system="any", question_id="q", retrieved=["a", "d"], retrieve_ms=1.0,
        package={"1024": ["a"], "2048": ["c"], "4096": ["a", "d"]},
        compose_ms={"1024": 1.0, "2048": 1.0, "4096": 1.0}, tokens={"1024": 1, "2048": 1, "4096": 1},
    )  # fmt: skip
    [scores] = score([answer], [load_data(tmp_path)], [])
    found = scores["turn"]["overall"]
    assert [found[f"package@{limit}"] for limit in (1024, 2048, 4096)] == [0.5, 0.0, 1.0]
    assert found["package_all@4096"] == 1.0
    assert found["recall@10"] == 0.5, "a ranking is scored by its turns"
