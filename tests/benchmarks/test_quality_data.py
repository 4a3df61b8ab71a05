import json
from pathlib import Path

import pytest

from benchmarks.quality.datasets import DataError, load_data


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
