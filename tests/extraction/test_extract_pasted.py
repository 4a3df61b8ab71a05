"""Whole messages that were written elsewhere teach nothing."""

from __future__ import annotations

import pytest

from brain_core.extract.pasted import LONGEST_MESSAGE, pasted
from brain_core.kinds.draft import Draft, Skip
from tests.extraction.reading import read

_ARTICLE = (
    "The Warsaw Stock Exchange is the largest market of the region. It lists 374 companies with a total capitalisation "
    "of 162 billion euros. The decision to move the exchange was made in 1991; the building is near the old square and "
    "is open on weekdays from nine to five."
)
_ARTICLE_ZH = (
    "华沙证券交易所是该地区最大的市场，截至二〇〇九年八月有三百七十四家上市公司，总资本为一千六百亿欧元。交易所大楼位于老城附近，"
    "工作日九点到五点开放，每年举办一次公众参观。该市的铁路系统由地铁服务。"
)
_PERSONS_NOBODY_IS_ZH = (
    "林若兰是台湾女歌手，母亲是小学老师，丈夫是传媒工作者。她毕业于建国大学新闻系，曾任晚报记者，后来决定改学声乐，"
    "获邀请加入合唱团，并以《等我回家》一曲成名，登记在册的作品有七十余首，其中三十首由她本人作词。"
)
_CODE = "def save(self, path):\n    result = self.encode()\n    path.write_bytes(result)\n    return result;\n"


@pytest.mark.parametrize(
    "text", [_ARTICLE, _ARTICLE_ZH, _PERSONS_NOBODY_IS_ZH, _CODE, "I said so. " * (LONGEST_MESSAGE // 10)]
)
def test_what_nobody_says_of_himself_counts_as_pasted(text: str) -> None:
    assert "counts as pasted" in pasted(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The staging database is on port 5433.",
        "测试库的端口是5433。",
        f"Please remember this: {_ARTICLE}",
        f"{_ARTICLE} We decided to list there.",
        f"{_ARTICLE_ZH}我们决定在那里上市。",
        f"请记住：{_ARTICLE_ZH}",
        f"记一下：{_PERSONS_NOBODY_IS_ZH}",
        f"{_PERSONS_NOBODY_IS_ZH}帮忙总结。",
        "x = 5 is what I set.\nIt works.\nThanks!",
    ],
)
def test_what_one_says_to_another_does_not(text: str) -> None:
    assert pasted(text) == ""


@pytest.mark.parametrize(("own", "foreign", "learned"), [
    ("I live in Oslo. Sum this up for me:", "The Harbour Group runs nine plants in seven countries. " * 9, "Oslo"),
    ("我住在青岛。帮我总结一下：", "海港集团在七个国家有九家工厂，生产卡车和客车，总部设在海边。" * 5, "青岛"),
])  # fmt: skip
def test_a_long_paragraph_in_which_nobody_speaks_is_somebody_s(own: str, foreign: str, learned: str) -> None:
    found = read(f"{own}\n{foreign}")
    [draft] = [each for each in found if isinstance(each, Draft)]
    assert learned in str(draft.given)
    assert [each.rule for each in found if isinstance(each, Skip)] == ["pasted"]
