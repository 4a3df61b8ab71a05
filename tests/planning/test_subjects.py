"""Comparisons, overviews and introductions look in the documents: they were small talk, or of memory alone."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.compose.planner.read import Reading, Recent, read


def reading(message: str) -> Reading:
    """Return what is read in a message."""
    return read(message, date(2026, 5, 15), Recent)


@pytest.mark.parametrize(
    "message",
    [
        "compare HNSW and IVF",
        "Could you contrast optimistic and pessimistic locking",
        "HNSW vs IVF",
        "I want to learn about HNSW",
        "I'd like to understand how raft elects a leader",
        "give me an overview of OAuth 2.1",
        "an introduction to gRPC streaming, please",
        "比较 HNSW 与 IVF",
        "请对比一下 Rust 和 Go",
        "了解一下 HNSW",
        "想了解 etcd",
        "麻烦介绍下向量数据库",
        "量子纠缠概述",
    ],
)
def test_what_is_to_be_learned_about_is_looked_up(message: str) -> None:
    found = reading(message)
    assert found.resources, found.why_resources
    assert found.intent != "other"


@pytest.mark.parametrize("message", ["compare my two offers", "比较一下我这两个月的体重"])
def test_a_comparison_of_what_is_ones_own_is_asked_of_memory(message: str) -> None:
    found = reading(message)
    assert not found.resources
    assert found.intent != "other"


@pytest.mark.parametrize(
    "message",
    [
        "I compared the two flats yesterday",
        "I know how you feel",
        "give me an overview of my week",
        "overview of what we decided",
        "今天比较累",
        "了解了，谢谢",
        "我了解你的意思",
        "概述一下我的任务",
    ],
)
def test_what_only_sounds_like_it_is_not(message: str) -> None:
    assert not reading(message).resources
