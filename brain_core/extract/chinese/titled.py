"""What something of one's own is called, told in Chinese: 论文题目定了：《雨季》, later 题目改了，叫《雨季之后》."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.chinese.clauses import each, rest_of_sentence
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.known import value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_OF_WORKS = r"题目|标题|书名|片名|剧名|刊名|曲名|歌名|栏目名|课题名|暂定名"
_NAME = rf"{_OF_WORKS}|店名|队名|团名|群名|项目名|产品名|品牌名|公司名|代号|口号|域名|笔名|艺名|网名|花名"
_WORKS = r"论文|小说|书|文章|剧本|频道|节目|播客|专栏|公众号|专辑|歌|游戏"
_WHOSE = rf"(?:{_WORKS}|项目|产品|品牌|公司|工作室|店|乐队|社团|球队|账号|比赛|活动|应用|软件|仓库|系统)"
_TITLED = Expression(
    rf"^(?:那|所以|最后|最终|对了|另外|还有|就|好|嗯)*[,，]?(?P<what>(?:(?:我们|咱们?|我)的?)?[^,，。:：你您他她它我这那]{{0,8}}?"
    rf"(?:{_NAME}|{_WHOSE}的?(?:新|正式|中文|英文)?(?:名字|名称)|^(?:名字|名称)(?=[^,，]{{0,6}}[改换定])))"
    r"(?:我们?|咱们?|(?:被|让|由)[^,，。]{1,6}?)?(?:最后|最终|终于|已经|暂时|现在|目前|也|就|都|先|又)*"
    r"(?:(?:(?:定|选|想|取|起|改|换)(?:好|下来)?了|确定了?)\s*+[:：,，]?\s*+(?:现在|就|先|改|还)?(?:叫做?|是|为|成|用)?|"
    r"暂定为?|拟定为?|(?:改|换|定)(?:成|为|叫)了?|叫做?|就?是|为|[:：]|(?=[《“\"「『]))\s*+[:：]?\s*+"
    r"(?P<named>《[^》]{1,60}》|[“\"「『][^”\"」』]{1,40}[”\"」』]|(?![没不太很还好待下今明后前上昨已]|什么|怎么|哪|[0-9]+[号日月])"
    r"[^,，。！!？?吗呢\s][^,，。！!？?吗呢]{1,39}?)(?:了|啦|吧)?\s*(?=$|[,，。；;！!])"
)
_OWN = Expression(r"^(?:我[们們]|咱[们們]?|我|的)+")
_ITS_NAME = Expression(rf"(?:{_NAME}|名字|名称)")
_ANYTHINGS = ("名字", "名称")
"""What anything has, so that it says nothing alone."""


def _titled(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    told, _ = rest_of_sentence(scene, 0)
    found = _TITLED.match(fold(told))
    if found is None or _NO_NAME.search(found["named"]):
        return
    what = _named_by(told, found)
    slug, content = content_slug(fold(what)), told[: found.end("named")]
    if _ITS_NAME.fullmatch(what):
        known = next(_known(scene, what), "")
        if not known and what in _ANYTHINGS:
            return
        slug, content = content_slug(fold(known or what)), f"{known or what}：{told[slice(*found.span('named'))]}"
    yield Found({"kind": "fact", "slug": slug, "content": content}, span=(0, found.end()))


def _named_by(told: str, found: re.Match[str]) -> str:
    """Return what a title is of, as it was told."""
    start, stop = found.span("what")
    return _OWN.sub("", told[start:stop], count=1).replace("的", "")


_NO_NAME = Expression(
    r"^(?:个|一个|新的|改|换|随便|再说|这个|那个|原来)|想好|定下来|(?:要|会|可以|应该)(?:改|换)|改[了改]?$"
)


def _known(scene: Scene, name: str) -> Iterator[str]:
    """Yield what is known to have a title, 论文题目, of which a name alone, 题目, may speak, newest first."""
    for item in scene.known.active("knowledge"):
        told = str(value_of(item)["content"])
        found = _TITLED.match(fold(told))
        if found is not None and (name in _ANYTHINGS or found["what"].endswith(name)):
            yield _named_by(told, found)


TITLED = Rule("titled", "knowledge", each("题目名代口域"), Expression(rf"{_NAME}|名字|名称"), _titled)
