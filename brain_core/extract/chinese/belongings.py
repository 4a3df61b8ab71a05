"""What is the user's, and what they have arranged, plainly told in Chinese: 我的吉他是雅马哈的, 订了初六的机票."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.details import with_details
from brain_core.extract.chinese.facts import ME, facts
from brain_core.extract.chinese.lists import task
from brain_core.extract.chinese.people import one_of
from brain_core.extract.chinese.vocabulary import RELATIVE, content_slug, relative_of
from brain_core.extract.dates import Day
from brain_core.extract.language import Build, Found, Rule, Scene
from brain_core.text.expression import Expression

_A_THING = (
    r"(?![时动心危契])[\u4e00-\u9fffA-Za-z]{0,5}?(?:[车机琴鞋灯锅炉床柜镜脑屏伞]|(?:行李|拉杆|冰|烤|工具|保险)箱|吉他|贝斯|鼓|手表|背包|书包|钱包|书桌|椅子?|沙发|键盘|鼠标|帐篷|[水调调水热洗空净]器|路由器|显示器|球拍|鱼竿|"
    r"钢笔|驾照|签证|护照|床垫|镜头|婴儿车|手环|耳机|平板|笔记本)"
)


def _told(k: str, match: re.Match[str], scene: Scene) -> Found:
    """Return a fact of the user, its value with the details after it."""
    told, span = with_details(scene, match.start("v"))
    return Found(facts((k, told)).given, span=span)


def _thing(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read of what make or sort a thing is that the user has."""
    if _NO_MAKE.search(match["v"]):
        return
    yield _told(one_of(match["thing"]) or content_slug(match["thing"]), match, scene)


_NO_MAKE = Expression(
    r"^(?:很|太|不|没|挺|真|最|个|我|你|他|她|它|谁|什么|哪|怎|坏|丢|刚|新买|前|昨|今|上[周个]|去年|用来|在)|[我你他她]|买的|送的|[吗呢吧]$|坏|丢|没电|对的|错的|真的|好的"
)


def _own(k: str) -> Build:
    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        yield _told(k or content_slug(match["thing"]), match, scene)

    return build


def _size(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 鞋码 39, said without a subject at the beginning of a message."""
    if not scene.message[: scene.clause.start].strip():
        yield _told(_SIZES.get(match["thing"], "size"), match, scene)


_SIZES = {"鞋码": "shoe_size", "身高": "height", "体重": "weight", "血型": "blood_type"}


def _siblings(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield _told(relative_of(match["who"]), match, scene)


def _arranged(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read what was booked or signed up for: on its day where it has one, else as knowledge."""
    text = scene.clause.text
    if _NOT_ARRANGED.search(text):
        return
    told, span = with_details(scene, 0)
    day = first_day(text, scene.said)
    if day is not None and day.exact and day.day >= scene.said:
        yield _event(day, told, text, span)
    else:
        yield Found({"kind": "fact", "slug": content_slug(text), "content": told}, span=span)


def _event(day: Day, told: str, text: str, span: tuple[int, int] | None) -> Found:
    """Return what is told as an event, named by the rest of the text in which its day stands."""
    about = content_slug(text[: day.start] + text[day.stop :])
    return Found({"date": day.day.isoformat(), "title": told, "slug": about}, type="events", span=span)


_NOT_ARRANGED = Expression(
    r"想|如果|要是|打算|准备|没|退|取消|[你您他她]|[吗呢么?？]\s*$|昨|刚才|以前|上次|当时|上[周个]|去年"
)
_BOOKED = (
    r"(?:[\u4e00-\u9fff]{0,3}票|酒店|民宿|宾馆|航班|[\u4e00-\u9fff]{0,8}[课班]|年卡|季卡|月卡|会员|保险|签证|专家号|门诊|号源|包间|场地|月嫂|搬家公司|驾校|考试|研学|夏令营|"
    r"(?:老师|教授|教练)的[^,，]{2,12})"
)


def _meets(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 明天要找水管工, 周一要和人事开会: something to do, or an event, on a day to come."""
    text = scene.clause.text
    day = first_day(text, scene.said)
    if day is None or not day.exact or day.day <= scene.said:
        return
    told, span = with_details(scene, 0)
    if match["meets"]:
        yield _event(day, told, text, span)
    else:
        title = written(scene, match.start("does"), len(text))
        yield task(title, match["does"], day.day.isoformat())


_FIGURES = "[0-9一二三四五六七八九十]{1,3}"
_DAY_TO_COME = (
    rf"(?:明天|后天|大后天|(?:这|下|本)?个?(?:周|星期|礼拜)[一二三四五六日天末]|"
    rf"{_FIGURES} ?月 ?{_FIGURES} ?[号日]?|{_FIGURES} ?[号日])"
    r"(?:[上中下]午|早上|晚上)?(?:[0-9一二三四五六七八九十两]+(?:点半?|[:：][0-9]+))?"
)

BELONGINGS: tuple[Rule, ...] = (
    Rule(
        "thing_is", "profile", each("是"),
        Expression(rf"^\s*{ME}(?:们)?家?的?(?P<thing>{_A_THING})(?:用的|现在|目前|还|就|一直|也)*是(?P<v>[^,，]{{1,16}}?)\s*$"),
        _thing, shares=True,
    ),
    Rule(
        "size_is", "profile", each("码号高重型围"),
        Expression(r"^\s*(?P<thing>鞋码|鞋号|尺码|身高|体重|血型|腰围|胸围)(?:是|穿|一般|有)*\s*(?P<v>[0-9A-Za-z][^,，]{0,8}?)\s*$"),
        _size, shares=True,
    ),
    Rule(
        "place_of_own", "profile", each("在"),
        Expression(
            rf"^\s*{ME}(?:们)?的?新?(?P<thing>工位|座位|办公室|宿舍|寝室|教室|车位|储物柜|柜子|床位|病房|摊位|门面|房间)(?:就|换|搬|也|还|现在)*在"
            r"(?!装|修|打扫|消毒|停|漏)(?P<v>[^,，]{2,20}?)\s*$"
        ),
        _own(""), shares=True,
    ),
    Rule(
        "duties", "profile", each("责管"),
        Expression(rf"^\s*{ME}(?:现在|目前|主要|平时|一直|在[^,，]{{1,8}}){{0,4}}(?:负责|分管)(?!任|的)(?P<v>[^,，]{{2,16}}?)(?:的工作|这[块边])?\s*$"),
        _own("duties"), shares=True,
    ),
    Rule(
        "how_met", "profile", each("识起"),
        Expression(
            rf"^\s*(?P<v>(?:我[跟和与](?:{RELATIVE}|[他她])|我们(?:俩|两个?)?)(?:当年|那会儿|当时)?是?[^,，]{{1,12}}?(?:认识|走到一起|在一起)的)\s*$"
        ),
        _own("how_met"), shares=True,
    ),
    Rule(
        "sibling", "profile", each("哥姐弟妹"),
        Expression(
            rf"^\s*{ME}(?:还|也|上面|下面)*有(?P<v>(?:[一二两三四0-9]?个)?(?:亲|双胞胎|同父异母的?|[\u4e00-\u9fff]{{0,4}}的)?(?P<who>哥哥?|姐姐?|弟弟?|妹妹?|表[哥姐弟妹]|堂[哥姐弟妹]))\s*$"
        ),
        _siblings, shares=True,
    ),
    Rule(
        "told_by_doctor", "profile", each("医夫检查院"),
        Expression(
            r"^\s*(?:医生|大夫|体检|医院|检查|复查)(?:报告|结果)?(?:说|查出来?|诊断|显示|发现)我(?:是|有|得了?|患了?|这是)?"
            r"(?P<v>(?:缺[铁钙锌碘血]|[^,，]{0,8}?(?:病|炎|症|偏高|偏低|结节|结石|贫血|脂肪肝|突出|增生|息肉|囊肿|骨折|近视|散光|过敏|劳损|积水|积液))[^,，]{0,4})\s*$"
        ),
        _own("health"), shares=True,
    ),
    Rule(
        "under_treatment", "profile", each("矫治理康复"),
        Expression(
            rf"^\s*(?:{ME}(?:的|现在|最近)*)?(?P<v>(?:牙齿?|脊柱|视力|腰椎?|颈椎|膝盖|肩膀?|韧带|甲状腺|胃|皮肤)(?:正?在|还在)(?:做)?(?:矫正|治疗|理疗|康复|复健))(?:中|呢)?\s*$"
        ),
        _own("health"), shares=True,
    ),
    Rule(
        "taken_with", "preferences", each("加放"),
        Expression(
            rf"^\s*{ME}(?P<thing>(?:喝|吃|泡|煮|炒|点)[^,，不都只要]{{1,8}}?)(?:从来|都|一般|只|总是|习惯|一定|必须)*(?:不|要|只|都)(?P<with>[加放])(?P<v>[^,，了]{{1,8}})\s*$"
        ),
        lambda match, scene: [
            Found(
                {
                    "scope": "other",
                    "name": content_slug(f"{match['thing']}{match['with']}{match['v']}"),
                    "value": written(scene, 0, len(scene.clause.text)),
                }
            )
        ],
    ),
    Rule(
        "sent_to", "knowledge", each("寄送"),
        Expression(
            r"^\s*(?:我的?|以后|以后的)?(?P<what>快递|包裹|外卖|信件?|账单|样品|发票)(?:都|请|就|一般|给我|帮我)*(?:寄|送)(?:到|至)"
            r"(?P<v>[^,，]{0,16}(?:[0-9]+(?:号|室|栋|楼|单元)?|路|街|小区|驿站|公司|前台|门卫|菜鸟|店|柜))\s*$"
        ),
        lambda match, scene: [
            Found({"kind": "fact", "slug": content_slug(f"{match['what']}寄到"), "content": with_details(scene, 0)[0]})
        ],
    ),
    Rule(
        "arranged", "knowledge", each("订买抢约报选租办"),
        Expression(
            rf"^\s*(?:我们?|咱们?)?[^,，我]{{0,8}}?(?:订|买|抢|约|报|选|办|租)(?:好|到|上)?(?:名)?了[^,，]{{0,14}}?{_BOOKED}\s*$|"
            rf"^\s*(?:我们?的?|去?)?[^,，我]{{0,8}}{_BOOKED}(?:已经|都|也|我)*(?:订|买|抢|约|报|选|办)(?:好|到|上)(?:名)?了\s*$"
        ),
        _arranged,
    ),
    Rule(
        "meets_on", "tasks", each("要得约"),
        Expression(
            rf"^\s*(?:我们?)?{_DAY_TO_COME}(?:我们?)?(?:还|也)?(?:要|得|约了?|需要)(?:去)?"
            rf"(?:(?P<meets>(?:和|跟|同|与)[^,，]{{1,8}}?(?:开会|见面|面谈|谈[^,，]{{0,6}}|吃饭|聚餐|碰头|视频))|(?P<does>(?:找|陪|接|送|带)[^,，]{{2,12}}?))\s*$"
        ),
        _meets,
    ),
)  # fmt: skip
"""What tells facts of the user shares its clause."""
