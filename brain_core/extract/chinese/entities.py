"""People, organisations and things that the user introduces in Chinese: X 是我们的 Y."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.profile import SURNAMES
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_ROLE_ENDS = (
    r"(?:师|员|总监|经理|主管|负责人|顾问|律师|老板|同事|领导|组长|总|秘书|助理|医生|大夫|老师|教练|阿姨|保姆|房东|"
    r"邻居|室友|客户|甲方|乙方|供应商|承包商|承运商|代理商|经销商|合作方|合作伙伴|伙伴|"
    r"投资人|合伙人|股东|管家|中介|导师|班主任|学长|学姐|工程师|设计师|架构师|产品|运营|测试|财务|法务|HR|对接人|"
    r"联系人|接口人|owner|PM|leader|mentor|实习生|司机|师傅|月嫂|护工|会计|外包|代工厂|渠道商|厂家|工厂|大夫|同桌|"
    r"闺蜜|哥们儿?|发小|师父|徒弟|搭档|队友|对手|竞品|"
    r"项目|系统|平台|产品|仓库|服务|代号|外号|绰号|小名|花名|简称|缩写|球队|乐队|社团|表[哥姐弟妹]|堂[哥姐弟妹]|"
    r"舅舅|叔叔|姑姑|干妈|婆婆|岳父|亲家|男友|女友|"
    r"机构|学校|店|公司|品牌|基地|园区|社区|论坛|老师傅|编辑|出版社|剧团|投资方|金主|大客户|法人|牵头人|话事人|"
    r"一把手|二把手)"
)
_ORG = Expression(
    r"公司|集团|银行|学校|大学|医院|厂|科技|物流|工作室|事务所|研究院|基金|部门|局|委员会|协会|商|甲方|乙方|客户$|"
    r"伙伴|合作方"
)
_NAME = r"[A-Za-z][A-Za-z .·]{1,20}|[\u4e00-\u9fff·]{2,8}?"


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
    Expression(rf"(?:^|[,，。:：\s]|对了)[“\"「『]?(?P<name>{_NAME})[”\"」』]?(?:就|算|其实|可|也|都)*(?:是|"
               rf"指)(?:指)?(?:我|我们|咱们?|我家|我司|公司|团队|组里|项目|"
        rf"这边|负责|新来的|刚来的|隔壁组?|以前的?|大学)(?:们)?(?:家|司|组|部门|团队|公司|项目|这边|这个项目|"
        rf"这边)?的?(?P<role>[^,，。]{{0,14}}?{_ROLE_ENDS})(?:[,，。\s(]|$|之一|也)", re.IGNORECASE),
    _introduced, shares=True,
)  # fmt: skip


def _in_charge(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    name = match["name"]
    if not re.search(
        r"谁|哪|什么|我$|你|他|她|一个|这|那|[^,，]人$|^(?:很|不|个|在|从|本地|刚|新|老家)|[的了过]", name
    ):
        yield Found(
            {
                "kind": "person",
                "canonical": written(scene, match.start("name"), match.end("name")),
                "attrs": {"role": written(scene, match.start("role"), match.end("role"))},
            }
        )


_IN_CHARGE = Rule(
    "entity_in_charge", "entities", each("叫是"),
    Expression(r"(?P<role>(?:我|我们|咱们?|公司|团队|[\u4e00-\u9fffA-Za-z]{2,8}项目|"
        r"[\u4e00-\u9fffA-Za-z]{2,8})(?:们)?(?:的)?(?:新来的|新)?(?:负责人|老板|领导|主管|经理|组长|总监|导师|"
        r"供应商|代工厂|房东|"
        r"客户|对接人|联系人|班主任|设计师|医生|律师|教练|CEO|CTO|PM|owner|leader|mentor))(?:就)?(?:是|"
        r"叫)(?P<name>[\u4e00-\u9fff]{2,6}|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?)(?:[,，。\s]|$)", re.IGNORECASE),
    _in_charge, shares=True,
)  # fmt: skip

_PRODUCT = Expression(
    r"(?P<role>(?:我们的?|公司的?|团队的?|我的|^\s*)(?:新)?(?:项目|产品|公司|团队|系统|平台|仓库|店|品牌|工作室|"
    r"乐队|频道|"
    r"公众号|课题))(?:的?名字|代号)?(?:就)?(?:叫做?|名为|代号(?:是|叫)?|"
    r"名叫)[“\"「『]?(?P<name>[^,，。\s的了吗”\"」』]{2,20})"
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
    "entity_responsible", "entities", each("负对维"),
    Expression(r"(?:^|[,，。:：\s])(?P<name>[小老阿][\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,2}(?:总|工|姐|哥|老师|"
               r"经理))(?:负责|对接|维护)"
               r"(?P<role>[^,，。吗]{2,16})"),
    _responsible, shares=True,
)  # fmt: skip

_WRITTEN_NAME = r"[\u4e00-\u9fff]{2,4}|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?"


def _also_named(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    short, full = match["short"] or match["short2"], "full" if match["full"] else "full2"
    if re.search(r"[我你他她这那谁哪]|什么|怎么", (short or "") + match[full]):
        return
    yield Found(
        {
            "kind": "person" if re.match(_SURNAMED, match[full]) else "other",
            "canonical": written(scene, match.start(full), match.end(full)),
            **({"aliases": [short]} if short else {}),
            "attrs": {"said": written(scene, 0, len(scene.clause.text))},
        }
    )


_SURNAMED = rf"(?:{SURNAMES})"
_ALSO_NAMED = Rule(
    "entity_also_named", "entities", each("指全真大"),
    Expression(
        rf"[“\"「『](?P<short>[^”\"」』]{{1,12}})[”\"」』]\s*(?:都|就|一般|其实|全)*(?:是指|指的?就?是|说的就?是|"
        rf"指)\s*(?P<full>{_WRITTEN_NAME})|"
        rf"(?:^|[,，\s])(?:(?P<short2>[\u4e00-\u9fffA-Za-z]{{1,6}})\s*[,，]?\s*)?(?:全名|真名|大名|本名|"
        rf"全称)(?:是|叫)?\s*(?P<full2>{_WRITTEN_NAME})(?=[,，。\s]|$)"
    ),
    _also_named, shares=True,
)  # fmt: skip


def _named_code(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if not re.search(r"谁|什么|这|那", match["name"]):
        attributes = {"role": written(scene, *match.span("role"))}
        yield Found({"kind": "topic", "canonical": written(scene, *match.span("name")), "attrs": attributes})


_CODE_NAME = Rule(
    "entity_code_name", "entities", each("代简外缩花黑"),
    Expression(
        r"[“\"「『]?(?P<name>[^”\"」』,，。是我你他]{1,12})[”\"」』]?(?:就|"
        r"其实)?是(?P<role>[^,，。]{2,30}的?(?:代号|简称|外号|缩写|花名|黑话|别名|小名))"
    ),
    _named_code, shares=True,
)  # fmt: skip

ENTITIES: tuple[Rule, ...] = (
    _ALSO_NAMED,
    _CODE_NAME,
    _INTRODUCED,
    _IN_CHARGE,
    _RESPONSIBLE,
    Rule("entity_named", "entities", each("叫名代"), _PRODUCT, _named, shares=True),
)
"""All share the clause: what is said of a name is known as well."""
