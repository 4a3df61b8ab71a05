"""Under which name a fact is kept in Chinese: what tells of another side of the same takes the place of nothing."""

from __future__ import annotations

from brain_core.extract.chinese.vocabulary import RELATIVES
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

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
    ("age", Expression(r"[0-9一二三四五六七八九十两]+ ?(?:岁|周岁|个月)")),
    ("health", Expression(r"过敏|病|血压|血糖|怀孕|高血|手术|失明|聋")),
    ("studies", Expression(r"读[^书]|上(?:幼|小|初|高|大|学)|念|年级|[大高初研][一二三四]|学校|留学|读书")),
    ("lives", Expression(r"住|老家|搬到|定居")),
    ("works", Expression(r"工作|上班|当|做|退休|[师员生]$|护士|医生|律师|老板|经理|司机")),
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
