"""What becomes of tasks that are known, told in Chinese: started, done, blocked, put off, dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from brain_core.extract.chinese.clauses import written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.lists import is_to_do
from brain_core.extract.chinese.recall import points_at, spoken_of
from brain_core.extract.chinese.vocabulary import RELATIVE
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _known_task(scene: Scene, words: str) -> tuple[dict[str, object], dict[str, object]] | None:
    """Return (value, key parts) of the open task that the words name; bare words the session's only one."""
    stripped = _STATUS_WORDS.sub("", words).strip(" ,，。了的都已经刚我们啊吧哈把也就")
    item = spoken_of(scene, stripped, ("tasks",)) if len(stripped) >= 2 else None
    if item is not None:
        value = value_of(item)
        return value, denial(item)
    if len(stripped) < 2:
        held = [value_of(each) for each in scene.known.active("tasks") if each.session_id == scene.session]
        still = [value for value in held if value.get("status") != "done"]
        if len(still) == 1 and not _SOMEBODY.search(words) and points_at(scene, str(still[0].get("title", ""))):
            return still[0], {part: still[0][part] for part in ("project", "task_id") if part in still[0]}
    return None


_SOMEBODY = Expression("[他她]")
_STATUS_WORDS = Expression(
    r"推迟到.*|延期?到.*|拖到.*|(?:写|做|改|弄|处理|办|买|修|测|整理|装|画|跑|洗|准备|交接|迁移|部署)(?:完|好)了?|"
    r"搞定了?|完成了?|弄好了?|(?:交|发|寄|提交|合并|合|上线|发布|递)(?:出去|上去|进去|掉)?了|解决了?|结束了?|"
    r"(?<=[\u4e00-\u9fff]{2})找(?:到|好|着|妥)了?|"
    r"通过了?|收工|完事儿?|done|ok了?|结清了?|还清了?|已经?|终于|总算|刚刚?|今天|昨天|全部?|"
    r"正在|开始|着手|动手|在(?=写|做|改|弄|处理|跑)|写着|做着|进行中|一半|卡在|卡住了?|卡着|阻塞|被|挡住了?|"
    r"不用(?:做|管|弄|写|买|去)?|取消了?|不做了|作废了?|算了|黄了|不需要了?|先不(?:管|弄|做|急|搞|办|买|订|装|写|动)|推迟到|延期到|延到|改到|提前到|挪到|推到|"
    r"[到至].*|先?放(?:一)?放|先放着|的事情?|等.*",
    re.IGNORECASE,
)
_MOVES: tuple[tuple[str, Expression], ...] = (
    ("dropped", Expression(r"不用(?:做|管|弄|写|买|去|交|办|改|修|了)|取消|不做了|作废|算了$|黄了|不需要了|不搞了|"
        r"不弄了|撤了")),
    ("blocked", Expression(r"卡在|卡住|卡着|卡了|阻塞|block|先?放(?:一)?放|先放着|"
        r"先不(?:管|弄|做|急|搞|办|买|订|装|写|动)(?!了)|等配件|被.{1,12}(?:挡|拦|耽误|"
        r"拖住)|(?:在|还|得|要)?等.{1,16}(?:审批|批|回复|反馈|确认|到货|签字|才能|答复|通知|权限|盖章|结果)|"
        r"没法(?:继续|推进|往下)|推进不(?:了|下去)|动不了|搁置|停摆")),
    ("moved", Expression(r"(?:推迟|延期|延后|延|拖|改|提前|挪|推|顺延|宽限)(?:到|至|成)")),
    ("done", Expression(r"(?:写|做|改|弄|处理|办|买|修|测|整理|装|画|跑|洗|订|交|缴|填|签|背|看|搬|准备|迁移?|部署|"
        r"重构|收拾|打扫)(?:完|好|过)了?(?!再|之前|才|吗|没)|搞定(?!吗|之前|不)|(?<!没)(?<!未)完成了|已完成|弄好|"
        r"(?:交|发|寄|提交|合并|合|上线|发布|递|续|退|还|取|订|约|买|付|缴|打)(?:出去|上去|进去|掉|上|到|回来|完)?了|"
        r"(?:修|解)(?:复|决)了|解决了|结束了|过了$|找(?:到|好|着|妥)了|"
        r"(?:打|发|寄|送|交|买|问|查|看|做|改|修|联系|咨询|通知|提醒|拜访|复查|检查)过[^,，没不怎什]{0,6}了$|收工|完事|(?:发|交|拿|取|送|寄|打|转|汇|还|搬|贴|递|传|报|填|"
        r"签|回)(?:过去|出去|上去|回来|到手|到|好|给.{1,8})了|[^没未不](?:好|完|妥|成|清|掉)了|到手了|\bdone\b|"
        r"已(?:经)?(?:合|并|写|归|录|导|交|贴|传)(?:进|入|到)|从[^,，]{0,6}(?:清单|列表|待办)[上里中]?[^,，]{0,2}(?:划|勾|删|去)(?:走|掉|除|去)|"
        r"结清|结(?:掉|完)?了(?!婚)|还清|关掉了|[\u4e00-\u9fff](?:完|好|掉|"
        r"上)(?:钱|手续)?了|(?:回|报|领|卖|扔|办|跑|约|取|送|接|打|洗|考|买|修|换|缴|交|发|寄|写|做|看|读|背|改|弄|"
        r"订|填|签|搬|理|问)了$|已经.{1,8}了$", re.IGNORECASE)),
    ("doing", Expression(r"正在|(?:已经|都)?开始(?:做|写|弄|改|处理|整理|动手|准备|着手|学|跑)|着手|动手|(?:已经|"
        r"我)?在(?:写|做|改|弄|处理|跑|修|整理|排查|准备)了?|做了一半|写了一半|弄到一半|(?:写|做|弄|改|看|读|画|"
        r"练|跑|进行|推进)到.{1,8}了|还没(?:完|写完|做完|弄完)呢?|写着呢|进行中|做着呢|手头在|(?:开工|动笔|动工|开写|开动)了")),
)  # fmt: skip


_NOT_YET = Expression(r"(?:还)?没(?:有)?(?:做(?!完)|写(?!完)|弄(?!完)|改|处理|办|搞)|未完成|之前(?:要|得)")
_UNDONE = Expression(
    r"没(?!问题|想到|白|多久)|未(?!来)|[\u4e00-\u9fff]不(?:了|完|好|上|掉|出|到|起|动|成|下)|不(?!用|需|过|错|小心)[^,，]{1,4}了|一半|大半|"
    r"一部分|[大小半]?部分|差不多|差一?点|还[差剩]|(?:快|马上|就要|即将)[^,，递]{0,6}了|又[^,，]{0,4}(?:复发|出现|坏|犯|出|崩|挂|报|有|不)|打回|退回来|"
    r"把[^,，]{1,10}了吧|(?:快|赶紧|赶快|尽快|抓紧|记得|别忘|麻烦|请|帮我?|要是|如果|等)[^,，]{0,12}了|了再|就算|以为|假装|"
    r"什么时候|说(?:好|是|要)?[^,，]{0,3}(?:[下后明]个?[周天月年]|过[两几]天|[月年]底)|[吗么?？]\s*$"
)
"""What says that something is not, or not wholly, or not yet done: 没写完, 修不好, 交了一半, 又复发了, 快把它交了吧."""
_PERSON = Expression(
    rf"{RELATIVE}|[小老阿](?!区|家|板)[\u4e00-\u9fff]|[\u4e00-\u9fff](?:总|工|哥|姐|老师|经理)|同[事学]|朋友|室友|邻居|客户|老板|[他她]"
)
_OF_A_PERSON = Expression(rf"^[^,，我]{{0,4}}(?P<who>{_PERSON.pattern}|别人|人家|隔壁)们?家?的")


_ANOTHERS = Expression(
    r"^(?:昨天|今天|刚|听说|,|，|\s)*(?P<who>[小老阿](?!区|家|板|组)[\u4e00-\u9fff]|(?:我们?)?同[事学]们?|隔壁[组部班桌家]?|别[人组]|人家|[他她]们?[组部]?|"
    r"[\u4e00-\u9fff](?:总|工|哥|姐|老师|经理))(?:那边|他们)?的?(?=[\u4e00-\u9fff]{2})"
)
"""Whose a thing is, named right before it: 小李周报交了."""


def _move_in(folded: str) -> str:
    """Return what a folded text says becomes of a task, empty if nothing."""
    if _NOT_YET.search(folded):
        return ""
    undone = _UNDONE.search(folded) is not None
    return next((name for name, pattern in _MOVES if not (undone and name == "done") and pattern.search(folded)), "")


def status_in(folded: str) -> str:
    """Return the status that a folded text gives to what it tells of, empty where it gives none."""
    move = _move_in(folded)
    return move if move in ("blocked", "done", "doing") else ""


def is_of_others(folded: str, title: str) -> bool:
    """Return whether a text tells of somebody's like task: 小王的报告交了, 给爸爸打电话了 of 给妈妈打电话."""
    title = fold(title)
    whose = _OF_A_PERSON.match(folded)
    if whose is not None and whose["who"] not in title:
        return True
    named = _ANOTHERS.match(folded)
    if named is not None and named["who"] not in title and folded[named.end() : named.end() + 1] in title:
        return True
    said, held = set(_PERSON.findall(folded)), set(_PERSON.findall(title))
    return bool(said and held) and said.isdisjoint(held)


_AGREED = Expression(r"(?P<by>商量|协商|沟通|[说谈讲聊约])(?:[好妥定]|妥当)了?")
"""Talk that came to something: 封面跟编辑商量好了 says of no cover that it is done."""


def _is_arranged(agreed: re.Match[str], title: str) -> bool:
    """Return whether an appointment that is made is what a call or a message was for: 牙医那边约好了."""
    return agreed["by"] == "约" and _TO_REACH.search(fold(title)) is not None


_TO_REACH = Expression(r"打(?:个)?电话|打给|联系|预约|挂号|发(?:微信|消息|短信)|问(?:一?下)?")


def _as_agreed(scene: Scene, value: dict[str, object], parts: dict[str, object]) -> Iterable[Found]:
    """Read the day to which something is put off by agreement: 封面跟编辑商量好了，延到25号."""
    following = _THEN_MOVED.match(scene.message, scene.clause.start + len(scene.clause.text))
    day = None if following is None else first_day(fold(following["to"]), scene.said)
    if following is not None and day is not None and day.exact:
        title = _on_day(str(value.get("title", "")), following["to"][day.start : day.stop], scene.said)
        given = {**parts, "title": title, "status": value.get("status", "todo")}
        span = (0, following.end() - scene.clause.start)
        yield Found({**given, "due": day.day.isoformat()}, span=span)


def _on_day(title: str, new: str, said: date) -> str:
    """Return a title with another day for the one it names, if it names one: 封面25号交 of 封面18号交."""
    day = first_day(fold(title), said)
    return title if day is None or not day.exact else title[: day.start] + new + title[day.stop :]


_THEN_MOVED = Expression(
    r"[,，]\s*(?:可以|就|统一|先)?(?:推迟|延期|延后|延|拖|改|提前|挪|推|顺延|宽限)(?:到|至|成)(?P<to>[^,，。!！?？\n]{1,12})"
)


def _left_of(title: str, folded: str) -> str:
    """Return a title without those of the things it lists that a text names: of 花泥、丝带 one is bought."""
    listed = _LISTED.search(title)
    things = [] if listed is None else listed[0].split("、")
    left = [thing for thing in things if fold(thing) not in folded]
    if listed is None or not 0 < len(left) < len(things):
        return ""
    return title[: listed.start()] + "、".join(left) + title[listed.end() :]


_LISTED = Expression(r"[^、，,:：\s]{1,10}(?:、[^、，,:：\s]{1,10})+")


def due_of(value: dict[str, object]) -> dict[str, object]:
    """Return the day that a task has, as the field of one that keeps it; nothing if it has none."""
    return {"due": value["due"]} if value.get("due") else {}


def _transition(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = scene.clause.text
    move = "" if is_to_do(folded) else _move_in(folded)
    held = _known_task(scene, folded) if move else None
    if held is None or is_of_others(folded, str(held[0].get("title", ""))):
        return
    value, parts = held
    title = str(value.get("title", ""))
    agreed = _AGREED.search(folded)
    if move == "done" and agreed is not None and agreed["by"] not in fold(title) and not _is_arranged(agreed, title):
        yield from _as_agreed(scene, value, parts)
        return
    others = _left_of(title, folded) if move == "done" else ""
    if others:
        yield Found({**parts, "title": others, "status": value.get("status", "todo"), **due_of(value)})
        return
    if move == "done" and re.search(r"开始|着手|动手", folded):
        move = "doing"
    if move == "dropped":
        yield Found(dict(parts), denies=True)
    elif move == "moved":
        to = folded[match.start() :]
        day = first_day(to, scene.said)
        if day is not None and day.exact:
            moved = {"title": _on_day(title, to[day.start : day.stop], scene.said), "due": day.day.isoformat()}
            yield Found({**parts, "status": value.get("status", "todo"), **moved})
    elif value.get("status") != move:
        given = {**parts, "title": value.get("title", ""), "status": move}
        notes = [written(scene, 0, len(folded))] if move == "blocked" else []
        yield Found({**given, **due_of(value), **({"notes": notes} if notes else {})})


_TRANSITION = Rule(
    "task_transition", "tasks",
        "到 妥 成 清 完 好 定 了 放 拖 掉 正 始 手 卡 阻 被 等 法 搁 停 推 延 改 提 挪 取 消 作 算 黄 不 "
        "在 半 决 d D b B",
    Expression("|".join(pattern.pattern for _, pattern in _MOVES), re.IGNORECASE), _transition,
)  # fmt: skip

TRANSITIONS: tuple[Rule, ...] = (_TRANSITION,)
"""Before all that may read the same words as something new."""
