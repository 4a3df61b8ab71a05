"""Under which name a fact is kept in Chinese: what tells of another side of the same takes the place of nothing."""

from __future__ import annotations

from brain_core.extract.chinese.vocabulary import RELATIVE, RELATIVES
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_OF_HEALTH = Expression(
    r"(?P<hand>左撇子)|(?P<blood>血型)|(?P<pregnant>怀孕|孕)|(?P<ears>听障|聋|助听器|人工耳蜗)|近视|远视|散光|色[盲弱]|视障|哑|支架|起搏器|轮椅|"
    r"假肢|牙套|血压|血糖|血脂|尿酸|糖尿病|痛风|哮喘|贫血|抑郁|焦虑|失眠|癫痫|湿疹|鼻炎|结石|乙肝|甲[亢减]|溃疡|偏头痛|多囊|痔疮|"
    r"静脉曲张|飞蚊|过敏|敏感肌|油皮|干皮|膝盖|半月板|韧带|跟腱|腰椎|腰|颈椎|脊柱|肩|手腕|脚踝|髋|肘|心脏|胃|肝|肾|肺|甲状腺|视网膜|牙"
)
_HEALTH_NAMES = {"hand": "handedness", "blood": "blood_type", "pregnant": "pregnancy", "ears": "health_hearing"}
_OF_MEANS = (
    ("income", Expression(r"薪|月入|年入|收入|工资")),
    ("savings", Expression(r"存款")),
    ("debt", Expression(r"负债|房贷|车贷|欠款|信用卡")),
    ("insurance", Expression(r"保险|社保|医保|公积金")),
    ("residency", Expression(r"户口|绿卡|PR|永居|京籍")),
    ("housing", Expression(r"租房|[有没无]房")),
)
_OF_RELATIVES = (
    ("birthday", Expression(r"生日|出生")),
    ("age", Expression(r"^(?!.*孕).*[0-9一二三四五六七八九十两]+ ?(?:岁|周岁|个月)")),
    ("health", Expression(r"过敏|病|血压|血糖|怀孕|高血|手术|失明|聋")),
    ("marital", Expression(r"结婚|离婚|订婚|领证|再婚|出嫁|[嫁娶]了")),
    ("died", Expression(r"去世|过世|离世|病逝|走了|不在了")),
    ("studies", Expression(r"毕业|考上|读[^书]|上(?:幼|小|初|高|大|学)|念|年级|[大高初研][一二三四]|学校|留学|读书")),
    ("lives", Expression(r"住|老家|搬到|定居")),
    (
        "works",
        Expression(r"工作|上班|当|做|退休|[师员生]$|护士|医生|律师|老板|经理|司机|开[^,，车]{0,6}[店馆厂]|做生意|创业"),
    ),
)
_STOREY = Expression(r"(?:在)?(?:顶|底|地下|[0-9一二三四五六七八九十]+)[楼层]")


def told_as(k: str, v: str) -> str:
    """Return the name of a fact: of health and means by what it is about, of relatives by what is told of them."""
    if k == "health":
        found = _OF_HEALTH.search(v)
        return k if found is None else _HEALTH_NAMES.get(str(found.lastgroup), slug(f"health {found[0]}", 40))
    if k == "status":
        return next((name for name, words in _OF_MEANS if words.search(v)), k)
    if k in RELATIVES:
        side = next((name for name, words in _OF_RELATIVES if words.search(v)), "")
        return f"{k}_{side}" if side else k
    if k == "home" and _STOREY.fullmatch(v):
        return "floor"
    return k


RELATIVE_FIRST = rf"(?:我们?家?|咱们?)?的?(?:{RELATIVE}|婆婆|公公|岳[父母]|丈母娘)"
"""Begins with a relative of the user's."""

_AREAS = tuple((area, Expression(words)) for area, words in (
    ("family", f"^{RELATIVE_FIRST}"),
    ("name", r"我叫|大名|小名|名字|姓[^氏名]|称呼"),
    ("pet", r"养了?[^，,]{0,6}[只条匹]|[猫狗鸡兔鸟鱼龟]|宠物"),
    ("health", r"病|过敏|手术|血压|血糖|吃药|服药|关节|骨折|怀孕|近视|色盲|色弱|听不见|拄拐|腰|膝|胰岛素|哮喘|失眠|"
               r"心脏|体检|抑郁|残疾|石膏|偏头痛|胃"),
    ("age", r"岁|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|[0-9]{2}后|生日|年纪|出生"),
    ("language", r"母语|普通话|方言|粤语|双语|[英日韩法德俄]语"),
    ("education", r"大[一二三四]|研[一二三究]|高[一二三]|初[一二三]|博士|硕士|本科|专业|学生|念书|读书|毕业|大学"),
    ("family", r"老公|老婆|丈夫|妻子|媳妇|对象|儿子|女儿|闺女|娃|孩子|双胞胎|[爸妈爹娘]|父亲|母亲|[哥姐弟妹]|爷爷|奶奶|"
               r"外[公婆]|姥[姥爷]|离婚|结婚|单身|家里|一家|孙|那口子|婆婆|岳[父母]|丈母娘"),
    ("work", r"上班|工作|公司|单位|同事|老板|退休|倒班|夜班|护士|老师|教师|司机|医生|工程师|程序员|会计|店|厂|岗|职|"
             r"带[^，,]{0,4}个人|摆摊|[一二三四五六七八九十]年(?!级)|干了?[^，,]{0,4}年|开[^，,]{0,6}年|[做送跑修卖教][^，,]{0,8}的(?:[，,]|$)"),
    ("home", r"住|租|房|老家|籍|城|小区|楼|搬|人在|base|定居|村|镇|街"),
    ("body", r"身高|体重|[0-9一二三四五六七八九十百]+斤|公斤|左撇子|右撇子|一米|鞋码|眼镜|眼睛"),
    ("belongings", r"车|电脑|手机|相机|钢琴|吉他|船"),
    ("money", r"工资|退休金|月薪|收入|房贷|贷款|预算|存款"),
    ("habits", r"平时|一般|每[天周月年晚]|周[一二三四五六日末]|向来|一直|天天|从来|起床|社团|合唱|俱乐部"),
))  # fmt: skip
"""What a fact about the user is about, by its words: the first that is found names it."""


def area_of(folded: str) -> str:
    """Return what a folded sentence tells of the user is about, empty where no word says so."""
    return next((area for area, words in _AREAS if words.search(folded)), "")


def is_about(text: str, area: str) -> bool:
    """Return whether a text has words of what a fact may be about."""
    folded = fold(text)
    return any(name == area and words.search(folded) for name, words in _AREAS)
