"""People, organisations and things that the user introduces in Chinese: X 是我们的 Y."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.language import Found, Rule, Scene

_ROLE_ENDS = (
    r"(?:师|员|总监|经理|主管|负责人|顾问|律师|老板|同事|领导|组长|总|秘书|助理|医生|大夫|老师|教练|阿姨|保姆|房东|"
    r"邻居|室友|客户|甲方|乙方|供应商|承包商|承运商|代理商|经销商|合作方|合作伙伴|伙伴|"
    r"投资人|合伙人|股东|管家|中介|导师|班主任|学长|学姐|工程师|设计师|架构师|产品|运营|测试|财务|法务|HR|对接人|"
    r"联系人|接口人|owner|PM|leader|mentor|实习生|司机|师傅|月嫂|护工|会计)"
)
_ORG = re.compile(
    r"公司|集团|银行|学校|大学|医院|厂|科技|物流|工作室|事务所|研究院|基金|部门|局|委员会|协会|商|甲方|乙方|客户$|"
    r"伙伴|合作方"
)
_NAME = r"[A-Za-z][A-Za-z .·]{1,20}|[\u4e00-\u9fff·]{2,6}?"


def _introduced(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    name, role = match["name"].strip(), match["role"].strip()
    if re.search(
        r"^(?:我|你|您|他|她|它|这|那|谁|什么|哪|其实|因为|所以|如果|以前|现在|也|都|还|就|真|不|说|这位|那位|对方|"
        r"大家|有|才|这里)|[的了]$|的",
        name,
    ):
        return
    kind = "org" if _ORG.search(name) or re.search(r"商|甲方|乙方|合作方|伙伴|供应", role) else "person"
    yield Found(
        {
            "kind": kind,
            "canonical": written(scene, match.start("name"), match.end("name")),
            "attrs": {"role": written(scene, match.start("role"), match.end("role"))},
        }
    )


_INTRODUCED = Rule(
    "entity_introduced", "entities", each("是"),
    re.compile(rf"(?:^|[,，。:：\s]|对了)(?P<name>{_NAME})(?:就)?是(?:我|我们|咱们?|我家|我司|公司|团队|组里|项目|"
        rf"这边|负责|新来的|刚来的|隔壁组?|以前的?|大学)(?:们)?(?:家|司|组|部门|团队|公司|项目|这边|这个项目|"
        rf"这边)?的?(?P<role>[^,，。]{{0,14}}?{_ROLE_ENDS})(?:[,，。\s(]|$|之一|也)", re.IGNORECASE),
    _introduced, shares=True,
)  # fmt: skip


def _in_charge(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    name = match["name"]
    if not re.search(r"谁|哪|什么|我$|你|他|她|一个|这|那", name):
        yield Found(
            {
                "kind": "person",
                "canonical": written(scene, match.start("name"), match.end("name")),
                "attrs": {"role": written(scene, match.start("role"), match.end("role"))},
            }
        )


_IN_CHARGE = Rule(
    "entity_in_charge", "entities", each("叫是"),
    re.compile(r"(?P<role>(?:我|我们|咱们?|公司|团队|[\u4e00-\u9fffA-Za-z]{2,8}项目|"
        r"[\u4e00-\u9fffA-Za-z]{2,8})(?:们)?(?:的)?(?:新来的|新)?(?:负责人|老板|领导|主管|经理|组长|总监|导师|房东|"
        r"客户|对接人|联系人|班主任|设计师|医生|律师|教练|CEO|CTO|PM|owner|leader|mentor))(?:就)?(?:是|"
        r"叫)(?P<name>[\u4e00-\u9fff]{2,4}|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?)(?:[,，。\s]|$)", re.IGNORECASE),
    _in_charge, shares=True,
)  # fmt: skip

_PRODUCT = re.compile(
    r"(?P<role>(?:我们的?|公司的?|团队的?|我的)(?:新)?(?:项目|产品|公司|团队|系统|平台|仓库|店|品牌|工作室|乐队|频道|"
    r"公众号|课题))(?:的?名字|代号)?(?:就)?(?:叫做?|名为|代号(?:是|叫)?|名叫)(?P<name>[^,，。\s的了吗]{2,20})"
)


def _named(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    kind = "org" if re.search(r"公司|团队|店|品牌|工作室", match["role"]) else "topic"
    if not re.search(r"什么|啥", match["name"]):
        yield Found(
            {
                "kind": kind,
                "canonical": written(scene, match.start("name"), match.end("name")),
                "attrs": {"role": written(scene, match.start("role"), match.end("role"))},
            }
        )


def _responsible(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    name, role = match.span("name"), match.span("role")
    if not re.search(r"谁|哪|我|你|他|她|大家|各自|一起|由|主要|全权|不|都", match["name"]):
        attributes = {"role": written(scene, *role)}
        yield Found({"kind": "person", "canonical": written(scene, *name), "attrs": attributes})


_RESPONSIBLE = Rule(
    "entity_responsible", "entities", each("负对"),
    re.compile(r"(?:^|[,，。:：\s])(?P<name>[小老阿][\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,2}(?:总|工|姐|哥|老师|经理))(?:负责|对接)"
               r"(?P<role>[^,，。吗]{2,16})"),
    _responsible, shares=True,
)  # fmt: skip

ENTITIES: tuple[Rule, ...] = (
    _INTRODUCED,
    _IN_CHARGE,
    _RESPONSIBLE,
    Rule("entity_named", "entities", each("叫名代"), _PRODUCT, _named, shares=True),
)
"""All share the clause: what is said of a name is known as well."""
