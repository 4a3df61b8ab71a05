"""Documents that a message says not to look in."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.compose.planner.read import Recent, read


def searched(message: str) -> bool:
    """Return whether documents are searched for a message."""
    return read(message, date(2026, 5, 15), Recent).resources


@pytest.mark.parametrize(
    "message",
    [
        "Don't look in the documents: where does Mei live?",
        "Do not use the docs. Who is Anna?",
        "Without the documents, what did we decide?",
        "Ignore my files. What's my dog called?",
        "Please answer without looking at any files: what's my blood type?",
        "No need to check the manual, when is my appointment?",
        "不要查文档，小明住哪",
        "别搜资料，直接告诉我",
        "不用看文档，我家猫叫什么",
        "无需参考任何资料，我的生日是哪天",
    ],
)
def test_they_are_left_out(message: str) -> None:
    assert not searched(message)


@pytest.mark.parametrize(
    "message",
    [
        "Don't use the docs, check the manual: which port?",
        "Why does it not read my files?",
        "What do the docs say about not using files?",
        "Which port do the docs name?",
        "别人发的文档里怎么说",
        "要不要查文档？",
        "文档里哪个端口不要用？",
    ],
)
def test_other_negations_leave_them_in(message: str) -> None:
    assert searched(message)


@pytest.mark.parametrize("message", ["比较 HNSW 与 IVF", "对比 Rust 与 Go"])
def test_a_comparison_among_latin_names_is_read_as_chinese(message: str) -> None:
    assert searched(message)
