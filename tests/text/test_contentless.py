"""What says nothing by itself, and what only looks like it."""

from __future__ import annotations

import pytest

from brain_core.text.contentless import is_contentless

SILENT = [
    "yes go ahead", "ok thanks", "Thank you dear", "no that's all", "You're welcome!", "not yet",
    "Sounds good, thanks!", "I see, that makes sense.", "Good luck with her!", "Then enjoy the weekend!", "Who?", "👏",
    "……", "",
    "好的，周老板。", "嗯嗯，好的", "不辛苦，刘老师。", "刘老师好", "谢谢刘老师", "先不用", "您也辛苦了。",
    "可以啊", "嗯，好主意", "有事随时说。", "没问题，朋友！", "謝謝", "哈哈哈哈", "ok 好的", "祝您一切顺利",
]  # fmt: skip
SAYING = [
    "Tuesday", "B please", "7", "at 9", "yes, on Friday", "no, the blue one", "I quit", "I love her", "she's pregnant",
    "Programmes printed", "I need help", "good morning meeting moved", "是周老师", "周老板", "改到三点",
    "在家", "我怀孕了", "他不行了", "她没了", "我喜欢他", "下周", "买牛奶", "好的，周五", "ok 周五",
]  # fmt: skip


@pytest.mark.parametrize("text", SILENT)
def test_courtesies_say_nothing(text: str) -> None:
    assert is_contentless(text)


@pytest.mark.parametrize("text", SAYING)
def test_what_may_be_the_whole_answer_says_something(text: str) -> None:
    assert not is_contentless(text)


def test_a_long_text_is_taken_to_say_something() -> None:
    assert is_contentless("yes " * 20)
    assert not is_contentless("yes " * 21)
