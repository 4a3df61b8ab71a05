"""Goals told in Chinese: what is aimed at, wished for, or to be reached within a time."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, rest_of_sentence
from brain_core.extract.chinese.vocabulary import RELATIVE, content_slug
from brain_core.extract.chinese.whose import FILLERS
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression


def _aimed(what: str, scene: Scene) -> Found:
    content, span = rest_of_sentence(scene, 0)
    return Found({"name": content_slug(what), "description": content, "status": "active"}, span=span)


def _goal(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded, what = scene.clause.text, match["what"].strip(" :,，")
    if (
        re.search(
            r"没有?(?:什么)?目标|[你您他她](?:们)?的?(?:目标|梦想)|目标(?:客户|用户|人群|检测|函数|文件|目录|地址|"
            r"代码)",
            folded,
        )
        or len(what) < 2
    ):
        return
    yield _aimed(what, scene)


_GOAL_WORD = Rule(
    "goal_named", "goals", "标 梦 O 愿 K 立 志 f",
    Expression(r"(?:目标(?:很简单|很明确|就?是|为|定(?:在|为|成)|就一[条个]|[:：]|,)|(?:OKR|KPI|北极星指标|"
        r"指标)[^,，:：]{0,8}?(?:是|[:：])|梦想(?:就?是|[:：])|(?:最大的|毕生|长期|新年)?(?:愿望|心愿)(?:就?是|"
        r"[:：])|"
               r"立(?:了|下|个|一个|过)*\s*(?:flag|志|目标)(?:说)?|flag(?:是|[:：]))\s*(?P<what>.+)", re.IGNORECASE),
    _goal,
)  # fmt: skip


_OF_ANOTHER = Expression(
    rf"(?:(?:我们?|咱们?)?家?的?(?:{RELATIVE}|[表堂][哥姐弟妹]|同事|朋友|同学|室友|闺蜜|邻居|老板|领导|老师|客户|店员|"
    r"徒弟|师[父傅兄弟姐妹]|学[生长姐弟妹]|下属|手下|合伙人|搭档|队友|前[夫妻任]|房东|护工|保姆|月嫂|阿姨|侄[子女]|外甥女?)"
    r"[\u4e00-\u9fff]{0,3}?|"
    r"(?:小(?![孩朋时麦米吃学区说姐猫狗鸟鸡鱼宝心目计]|伙伴)|老(?![人年外鼠虎师家百板是婆公实早])|阿(?![姨拉尔司]))"
    r"[\u4e00-\u9fff]{1,2}?|[A-Z][a-z]+)"
    r"(?:[跟和对]我)?(?:说|讲|提议|建议|觉得)?(?:[他她])?"
    r"(?:最近|现在|今年|明年|后年|以后|将来|一直|从小|也|还|就|又|都|是|特别|真的?|一心)*"
    r"(?:想|要|打算|计划|准备|争取|力争|希望|盼|立志|发誓|下定?决心|铁了心|非得?|一定|目标|梦想|愿望)"
)
"""Somebody else's will: 阿芳说想把拿铁涨到30, 我女儿想考上清华. It is no goal of the user's."""


def _is_of_another(scene: Scene) -> bool:
    return _OF_ANOTHER.match(FILLERS.sub("", scene.clause.text, 1)) is not None


_HORIZON = (
    r"(?:今年(?:内|底|之内|年底)?|明年|后年|年底(?:前|之前)?|年前|年内|下半年|上半年|这个?季度|本季度|下季度|Q[1-4]|"
    r"暑假|寒假|退休(?:前|之前|以后)|毕业(?:前|之前)|"
    r"[0-9一二三四五六七八九十两半几]+个?(?:年|月|季度)(?:之?内|后|之前|以?后|前|时间)|"
    r"[0-9一二三四五六七八九十]+ ?岁(?:之前|以前|前|生日前)|这辈子|有生之年|一辈子|长期|长远|将来|未来|最终|年末|"
    r"春节前|过年前|总有一天|有朝一日|迟早)"
)


def _aim(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = scene.clause.text
    what = match["what"].strip()
    if (
        re.search(
            r"^(?:我们|我|咱)?[^,，]{0,4}(?:他|她|你|您)|不(?:想|打算|要)|没(?:打算|想)|还没|出差|开会|面试", folded
        )
        or len(what) < 2
        or _is_of_another(scene)
    ):
        return
    yield _aimed(what, scene)


_AIM = Rule(
    "goal_horizon", "goals", "岁 总 迟 朝 年 月 度 岁 辈 长 未 将 最 Q 假",
    Expression(rf"(?:{_HORIZON}(?<![后前])(?<!时间).{{0,12}}?(?:想要?|打算|计划|希望(?:能)?|争取|力争|立志|一定要?|"
        rf"目标)|(?:今年|明年|年底前?|年内|这辈子|总有一天|有朝一日|[0-9一二三四五六七八九十两半]+个?(?:年|"
        rf"月)之?内)[^,，]{{0,8}}?(?:要|先|必须)|(?:想要?|打算|计划|希望(?:能)?|争取|力争|立志)(?:在|"
        rf"于)?.{{0,4}}?{_HORIZON})(?P<what>.{{2,}})"),
    _aim,
)  # fmt: skip


def _dream(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    what = match["what"] or match["what2"]
    yield _aimed(what, scene)


_DREAM = Rule(
    "goal_dream", "goals", "直 志 想 致 望",
    Expression(r"我(?:一直|从小就?|最|特别|做梦都|真的)+(?:想|希望)(?:要|能)?(?P<what>(?:成为|当|拥有|有一?|开一?|"
        r"写一?|学会|考上|环游|移民|创业|自己|做一?|实现|出版).{2,})|"
               r"我?(?:立志|致力于|梦想着?)(?P<what2>.{3,})"),
    _dream,
)  # fmt: skip


_WILL = (
    r"(?:(?:要|得)(?=在?[^,，]{0,4}(?:年|月|季度|岁|Q[1-4])[^,，]{0,3}[内前])|想(?!问|知道|请|让[你他她]|听|看看|"
    r"不|起|法|象|吃|喝|睡|哭)|打算|计划|准备(?!好)|争取|力争|希望(?!你)|所愿|奔着|朝着|冲着|瞄准|盼着?|"
    r"立志|立誓|发誓|下(?:定)?决心|铁了心|誓要|势必|一定(?:得|要)|非得?|寻思着?|求(?=能)|琢磨着|憋着(?:劲|一口气)|"
    r"攒着劲|咬牙|"
    r"愿景|野心|心愿|愿望|念想|执念|奔头|小目标|目标|追求|理想|梦想|终极|使命|KPI|OKR)"
)
_REACHED = (
    r"(?:攒(?:够|到|下|出|齐)|存(?:够|到|下|满)|学会|练(?:到|成|出|就)|考(?:上|下|过|到|出|取)|"
    r"(?:减|瘦|降|压|控|提|升|涨|做|跑|干|练|读|写|考|存|赚|拉|冲|缩|砍|打)(?:到|进|够|完|出|至)|跑(?:进|完)|"
    r"跑(?:一?[个场次]|个)?(?:全马|半马|马拉松)|"
    r"通过(?!审)|瘦到|传下去|走(?:遍|完|一遍|一圈)|绕一圈|环游|环(?:岛|湖|球|青海|中国)|自由职业|财务自由|实现|"
    r"上岸|移民|创业|单干|自立门户|独立|登顶|翻[番倍]|过万|"
    r"破(?=[百千万零亿0-9]|纪录)|还清|戒[掉烟酒糖]|断舍离|读(?:完|个|研|博)|出(?:版|一?[本张])|拿(?:下|到|个)|"
    r"开(?:一?[家间])|转(?:行|岗|型|正)|"
    r"买(?:下|[一]?套|房|车)|换(?:一?套|个大)|养活|独当一面|站稳|做大|做强|成为|当上|评上|升上|混成|活到|脱单|"
    r"成家|落户|定居|退休|凑够|打平|回本|盈利|扭亏)"
)
_BY_THEN = (
    r"(?:这辈子|此生|有生之年)[^,，]{0,10}(?:得|要|想|一定)|^\s*(?:明年|今年|年底前?|"
    r"[0-9一二三四五六七八九十两]+年内)(?:一定|必须|要|得|先)*(?:考上|评上|拿下|考下|升上|当上)"
)
_NOT_AN_AIM = Expression(
    r"[你您他她](?!们?(?:看|说|帮|给|觉得))(?!.{0,2}想)|不(?:想|打算|准备|指望)|没(?:想|打算)|"
    r"[买看吃喝聊睡]一?[点下个]|目标(?:客户|用户|人群|检测|函数|文件|值)|出差|我们能|^\s*[^,，我]{1,6}[:：]\s*我"
)


def _striven(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read a will and what is to be reached, in one clause or in one and the next."""
    if not _NOT_AN_AIM.search(scene.clause.text) and not _is_of_another(scene):
        yield _aimed(scene.clause.text, scene)


_STRIVEN = Rule(
    "goal_striven", "goals", each(
        "想打计准争力希所奔朝冲瞄盼立发下铁誓势一非求琢憋攒咬愿要得寻辈生年野心念执小目追理梦终使KO"),
    Expression(
        rf"{_BY_THEN}|{_WILL}.{{0,24}}?{_REACHED}|(?:这辈子|此生|有生之年|"
        rf"{_HORIZON})[^,，]{{0,20}}?{_REACHED}[^,，]{{0,6}}?(?:就值|就够|就满足|死而无憾|足矣|才行|才算)|"
        rf"(?:奔着|朝着|冲着)[^,，]{{2,16}}去的?"
    ),
    _striven,
)  # fmt: skip

GOALS: tuple[Rule, ...] = (_GOAL_WORD, _AIM, _DREAM, _STRIVEN)
"""Most specific first."""
