"""What is told in figures in Chinese: what was measured (尿酸 520), lent, owed, paid and cost."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.details import with_details
from brain_core.extract.chinese.facts import facts
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.chinese.whose import whose_is
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_MEASURED = (
    r"(?:空腹|餐后|饭后|随机)?(?:尿酸|血糖|血压|高压|低压|血脂|胆固醇|甘油三酯|低密度|高密度|糖化(?:血红蛋白)?|血红蛋白|血小板|白细胞|转氨酶|肌酐|胆红素|"
    r"骨密度|眼压|眼轴|心率|体脂率?|腰围|TSH|AMH|HCG|PSA|CEA|BMI|T[34]|LDL|HDL)"
)
_ARABIC = r"[0-9]+(?:\.[0-9]+)?"


def _measured(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    whose, before = whose_is(scene, match.start("told"))
    told = written(scene, match.start("told"), len(scene.clause.text))
    if whose == "user":
        yield facts(("health", told))
    elif whose == "another":
        yield _of_another(scene, before, told)


def _of_another(scene: Scene, before: str, told: str) -> Found:
    """Return what is told of somebody else as knowledge. before: what says before the clause of whom, if any does."""
    content = before + (told if before else written(scene, 0, len(scene.clause.text)))
    value = {"kind": "fact", "slug": content_slug(fold(content)), "content": content}
    return Found(value, type="knowledge", span=(0, len(scene.clause.text)))


_NUMBER = r"(?:[0-9][0-9,.]*|[一二三四五六七八九十百千万两半]{2,})"
_MONEY = (
    rf"(?:{_NUMBER}\s*(?:块钱?|元|[万千百kKwW]块?钱?|美[元金]|港[币元]|欧元)(?:[一二三四五六七八九0-9])?|{_NUMBER})"
)
_COSTS = (
    r"[\u4e00-\u9fff]{0,6}(?:体验课|试听课|正式课|私教课?|[\u4e00-\u9fff]课|门票|月卡|年卡|次卡|套餐|进价|售价|批发价|单价|报价|成本|工资|月薪|底薪|年薪|年终奖|奖金|提成|补贴|补助|津贴|奖学金|退休金|养老金|零花钱|彩礼|押金|定金|订金|首付|月供|房贷|车贷|房租|租金|"
    r"(?:学|课时|培训|物业|停车|管理|保姆|托管|赡养|抚养|生活|会|年|保|网|话|电|水|车位|报名|住宿|伙食|补课|治疗|手术|医药|中介)费)"
)
_FOR_EACH = r"(?:[一每两半](?:个)?(?:学期|季度|小时|节课?|[年月天周次期扎斤张份位平人]))"


def _lent(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    if "我" in scene.clause.text and not _NOT_DONE.search(scene.clause.text):
        yield _as_told(scene)


def _costs(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if _NOT_DONE.search(scene.clause.text):
        return
    whose, before = whose_is(scene, match.start("what"))
    if whose == "another":
        yield _of_another(scene, before, with_details(scene, 0)[0])
    else:
        yield _as_told(scene, match["what"])


def _as_told(scene: Scene, about: str = "") -> Found:
    """Return the clause with its details as knowledge. about: what names it, else its words do."""
    told, span = with_details(scene, 0)
    slug = content_slug(about or scene.clause.text)
    return Found({"kind": "fact", "slug": slug, "content": told}, span=span)


_NOT_DONE = Expression(
    r"想|能不能|可以|打算|准备|要不|如果|假如|多少|没有|不够|花不|上限|平均|一般|[吗呢么?？]\s*$|[你您他她]|太[贵高低少]|听说|据说|差不多|少说|起码"
)

FIGURES: tuple[Rule, ...] = (
    Rule(
        "measured", "profile", each("酸糖压脂醇酯密蛋板胞酶酐素度轴率围TAHPBCL"),
        Expression(
            rf"(?P<told>{_MEASURED}(?:值|水平)?(?:是|有|才|只有|都|为|到|高达|测出来|了|又|现在|还)*\s*{_ARABIC}(?:\s*(?:[/、~-]|到|和)\s*{_ARABIC})?"
            r"\s*(?:%|[a-zA-Z/]{2,8}|了)?)\s*$",
            re.IGNORECASE,
        ),
        _measured, shares=True,
    ),
    Rule(
        "lent", "knowledge", each("借欠"),
        Expression(rf"^[^,，]{{0,10}}(?:借|欠)[^,，]{{0,8}}?{_MONEY}(?:没还|还没还|了)?\s*$"),
        _lent,
    ),
    Rule(
        "costs", "knowledge", each("资薪奖金成贴助礼付供贷租费钱课教票卡餐价本"),
        Expression(
            rf"^\s*(?:我们?的?|我家的?)?(?P<what>{_COSTS})(?:现在|目前|今年|一共|总共|大概|已经|都)*(?:{_FOR_EACH})?(?:是|要|给|交|发|涨到|降到|收|扣|花|付)?了?"
            rf"(?:{_FOR_EACH})?\s*(?:税前|税后|到手)?{_MONEY}(?:/[年月天次节]|{_FOR_EACH})?(?:左右|多|整)?\s*$"
        ),
        _costs,
        general=True,
    ),
)  # fmt: skip
