"""A data set of two small conversations, one English, one Chinese with English in it, whose turn ids are the same."""

import gzip
import json
from pathlib import Path

import pytest

_ENGLISH = [
    ("1:56 pm on 8 May, 2023", ["I moved to Lisbon last week.", "My cat Olive hates the new flat."]),
    ("2023-06-01", ["The dentist appointment is on Friday.", "I bought a red bicycle for the commute."]),
    ("2023-07-01", ["I sold the bicycle and bought a blue bicycle instead.", "Rain every single day."]),
]
_CHINESE = [
    ("2024-01-02", ["我昨天在杭州喝了龙井茶。", "我的项目用 RocksDB 保存数据。"]),
    ("2024-02-03", ["下周要去北京参加会议。", "今天学会了做红烧肉。"]),
]
_QUESTIONS = [
    {"id": "q1", "conversation_id": "en", "question": "Which city did I move to, Lisbon?", "category": "fact",
     "gold_turn_ids": ["s0:0"], "gold_session_ids": ["s0"]},
    {"id": "q2", "conversation_id": "en", "question": "What colour is the bicycle?", "category": "stream",
     "gold_turn_ids": ["s1:1"], "gold_session_ids": ["s1"], "before_session_id": "s2"},
    {"id": "q3", "conversation_id": "en", "question": "What colour is the bicycle?", "category": "fact",
     "gold_turn_ids": ["s2:0", "s1:1"], "gold_session_ids": ["s2", "s1"]},
    {"id": "q4", "conversation_id": "en", "question": "What is the bicycle made of?", "category": "adversarial",
     "gold_turn_ids": ["s1:1"]},
    {"id": "q5", "conversation_id": "zh", "question": "我在哪里喝了龙井茶？", "category": "fact",
     "gold_turn_ids": ["s0:0"], "gold_session_ids": ["s0"]},
    {"id": "q6", "conversation_id": "zh", "question": "项目用什么保存数据，RocksDB 吗？", "category": "stream",
     "gold_turn_ids": ["s0:1", "lost"], "gold_session_ids": ["s0"], "before_session_id": "s1"},
    {"id": "q7", "conversation_id": "zh", "question": "Who won the match?", "category": "abstention",
     "gold_turn_ids": []},
    {"id": "q8", "conversation_id": "zh", "question": " ", "category": "fact", "gold_turn_ids": ["s0:0"]},
]  # fmt: skip


@pytest.fixture
def data_folder(tmp_path: Path) -> Path:
    """Write a folder `made_up`: conversations gzipped, questions plain."""
    folder = tmp_path / "made_up"
    folder.mkdir()
    conversations = [_conversation("en", _ENGLISH), _conversation("zh", _CHINESE)]
    with gzip.open(folder / "conversations.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in conversations)
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in _QUESTIONS)
    (folder / "questions.jsonl").write_text(text, encoding="utf-8")
    return folder


def _conversation(name: str, sessions: list[tuple[str, list[str]]]) -> dict[str, object]:
    return {
        "id": name,
        "lang": name,
        "sessions": [
            {
                "session_id": f"s{place}",
                "datetime": when,
                "turns": [
                    {"turn_id": f"s{place}:{number}", "speaker": "Ana", "role": "user", "text": text}
                    for number, text in enumerate(texts)
                ],
            }
            for place, (when, texts) in enumerate(sessions)
        ],
    }
