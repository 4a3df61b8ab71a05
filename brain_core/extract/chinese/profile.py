"""Lasting facts about the user told in Chinese: name, age, home, origin, languages, traits, health."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.facts import (
    ME,
    SELF,
    fact_value,
    facts,
    goes_on_of_another,
    one_fact,
    since_of,
    taken,
    told_on,
)
from brain_core.extract.chinese.jobs import JOBS
from brain_core.extract.chinese.people import PEOPLE
from brain_core.extract.chinese.selves import SELVES
from brain_core.extract.chinese.vocabulary import CALLED
from brain_core.extract.chinese.work import WORK
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.software import is_no_place
from brain_core.text.expression import Expression

_NOT_NAMES = Expression(
    rf"^(?:师傅|快递|{JOBS})|(?:程序员|{JOBS})$|[吗呢啥谁]|什么|怎么|不|没|过来|过去|起床|外卖|出来|上(?!官)|住|停|做|你|他|她|它"
)
SURNAMES = (
    "王|李|张|刘|陈|杨|黄|赵|吴|周|徐|孙|马|朱|胡|郭|何|林|高|罗|郑|梁|谢|宋|唐|许|韩|冯|邓|曹|彭|曾|肖|田|董|潘|袁|"
    "蔡|蒋|余|于|杜|叶|程|魏|苏|吕|丁|任|卢|姚|沈|"
    "钟|姜|崔|谭|陆|范|汪|廖|石|金|韦|贾|夏|付|方|邹|熊|白|孟|秦|邱|侯|江|尹|薛|闫|段|雷|龙|史|陶|贺|顾|毛|郝|龚|邵|"
    "万|钱|严|赖|洪|武|莫|孔|欧阳|司马|上官|诸葛"
)
_IN_CHARGE = "负责|联系|主持|经纪|合伙|发起|创始|代理|监护|媒体|音乐|手艺|生意|经理|撰稿"
_KINDS_OF_PEOPLE = (
    rf"{_IN_CHARGE}|工具|候选|过来|打工|中间|局外|当事|见证|证|介绍|委托|受益|申请|被告|继承|投资|投保|保险|被保|推荐|提案|发言|代言|接班|领导|"
    r"带头|领路|引路|掌门|操盘|审批|审核|经办|经手|收件|寄件|收货|付款|持票|买家|卖家|房主|业主|户主|主|事|同龄|同路|自由|闲|忙|聪明|老实|普通|"
    r"平常|正常|成年|未成年|已婚|单身|残疾|盲|聋哑|素食|旁观|陌生|外地|本地|乡下|城里|农村|都市|现代|古代|机器|稻草|透明|路|猎|军|诗|文|女|男"
)
"""What stands before 人 where it says what somebody does or is like, and not where he is from."""
_TRAITS = (
    ("zodiac", Expression(r"座$|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]")),
    ("ethnicity", Expression(r"[\u4e00-\u9fff]族$")),
    ("gender", Expression(r"^(?:男|女)(?:的|生|人|孩子?)?$")),
    ("children", Expression(r"(?:妈妈?|爸爸?|母亲|父亲|宝妈|奶爸|宝爸)$")),
    ("role", Expression(rf"(?:{_IN_CHARGE})人$")),
    (
        "origin",
        Expression(
            rf"^(?!.*[的很太和与比])(?!.*(?:{_KINDS_OF_PEOPLE})人)[\u4e00-\u9fff]{{2,5}}(?<![女男主好坏病老大个新])人$"
        ),
    ),
    ("family", Expression(r"独生|老大|老二|长子|单亲|双胞胎")),
    ("health", Expression(r"色[弱盲]|左撇子|近视|聋|过敏体质|易胖|早产|孕妇|敏感肌|油皮|干皮")),
    ("education", Expression(r"[大高初研][一二三四]|专业|在读|应届|本科|硕士|博士")),
    ("role", Expression(rf"(?:{JOBS})$")),
    (
        "trait",
        Expression(
            r"^(?!.*[的很比])(?:.*)(?:北漂|沪漂|深漂|党员|基督徒|佛教徒|穆斯林|夜猫子|社恐|内向|外向|"
            r"[IE][NS][TF][JP]|单身狗|新手|零基础|小白|外行|门外汉|路痴|球迷|果粉|月光族|房奴)"
        ),
    ),
)


def _name(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    value = fact_value(match, scene, taken(match))
    if _NOT_NAMES.search(match[taken(match)]) or CALLED.search(scene.clause.text):
        return
    if 2 <= len(value) <= (_LONGEST_NAME if value[0] >= "\u4e00" and "·" not in value else 20):
        yield facts(("name", value))


def _name_beside(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    head = scene.clause.sentence.partition(scene.clause.text)[0]
    if _WHAT_I_AM.match(head) and told_on(scene):
        yield from _name(match, scene)


_WHAT_I_AM = Expression(
    r"\W*(?:(?:大家|你|您)好|哈喽|嗨)?\W*(?:我|俺|本人)(?:今年|现在|目前)?(?:是|[0-9]{2}岁)(?![^,，]*[一这那][家款只条间])"
)
_LONGEST_NAME = 4
"""Han characters of a name in one piece."""


def _home(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if _OWN.search(match[0]) is None and goes_on_of_another(scene):
        return
    value = fact_value(match, scene, taken(match))
    if "家在" in match[0] and _AT_WORK_ON.search(match[taken(match)]):
        return
    if 2 <= len(value) <= 20 and is_a_home(match[taken(match)]):
        yield facts(("home", value), since=since_of(scene))


def is_a_home(place: str) -> bool:
    """Return whether folded words that stand for a place may be where one lives."""
    return _NO_HOME.search(place) is None and not is_no_place(place) and _UPON_A_NAME.search(place) is None


_NO_HOME = Expression(
    r"^(?:的|在|址|户|宿|房|(?:我|咱)[^,，]{0,2}(?:这|家|那)|到?[^,，]{0,8}(?:月[底初中末]|年[底初中末]|周[末一二三四五六日天]|[0-9一二三四五六七八九十]+[号日月]|之?[后前]|为止|结束|走)$|一起|楼[上下]|新(?:家|房|工位|办公)|客厅|卧室|阳台|工位|办公室|这|那|哪|家里?$|里(?![斯约昂尔加])|校|院(?!子)|酒店|民宿|几|本[地机]用|线上|云[上端里]|"
    r"在?一起|朋友|他|她|你|得|着|不|过)|酒店|民宿|一晚|几天|不惯|几晚"
)
_UPON_A_NAME = Expression(r"^[A-Za-z][\w .+-]*(?:上面?|平台|集群|框架|里面?|那套)$")
"""What is put on something with a Latin name, Kubernetes上."""
_AT_WORK_ON = Expression(
    r"^(?:装修|翻新|漏|办(?!公)|修(?!水县|文|武)|打扫|大扫除|搞|吃|喝|做|看|开(?!封|福|平|原|县|州|化)|停[水电]|施工|吵|打架|打麻将|搬|换|拆|刷|"
    r"铺|收拾|整理|聚|过[年节]|请客|包(?!头|河)|煮|炖|炸|带|等|准备|闹|聊|下)"
)
"""What is done at home just now: 我家在装修."""


def _age(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if _is_mine(match, scene) and not re.search(
        r"之前|以前|前|时候|那年|的时候|后|从", scene.clause.text[match.end(taken(match)) : match.end(taken(match)) + 6]
    ):
        yield facts(("age", fact_value(match, scene, taken(match))))


def _being(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    words = match[taken(match)].strip()
    if re.search(
        r"伴[郎娘]|^(?:一个(?:好|普通|人$)|这|那|谁|什么|你|他|她|想|要|来|去|说|觉得|怕|因为|为了|真|很|不|"
        r"普通人|好人|坏人|"
        r"老实人|成年人|外地人|年轻人|大人|别人|病人|自己人)",
        words,
    ):
        return
    k = next((name for name, pattern in _TRAITS if pattern.search(words)), "")
    if k:
        yield facts((k, fact_value(match, scene, taken(match))))


def _grown(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    for name, k in (("origin", "origin"), ("major", "education"), ("home", "home"), ("home2", "home")):
        if match[name]:
            yield facts((k, fact_value(match, scene, name)))


def _is_mine(match: re.Match[str], scene: Scene) -> bool:
    begins = not scene.message[: scene.clause.start].strip()
    return _OWN.search(match[0]) is not None or told_on(scene) or begins


_OWN = Expression(SELF)


def _origin(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    value = fact_value(match, scene, taken(match))
    if (
        _is_mine(match, scene)
        and not re.search(
            r"^(?:一个|这|那|个|好|坏|老实|普通|成年|男|女|年轻|外地|本地|中年|打工|有|聪明|懒|普|什么|内向|外向|新|"
            r"热|单|病|夜|早|明|局|[他她])",
            match[taken(match)],
        )
        and not _OTHER_THAN_FROM.search(match[taken(match)])
        and len(value) >= 2
    ):
        yield facts(("origin", value))


_OTHER_THAN_FROM = Expression(rf"(?:{_KINDS_OF_PEOPLE})$")


def _fact(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    words = match[taken(match)]
    names = {
        "身高": "height",
        "体重": "weight",
        "血型": "blood_type",
        "鞋码": "shoe_size",
        "视力": "eyesight",
        "星座": "zodiac",
    }
    k = next((name for word, name in names.items() if word in words), "health")
    yield facts((k, written(scene, match.start(taken(match)), match.end(taken(match)))))


_SELF: tuple[Rule, ...] = (
    Rule(
        "profile_name",
        "profile",
        each("叫名姓"),
        Expression(
            rf"(?:^|[,，。:：\s]|{ME})(?:大名|真名|全名|本名|英文名|名字)?(?:我叫|我的(?:名字|全名|大名|英文名)(?:是|"
            rf"叫)?|我名叫|我姓名是?|名字叫|我本名叫?|我大名叫?|我英文名叫?|我(?:已经|现在|刚)*(?:改名|更名|改)(?:字|叫|为|成)*)(?:做|"
            rf"作)?\s*(?P<v>[A-Za-z][A-Za-z .·]{{1,20}}|[\u4e00-\u9fff·]{{2,12}}?(?=\s*(?:$|[^\u4e00-\u9fff·]|"
            rf"来自|今年|现在|目前|是[个一名位]|住|在[\u4e00-\u9fff]|从|毕业|请|很|[你您的了啊呀哦吧哈])))"
        ),
        _name,
        shares=True,
    ),
Rule(
        "profile_name_given",
        "profile",
        each("是"),
        Expression(
            rf"^\s*+(?:(?:你|您|大家|早上|上午|下午|晚上)好|哈喽|嗨|hi|hello)?[啊呀,，!！\s]*+(?:AI|助手|"
            rf"朋友)?[,，!！\s]*+我是(?P<v>(?:{SURNAMES})[\u4e00-\u9fff]{{1,2}})\s*(?:[,，。!！]|$)",
            re.IGNORECASE,
        ),
        _name,
        shares=True,
    ),
Rule(
        "profile_name_beside",
        "profile",
        each("叫"),
        Expression(
            rf"^\s*(?:我|名字)?叫(?P<v>(?:{SURNAMES})[\u4e00-\u9fff]{{1,2}}|[小老阿][\u4e00-\u9fff]|[A-Z][A-Za-z]{{1,14}})"
            r"\s*(?:[,，。!！]|$)"
        ),
        _name_beside,
        shares=True,
    ),
Rule(
        "profile_surname",
        "profile",
        each("姓"),
        Expression(rf"{ME}姓(?P<v>[\u4e00-\u9fff]{{1,2}})(?:[,，。\s]|$)"),
        one_fact("surname"),
        shares=True,
    ),
Rule(
        "profile_age",
        "profile",
        each("岁后龄了年"),
        Expression(
            rf"(?:{ME}|^(?=今年|现在|刚|快))(?:今年|现在|都|已经|马上|快|刚|才|明年|目前|也|虚岁|周岁|是|年龄|年纪)*(?:满|过|"
            rf"到)?(?:\s*)(?P<v>[0-9二三四五六七八九十]{{1,4}}(?:多)?(?:岁|(?=\s*了\s*(?:$|[,，])))|[0-9]{{2}} ?后|"
            rf"(?:[12][0-9]{{3}}|[0-9]{{2}}) ?年(?=的|生|出生))"
        ),
        lambda match, scene: _age(match, scene) if re.search(r"岁|后|今年|年龄|[1-9][0-9] ?了|年$", match[0]) else (),
        shares=True,
    ),
Rule(
        "profile_being",
        "profile",
        each("是属年"),
        Expression(
            rf"{ME}(?:也|就|今年|现在|其实|本身|呢|可|一直|只|还|目前|从小)*(?:是(?:个|一个|一名|一位|名|位)?|"
            rf"(?=属|大[一二三四]|高[一二三]|研[一二三]))(?P<v>[^,，。我你是]{{1,14}}?)(?:了|的?)?\s*(?:[,，。!！]|$|"
            rf"哦|啊|喔)",
            re.IGNORECASE,
        ),
        _being,
        shares=True,
    ),
Rule(
        "profile_grown",
        "profile",
        each("长学坐租人居"),
        Expression(
            rf"{ME}(?:从小|自小|小时候)?在(?P<origin>[^,，。]{{2,10}}?)长大|{ME}?(?:大学|本科|"
            rf"研究生)?学的是(?P<major>[^,，。]{{2,12}})|(?:{ME}?坐标|^{ME}?人在|^{ME}?(?:现)?居(?!然))(?:是|在|"
            rf":)?\s*(?P<home>[^,，。]{{2,10}}?)(?:[,，。\s]|$)|{ME}?租(?:的|了)?(?:个|间|"
            rf"套)?(?:房子?)?在(?P<home2>[^,，。]{{2,12}})"
        ),
        _grown,
        shares=True,
    ),
Rule(
        "profile_home",
        "profile",
        each("住家搬居籍户长待呆漂"),
        Expression(
            rf"(?:{ME}(?:们)?(?:家|全家|一家|现在|目前|已经|一直|就|人|如今|刚|上个?月|上周|去年|前年|今年|最近|年初|年底|从.{{2,8}}起|从[^,，]{{2,6}}(?=搬)|"
            rf"平时|们){{0,6}}(?:住在?|定居在?|常住在?|租在|搬到|搬去|搬来|家在|长居|在(?=[^,，]{{2,8}}(?:定居|租房)))|"
            rf"(?:{ME}的|^\s*)(?:家庭|现在的?)?住址\s*(?:是|[:：])\s*|{ME}(?:们)?(?=在[^,，]{{2,10}}(?:待|呆|生活)了)在|(?:^|\s)(?:现在|目前)?(?:家(?:就|也)?(?=在)|"
            rf"住在?(?!院|哪)|家住|"
            rf"定居在?|常住))(?:了)?(?P<v>[^,，。吃]{{2,16}}?)(?:待|呆|生活|了|的|这边|那边|定居|租房|"
            rf"住(?=了|$))*\s*(?:[,，。]|$|已经|很久|好多?年|[0-9一二三四五六七八九十两半]+个?[年月])"
        ),
        _home,
        shares=True,
    ),
Rule(
        "profile_origin",
        "profile",
        each("来老籍是"),
        Expression(
            rf"(?:{ME}|^(?=来自|老家|籍贯|家乡|祖籍))(?:的)?(?:是|也是)?(?:来自|老家(?:是|在)?|籍贯(?:是)?|家乡(?:是|在)?|"
            rf"祖籍(?:是)?)(?P<v>[^,，。]{{2,12}}?)(?:的|人)?\s*(?:[,，。]|$)|{ME}(?:是|也是)(?:土生土长的?|"
            rf"地道的?)?(?P<v2>[\u4e00-\u9fff]{{2,4}}?)(?:本地)?人(?:[,，。]|$)"
        ),
        _origin,
        shares=True,
    ),
Rule(
        "profile_language",
        "profile",
        each("会母说懂过级N雅托"),
        Expression(
            rf"{ME}的?(?:母语(?:是)?|会说|能说|会讲|懂|精通|"
            rf"说(?=[\u4e00-\u9fff]{{1,3}}[语话]))(?P<v>[^,，。]{{0,4}}[语话文](?:[、和及与][^,，。、和及与]{{1,"
            rf"4}}[语话文])*)(?:[,，。\s]|$|和)"
        ),
        one_fact("language", refuse=r"真话|实话|的话|说话|笑话|这话|作文"),
        shares=True,
    ),
Rule(
        "profile_language_level",
        "profile",
        each("英日法德韩普"),
        Expression(
            rf"(?:{ME}的?|^\s*)(?P<v>(?:英语|日语|法语|德语|韩语|西班牙语|普通话)\s*(?:已经|刚|考)?(?:过了?|考过了?|"
            rf"是|有)?\s*(?:四级|六级|专四|专八|N[1-5]|[ABC][12]|一甲|二甲|母语).*)",
            re.IGNORECASE,
        ),
        one_fact("language"),
        shares=True,
    ),
Rule(
        "profile_fact",
        "profile",
        each("身体血高度重色鞋信党驾左病压炎症喘风孕视不伤痛疼"),
        Expression(
            rf"{ME}的?(?:打小就?|从小就?|一直|天生|现在|目前|今年|是个?)?(?P<v>(?:身高|体重|血型|鞋码|视力|星座|属相|尺码)(?:是|"
            rf"有|为|"
            rf"穿)?\s*[0-9A-Za-z一二三四五六七八九十百].{{0,14}}|(?:近视|远视|色盲|色弱|左撇子|失聪|糖尿病|高血压|"
            rf"哮喘|痛风|孕妇).{{0,12}}|(?:[左右双]?[耳眼手腿膝腰颈胃听视嗅][^,，。]{{0,4}}(?:不好|有问题|受过伤|"
            rf"有伤|做过手术|老疼|常年痛|不太好)))|{ME}(?:有|患有|得了)(?P<v2>[^,，。]{{0,6}}(?:糖尿病|高血压|"
            rf"哮喘|痛风|"
            rf"关节炎|心脏病|胃病|鼻炎|湿疹|偏头痛|甲亢|甲减|乳糖不耐|抑郁症|癫痫).{{0,8}})"
        ),
        _fact,
        shares=True,
    ),
)  # fmt: skip
"""All share the clause: one clause may tell several."""

PROFILE: tuple[Rule, ...] = (*_SELF, *WORK, *PEOPLE, *SELVES)
"""All share the clause: one clause may tell a name, a place and a job."""
