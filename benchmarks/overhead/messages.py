"""What users ask: messages without and with cues for the planner, and the questions of a data folder."""

import random
from pathlib import Path

from benchmarks.engine.texts import Texts
from benchmarks.quality.datasets import load_data

_SEED = 7
_CUES = (
    "What did we decide about {} last week?",
    "Let us go on with the task about {}.",
    "Why did {} fail with an error yesterday?",
    "Sum up what I said about {} in May.",
    "Which goals do I have for {}?",
    "Look up in the documents what {} means.",
    "上周我们关于{}做了什么决定？",
    "继续做{}的任务",
    "昨天{}为什么报错？",
    "总结一下五月份我说过的{}",
    "我对{}有什么偏好？",
    "查一下文档里怎么说{}",
)

Messages = dict[str, list[str]]
"""By kind."""


def made_up(texts: Texts, chunks: int, count: int) -> Messages:
    """Make `count` messages of each kind about texts 0 … chunks - 1, always the same."""
    chance = random.Random(_SEED)
    about = [texts.question(chance.randrange(chunks)) for _ in range(count)]
    cued = [_CUES[number % len(_CUES)].format(words) for number, words in enumerate(about)]
    return {"without cues": about, "with cues": cued}


def given(folder: Path, count: int) -> Messages:
    """Draw `count` questions of a data folder, always the same. Raises DataError, or ValueError if there is none."""
    texts = [one.text for one in load_data(folder).questions]
    if not texts:
        raise ValueError(f"{folder}: no question is there")
    return {f"questions of {folder.name}": random.Random(_SEED).sample(texts, min(count, len(texts)))}
