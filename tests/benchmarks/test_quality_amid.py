"""Questions that are asked in a session that goes on."""

import json
from pathlib import Path

import pytest

from benchmarks.quality import __main__ as quality
from benchmarks.quality.answers import Answer, read_answers
from benchmarks.quality.baseline import Baseline
from benchmarks.quality.bm25 import Bm25
from benchmarks.quality.counting import Rendered, WordPieces
from benchmarks.quality.datasets import load_data
from benchmarks.quality.replay import Replay
from benchmarks.quality.systems import Memory, Setting
from benchmarks.quality.words import Words

_SAID = 'Ana: "I play in the school theatre again."\nAssistant: "How lovely!"\nAna: "I hope it goes better!"'
_TURNS = [
    ["My cat Olive hates the flat.", "The school theatre was a disaster."],
    ["The dentist is on Friday.", "Is there a car park there?", "Thanks."],
]
_QUESTIONS = [
    {"id": "apart", "question": "I hope it goes better!", "context": _SAID, "gold_turn_ids": ["0-1"]},
    {"id": "stream", "question": "Is there a car park there?", "before_session_id": "s1", "query_turn_id": "1-1",
     "gold_turn_ids": ["1-0"]},
    {"id": "alone", "question": "Who is Olive?", "gold_turn_ids": ["0-0"]},
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a conversation of two sessions, and three questions."""
    folder = tmp_path / "amid"
    folder.mkdir()
    sessions = [
        {
            "session_id": f"s{place}",
            "datetime": "2024-01-02",
            "turns": [
                {"turn_id": f"{place}-{number}", "speaker": "Ana", "role": "user", "text": text}
                for number, text in enumerate(texts)
            ],
        }
        for place, texts in enumerate(_TURNS)
    ]
    (folder / "conversations.jsonl").write_text(json.dumps({"id": "c", "lang": "en", "sessions": sessions}) + "\n")
    lines = (json.dumps({"conversation_id": "c", "category": "x", **one}) for one in _QUESTIONS)
    (folder / "questions.jsonl").write_text("\n".join(lines))
    return folder


def _filled(memory: Memory, folder: Path) -> Memory:
    for session in load_data(folder).conversations[0].sessions:
        for turn in session.turns:
            memory.add(session, turn)
    return memory


def test_what_was_said_before_is_read_without_the_question(folder: Path) -> None:
    said = {question.id: question.said for question in load_data(folder).questions}
    told = [(turn.role, turn.speaker, turn.text) for turn in said["apart"]]
    assert told == [("user", "Ana", "I play in the school theatre again."), ("assistant", "", "How lovely!")]
    assert said["stream"] == said["alone"] == ()


@pytest.mark.parametrize("amid", [False, True])
def test_a_question_is_asked_after_the_turns_before_it(folder: Path, amid: bool) -> None:
    system = Baseline("bm25", lambda: Bm25(Words()), WordPieces(len))
    answers = {one["question_id"]: one for one in Replay(load_data(folder), system, amid=amid).answers()}
    assert len(answers) == 3
    assert ("1-0" in answers["stream"]["package"]["1024"]) is amid
    assert "1-1" not in answers["stream"]["retrieved"]
    assert ("0-1" in answers["apart"]["retrieved"]) is amid
    # What was said before one question is not known to the others.
    assert not any(turn.startswith("apart") for turn in answers["alone"]["retrieved"])


def test_through_the_server(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert quality.main(["--data", str(folder), "--out", str(out), "--system", "smartbrain", "--amid"]) == 0
    answers: dict[str, Answer] = {one["question_id"]: one for one in read_answers(out / "answers.jsonl")}
    assert answers["apart"]["retrieved"].index("0-1") < answers["apart"]["retrieved"].index("0-0")
    assert {"apart-0", "0-1"} <= set(answers["apart"]["package"]["1024"])
    assert "1-0" in answers["stream"]["package"]["1024"]
    assert not any(turn.startswith("apart") for turn in answers["alone"]["package"]["4096"])


def test_a_rendered_prompt_is_charged_for_all_that_stands_in_it(folder: Path) -> None:
    said = load_data(folder).questions[0].said

    def tokens(counting: WordPieces | Rendered) -> int:
        memory = _filled(Baseline("bm25", lambda: Bm25(Words()), counting).open("m"), folder)
        return memory.package("cat", 1000, Setting("now", said)).tokens

    words = tokens(WordPieces(lambda text: len(text.split())))
    assert words == sum(len(text.split()) for text in [*(turn.text for turn in said), *_TURNS[0]])
    assert tokens(Rendered(lambda text: 100 * len(text.split()))) > words + 20
