"""What becomes of known tasks that are named by their ids, in Chinese: 把T3关了, 重新打开 T9, PROJ-12 先放一放."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from brain_core.extract.chinese.clauses import each
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.task_ids import SEVERAL, with_id
from brain_core.text.expression import Expression

_ID = r"(?:[A-Za-z](?:[-_]?[A-Za-z0-9])*(?<=[0-9])|#[0-9]+)"
_SORT = r"(?:任务|工单|待办|需求|缺陷|事项)?\s*+"
_IDS = rf"{_SORT}(?P<{{}}>{_ID}(?:\s*(?:和|、|跟|与|以及)\s*{_ID})*)(?:这个?(?:任务|工单|待办)?)?\s*+"
_ORDER = Expression(
    r"(?:请|麻烦|帮我|那|好的?|把|将|\s)*+(?:" + _IDS.format("ids") + r"(?:已经?|都|也|可以|终于|总算|现在|就|\s)*(?:"
    r"(?P<done>关(?:了|掉|闭|上)|搞定|完成|[做弄写改修]完|[做弄修改]好|好了|解决|(?:标记?|改|设)(?:记|置)?[为成]?已?(?:完成|关闭|解决))|"
    r"(?P<todo>重新打开|重开|解除阻塞|恢复)|"
    r"(?P<doing>正在[做处改修写]理?中?|(?:[改设标]记?[为成])?进行中|在做|开始[做处]?理?)|"
    r"(?P<blocked>卡住|先?放一放|先放着|挂起|暂停|搁置|被?阻塞|被[^,，]{1,12}(?:卡住|挡住|阻塞))|"
    r"(?P<dropped>不(?:用|需要)?做了|取消|作废|不要了|删掉)|"
    r"(?P<undone>还?没(?:做|修|弄|改)?[好完])"
    r")|(?:(?P<done2>关闭|关掉|完成|结束)|(?P<todo2>重新打开|重开|恢复)|(?P<doing2>开始[做处]?理?|启动)|"
    r"(?P<blocked2>挂起|暂停|搁置|阻塞)|(?P<dropped2>取消|作废|删掉))\s*+"
    + _IDS.format("ids2")
    + r")(?:一下|到[^,，吗]{1,10}|[了吧啦。!！~\s]){0,8}"
)
_ASKED = Expression(r"[吗么?？]\s*$")
_EACH = re.compile(_ID)


def _ordered(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    text = scene.clause.text
    found = _ORDER.fullmatch(text)
    if found is None or _ASKED.search(scene.clause.sentence):
        return
    move = next(name.rstrip("2") for name, said in found.groupdict().items() if said and not name.startswith("ids"))
    for task_id in _EACH.findall(found["ids"] or found["ids2"]):
        items = with_id(scene.known, task_id)
        if len(items) > 1:
            yield Found({}, unmet=SEVERAL, span=(0, len(text)))
        for item in items if len(items) == 1 else ():
            value = value_of(item)
            status = "todo" if move == "undone" else move
            if move == "dropped":
                yield Found(denial(item), denies=True, span=(0, len(text)))
            elif value["status"] != status and (move != "undone" or value["status"] == "done"):
                kept: dict[str, Any] = {
                    name: value[name] for name in ("project", "task_id", "title", "due") if name in value
                }
                yield Found({**kept, "status": status}, span=(0, len(text)))


ORDERS = (
    Rule(
        "task_by_id", "tasks", each("关搞完好决成开恢进正做卡放挂暂搁阻取作删复"), Expression(rf"{_ID}"), _ordered,
        insists=True, vital=True,
    ),
)  # fmt: skip
"""Before all that may read the same words as something new."""
