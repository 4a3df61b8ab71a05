"""Times that limit nothing, and documents that are called by their names."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.compose.planner.read import Reading, Recent, read

TODAY = date(2026, 6, 17)


def reading(message: str) -> Reading:
    return read(message, TODAY, Recent)


@pytest.mark.parametrize(
    "message",
    [
        "the oven won't heat, we replaced the element last month, why",
        "build is red, nothing merged since Thursday, what broke it",
        "Write to Sam saying we moved the shelf last week",
        "洗衣机脱水时跳得厉害，上个月师傅刚换的脚垫，怎么回事",
        "帮我记一下昨天给车换了机油",
    ],
)
def test_what_was_done_or_is_to_be_written_limits_no_time(message: str) -> None:
    assert reading(message).period is None


@pytest.mark.parametrize(
    ("message", "start"),
    [
        ("the oven won't heat since last Friday, why", "2026-06-12"),
        ("从昨天开始洗衣机脱水时跳得厉害，怎么回事", "2026-06-16"),
        ("carry on with the letter to Sam that we began last week", "2026-06-08"),
    ],
)
def test_since_when_a_fault_is_and_what_is_gone_on_with_limit_it(message: str, start: str) -> None:
    period = reading(message).period
    assert period is not None
    assert str(period.start) == start


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("what does the Hayter manual say about blades", "Hayter manual"),
        ("how long is probation, it's in the staff handbook I uploaded", "staff handbook"),
        ("《绩效考核办法》里试用期怎么规定的", "绩效考核办法"),
        ("員工手冊裡年假怎麼算", "員工手冊"),
        ("从「逐字稿」资料夹整理三位受访者的困难", "逐字稿"),
        ("summarise the tenancy contract", ""),
        ("概述一下《三体》第一部的剧情", ""),
        ("这份合同里违约金怎么算", ""),
    ],
)
def test_a_document_called_by_its_name_is_where_to_look(message: str, place: str) -> None:
    assert reading(message).place == place
