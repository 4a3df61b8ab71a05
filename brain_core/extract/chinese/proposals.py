"""What a Chinese sentence is that no rule reads: plain values of each type, the sentence as it stands."""

from __future__ import annotations

from collections.abc import Mapping

from brain_core.extract.chinese.clauses import tidy
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.facts import facts
from brain_core.extract.chinese.knowledge import knowledge
from brain_core.extract.chinese.lists import LEADING
from brain_core.extract.chinese.moves import status_in
from brain_core.extract.chinese.script import fold
from brain_core.extract.chinese.vocabulary import attribute, content_slug, scope_of, topic_of
from brain_core.extract.language import Found, Propose, Scene
from brain_core.text.expression import Expression

_PAST = Expression(r"了|过(?!年|节|去|来|户|敏)|刚|已经|昨|前天|上(?:个|周|月|星期|礼拜)|去年|前年|当时")
_ONE_KEY = 12
"""Characters of a sentence that name what it tells of."""

_AREAS = tuple((area, Expression(words)) for area, words in (
    ("name", r"我叫|大名|小名|名字|姓[^氏名]|称呼"),
    ("pet", r"养了?[^，,]{0,6}[只条匹]|[猫狗鸡兔鸟鱼龟]|宠物|布丁"),
    ("health", r"病|过敏|手术|血压|血糖|吃药|服药|关节|骨折|怀孕|近视|色盲|色弱|听不见|拄拐|腰|膝|胰岛素|哮喘|失眠|"
               r"心脏|体检|抑郁|残疾|石膏|偏头痛|胃"),
    ("age", r"岁|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|[0-9]{2}后|生日|年纪|出生"),
    ("language", r"母语|普通话|方言|粤语|双语|[英日韩法德俄]语"),
    ("education", r"大[一二三四]|研[一二三究]|高[一二三]|初[一二三]|博士|硕士|本科|专业|学生|念书|读书|毕业|大学"),
    ("family", r"老公|老婆|丈夫|妻子|媳妇|对象|儿子|女儿|闺女|娃|孩子|双胞胎|[爸妈爹娘]|父亲|母亲|[哥姐弟妹]|爷爷|奶奶|"
               r"外[公婆]|姥[姥爷]|离婚|结婚|单身|家里|一家|孙|那口子|婆婆|岳[父母]|丈母娘"),
    ("work", r"上班|工作|公司|单位|同事|老板|退休|倒班|夜班|护士|老师|教师|司机|医生|工程师|程序员|会计|店|厂|岗|职|"
             r"带[^，,]{0,4}个人|干了?[^，,]{0,4}年|开[^，,]{0,6}年|做[^，,]{0,8}的$"),
    ("home", r"住|租|房|老家|籍|城|小区|楼|搬|人在|base|定居|村|镇|街"),
    ("body", r"身高|体重|[0-9一二三四五六七八九十百]+斤|公斤|左撇子|右撇子|一米|鞋码|眼镜|眼睛"),
    ("belongings", r"车|电脑|手机|相机|钢琴|吉他|船"),
    ("money", r"工资|退休金|月薪|收入|房贷|贷款|预算|存款"),
    ("habits", r"每[天周月年晚]|周[一二三四五六日末]|向来|一直|天天|从来|起床|社团|合唱|俱乐部"),
))  # fmt: skip
"""What a fact about the user is about, by its words: the first that is found names it."""


def _text(scene: Scene) -> str:
    start = scene.clause.start
    return tidy(scene.message[start : start + len(scene.clause.text)])


def _preference(scene: Scene) -> Found:
    folded = fold(scene.clause.text)
    scope, name = attribute(folded) or (scope_of(folded), content_slug(folded)[:_ONE_KEY])
    return Found({"scope": scope, "name": name, "value": _text(scene)})


def _goal(scene: Scene) -> Found:
    return Found({"name": content_slug(fold(scene.clause.text)), "description": _text(scene)})


def _task(scene: Scene) -> Found:
    folded = fold(scene.clause.text)
    day = first_day(folded, scene.said)
    text = _text(scene)
    lead = LEADING.match(fold(text))
    title = text[lead.end() :] if lead and len(text) - lead.end() > 1 else text
    given = {"task_id": content_slug(fold(title)), "title": title, "status": status_in(folded) or "todo"}
    return Found({**given, "due": day.day.isoformat()} if day is not None and day.exact else given)


def _decision(scene: Scene) -> Found:
    text = _text(scene)
    return Found({"topic": topic_of(fold(text)), "decision": text, "made_at": scene.said.isoformat()})


def _event(scene: Scene) -> Found | None:
    folded = fold(scene.clause.text)
    past = _PAST.search(folded) is not None
    found = first_day(folded, scene.said, past=past)
    if found is None and not past:
        return None
    about = folded[: found.start] + folded[found.stop :] if found else folded
    day = (found.day if found else scene.said).isoformat()
    return Found({"date": day, "title": _text(scene), "slug": content_slug(about)})


def _profile(scene: Scene) -> Found:
    folded = fold(scene.clause.text)
    area = next((area for area, words in _AREAS if words.search(folded)), "about")
    return facts((f"{area}_{content_slug(folded)[:_ONE_KEY]}", _text(scene)))


def _knowledge(scene: Scene) -> Found:
    return knowledge(_text(scene), fold(scene.clause.text))


PROPOSALS: Mapping[str, Propose] = {
    "preferences": _preference,
    "goals": _goal,
    "tasks": _task,
    "decisions": _decision,
    "events": _event,
    "profile": _profile,
    "knowledge": _knowledge,
}
"""By type. An event needs a day, or to be over."""
