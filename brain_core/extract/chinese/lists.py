"""Tasks put on a list in Chinese: 待办:…, 提醒我…, 今日三件:…."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.chinese.clauses import each, rest_of_sentence, tidy, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

LEADING = Expression(
    r"^\s*(?:(?:那|对了|另外|还有|所以|不过|(?:我们?|咱们?)(?!的)|俺|还|也|就|得|要|需要|必须|务必|应该|该|记得|别忘了?|打算|"
    r"准备|帮我?|请|先|把|去(?!掉|除|重)|在|于|之前|以前|前|内|之内|:|,|，|、| |"
    r"提醒我?|记(?:一下|下来?|着)|一下|加个?|新增|添加|待办|任务|todo)\s*)++", re.IGNORECASE,
)  # fmt: skip


_HEADED = Expression(
    r"^\s*(?:to-?do|待办(?:事项)?|任务)\s*[:：]|^(?:请|麻烦|记得|[明后]天|到时候)*提醒(?:一下)?我(?!之前|刚才|说|们)|"
    r"(?:得|要|需|记得|别忘了?|打算|准备)(?:去|把[^,，那这]{1,16})?(?:删|清|抹|划)(?:掉|除|了)",
    re.IGNORECASE,
)


def is_to_do(clause: str) -> bool:
    """Return whether a folded clause says that something is to be done, 待办:删掉 lodash: it takes nothing back."""
    return _HEADED.search(clause) is not None


def task(title: str, folded: str, due: str, span: tuple[int, int] | None = None) -> Found:
    """Return a task to do; folded: the words its id is made of. due: ISO date or empty."""
    given = {
        "task_id": content_slug(re.sub(r"^.*?(?:之前|以前|(?<=[日号天一二三四五六底末])前)", "", folded) or folded),
        "title": title,
        "status": "todo",
    }
    return Found({**given, "due": due} if due else given, span=span)


def _several(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 今日三件:取体检报告、给奶奶转账."""
    day = first_day(match["when"] or "", scene.said)
    due = day.day.isoformat() if day is not None and day.exact else ""
    content, span = rest_of_sentence(scene, match.start("what"))
    head = match[0][: match.start("what") - match.start()]
    if match["when"] is None and not re.search(r"[事活办做干]|任务|清单|to-?do", head, re.IGNORECASE):
        return
    if _TALKED_OF.search(head):
        return
    if re.search(r"活|任务|待办|差事", head) and "、" not in content:
        yield task(content, fold(content), due, span)
        return
    parts = [
        part.strip()
        for part in re.split(
            r"[、,，;；]|"
            r"[0-9一二三四五六][.、)）]",
            content,
        )
        if len(part.strip()) >= 2
    ]
    if len(parts) >= 2:
        for part in parts:
            yield task(part, fold(part), due, span)


_TALKED_OF = Expression(r"[讲说聊谈问提议]|讨论|汇报|分享|宣布|强调|告诉|注意|学到|明白|后悔|发生|确认|交代")
"""What is done with several matters that are no tasks: 要讲三件事：预算、排期、招人."""


_SEVERAL = Rule(
    "task_several", "tasks", each("件个项桩单办做事活d"),
    Expression(
        r"^\s*(?P<when>今[天日儿]|明[天日儿]|后天|本周|这周|下周|周末|这?周[一二三四五六日]|接下来|手头|回头|"
        r"月底前|节前|年前)?[^,，:。我你他看了]{0,8}?"
        r"(?:(?<![上下第另])[0-9一二三四五六七八两几]\s*(?:件|个|项|桩)(?:事儿?|活儿?|任务)?|"
        r"要[办做干](?:的|的事)?|清单|任务|待办|事项|活儿?|差事|to-?do)\s*[:：]\s*(?P<what>.+)", re.IGNORECASE,
    ),
    _several, insists=True,
)  # fmt: skip


def _bulleted(scene: Scene) -> Iterator[Found]:
    """Yield what stands in the lines after a clause that are marked as items of a list: 待办:, then - 交房租."""
    place = scene.clause.start + len(scene.clause.text)
    while (line := _BULLET.match(scene.message, place)) is not None:
        place = line.end()
        title = tidy(line["what"])
        if line["done"] is None and len(title) >= _SHORTEST:
            day = first_day(fold(title), scene.said)
            due = day.day.isoformat() if day is not None and day.exact else ""
            start = line.start("what") - scene.clause.start
            yield task(title, fold(title), due, (start, start + len(line["what"])))


_BULLET = re.compile(
    r"\s*\n[ \t]*(?:[-*•·▪]|[0-9]{1,2}[.、)）]|(?=\[))[ \t]*(?:\[(?: ?|(?P<done>[xX√✓]))\][ \t]*)?(?P<what>[^\s][^\n]*)"
)
_SHORTEST = 2
"""Characters of a title."""


def _listed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = scene.clause.text
    what = match["what"].strip() or scene.clause.sentence.partition(folded)[2]
    if not what:
        yield from _bulleted(scene)
    if len(what) < 2 or re.match(r"(?:列表|清单|是什么|有哪些|怎么)", what) or DECLINED.search(scene.clause.sentence):
        return
    lead = LEADING.match(what)
    day = first_day(scene.clause.sentence, scene.said)
    start = match.start("what") + (lead.end() if lead else 0)
    title, span = rest_of_sentence(scene, start)
    if len(title) >= 2:
        yield task(title, fold(title), day.day.isoformat() if day and day.exact else "", span)


def _put_on_list(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    title = written(scene, match.start("what"), match.end("what"))
    yield task(title, match["what"], "")


_ON_LIST = Rule(
    "task_on_list", "tasks", "加 放 记 写 列",
    Expression(r"把(?P<what>[^,，]{2,24}?)(?:加|放|记|写|列)(?:到|进|在|入|上)?(?:我的?)?(?:清单|待办|日程|任务|列表|"
        r"to-?do)", re.IGNORECASE), _put_on_list, insists=True,
)  # fmt: skip

DECLINED = Expression(
    r"(?:[叫让喊约请劝拉催]|邀请?)(?:了|过)?我[^。!！?？]{1,30}[,，](?:但是?|可是?|不过|结果|然后)?(?:被?我)?(?:已经|就|都|直接|还是|当场|给)*"
    r"(?:没(?:答应|同意|去|应|理[他她会]?|搭理|接)|不(?:去|想去|干|同意|答应|肯)(?=$|[,，。!！了])|拒绝|回绝|婉拒|谢绝|推(?:了|掉)|拒了)"
)
"""What somebody asks of the user, who will not do it: 老王叫我去苏州干，我没答应."""

_LISTED = Rule(
    "task_listed", "tasks", "叫 条 项 待 任 T 单 醒 t 日 办 程 事 提",
    Expression(r"(?:^\s*(?:to-?do|待办(?:事项)?|任务|要[做办]的(?:事情?|有)?)\s*[:：]|(?:帮我|再)?(?:加|记|添|"
        r"补)(?:上)?(?:一?条|一?个|"
        r"一?项)\s*[:：,，]|(?:加|记|添加|新增|建|列|放|写)(?:一?个|一?条|到|进|入|上|在|我的|项)*\s*(?:待办|任务|"
        r"todo|to-do|清单|日程|提醒|备忘)(?:事项|列表|清单|里|上|中|吧|一下)*\s*[:：,，]?|"
               r"(?:(?<!谢谢)(?:提醒|叫)(?:一下)?|(?:记得|到时|[今明后]天|^\s*)提)我(?!们|[^,，]{1,8}(?:就行|就好|即可|就成|吧$))(?=.{0,12}(?:去|要|"
               r"把|给|交|买|打|吃药|开会|带|取|还|写|发|缴|"
               r"复|准备|[0-9一二三四五六七八九十]点|号|周|明天|后天))|帮我?(?:排|安排|加|记|写)(?:一?个|一?件|"
               r"一?条)(?:事儿?|日程|活儿?|提醒)\s*[:：,，]|还[有差剩](?:个|一个|件|一件|项|一项)?(?:待办|"
               r"任务|事儿?|活儿?)(?:没做|要办|要做)?\s*[:：,，是])\s*(?P<what>.*)", re.IGNORECASE),
    _listed, insists=True,
)  # fmt: skip

LISTS: tuple[Rule, ...] = (_SEVERAL, _ON_LIST, _LISTED)
"""All insist: what is put on a list is meant."""
