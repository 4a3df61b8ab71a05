"""Whose it is what a clause tells: 对花生过敏 is of who is named before it, and of the user only if nobody is."""

from __future__ import annotations

import re

from brain_core.extract.chinese.brought_in import brings_in
from brain_core.extract.chinese.people import PETS
from brain_core.extract.chinese.vocabulary import NEAR_IN_ENGLISH, RELATIVE
from brain_core.extract.language import Scene
from brain_core.text.expression import Expression

FILLERS = Expression(
    r"(?:好的?|是的?|对|嗯+|哦|哈+|其实|不过|而且|但是?|因为|所以|你知道|毕竟|说实话|还有|另外|忘了说|请|(?:千万)?(?:记[住得好]|牢记|别忘记?了?|不要忘[记了])|[,，、\s])*+"
)
"""What a clause begins with before it tells something."""

_STRIPPED = Expression(
    r"^(?:因为|由于|注意|记得|记住|请|[他她]?(?:医生|大夫)(?:说|查出来?)|检查(?:说|发现|出来?)|顺便|对了|[,，、\s])+|"
    r"(?>从小|天生|一直|一向|本来|也|都|就|才|是|会|真的?|好像|可能|似乎|现在|以前|其实|确实|的确|还|特别|非常|严重|重度|"
    r"有点|这个人|这人|发现|知道|身上|的?(?:身体|皮肤|体质|肠胃|胃|鼻子|眼睛|喉咙|嗓子|脸|手))+$"
)
OF_ANOTHER = (
    rf"(?:\s?{NEAR_IN_ENGLISH}|的(?!身体|皮肤|体质|肠胃)|们|家(?!对)|{RELATIVE}|{PETS}|同事|同学|朋友|闺蜜|哥们|邻居|老板|领导|老师|学生|客户|"
    r"队友|搭档|同桌|表[哥弟姐妹]|堂[哥弟姐妹]|[叔姑姨舅侄外]|女婿|儿?媳妇?|孙[子女]|婆婆|公公|岳[父母]|嫂子|[姐妹]夫|徒弟|前[夫妻任]|这边的)"
)
"""What follows 我 where somebody or something else is meant."""

_SELF = Expression(r"(?:我|俺|本人|自己)$|(?:我|俺|本人)[和跟与、]")
_SELF_FIRST = Expression(rf"^(?:我|俺|本人)(?!{OF_ANOTHER})")
_MORE_KIN = (
    r"外?孙[子女]|侄[子女]|外甥女?|女婿|儿媳妇?|弟妹|嫂子|[姐妹]夫|婆婆|公公|岳[父母]|丈母娘|[表堂][哥姐弟妹]|"
    r"[叔姑姨舅伯][叔姑姨舅伯妈父]|朋友|同[事学]|闺蜜|邻居"
)
_ANOTHER_FIRST = Expression(rf"^(?:[^,，]{{0,4}}?我{OF_ANOTHER}|[他她它]|{RELATIVE}|{_MORE_KIN})")
_SOMEBODY = Expression(r"[他她它你您]们?$")
_OF_A_CASE = Expression(r"^\W*(?:该|这[名位个]|一[名位])?(?:患者|病人|当事人|主人公|主角|考生|学员|候选人)(?!是我)")
"""How a case or a story begins, whose person is nobody that the user has named."""


def whose_is(scene: Scene, start: int) -> tuple[str, str]:
    """Return whose a state is that is told from `start` on in the clause, and what before the clause says so.

    It is of who is named just before it, else of whom its sentence named last, else of whom the clause before is about,
    else of the user: "user", "another", or "unknown" (他对花生过敏).
    """
    if _OF_A_CASE.match(scene.clause.sentence):
        return "unknown", ""
    named = _STRIPPED.sub("", FILLERS.sub("", scene.clause.text[:start], 1))
    if not named:
        told_of = _named_in_sentence(scene)
        if told_of is None:
            told_of = f"{scene.before}，" if _is_of_another(scene.before) else ""
        return ("another", told_of) if told_of else ("user", "")
    if _SELF.search(named):
        return "user", ""
    if _HE_OR_SHE.fullmatch(named):
        who = _one_person(scene.before)
        return ("another", f"{who}，") if who else ("unknown", "")
    return ("unknown" if _SOMEBODY.search(named) else "another"), ""


_HE_OR_SHE = Expression(r"[他她]")
_A_PERSON = Expression(
    rf"^(?P<who>(?:我们?家?的?)?(?:{RELATIVE}|同事|朋友|同学|室友|邻居|老板|客户)|"
    r"(?:小(?![孩朋时麦米吃学区说姐猫狗鸟鸡鱼宝心]|伙伴)|老(?![人年外鼠虎师家百板是婆公])|阿(?![姨拉尔司]))[\u4e00-\u9fff]|"
    r"[A-Z][a-zA-Z]{1,12})"
    r"(?=[来去说要会想打在到今明后这下周刚昨带]|星期|礼拜)(?!.*[和跟与、])"
)


def _one_person(before: str) -> str:
    """Return the only person with whom a clause begins, in its words, empty where it begins with none, or two."""
    found = _A_PERSON.match(FILLERS.sub("", before, 1))
    return "" if found is None else str(found["who"])


_PIECES = Expression(r"[^,，。！!？?；;\n]+")
_LOOKED_BACK = 200  # characters
_ENDS = Expression(r"[。！!？?；;\n](?!.*[。！!？?；;\n])", re.DOTALL)
"""The last end of a sentence."""
_INTRODUCED = Expression(
    rf"^(?:我|俺|本人|家里)(?:们?家?里?)(?:还|也)?(?:有|养|领养|生)(?:了|着)?(?:[一二两三四五六几0-9]*[个只条位名头对])?"
    rf"[^,，]{{0,6}}?(?:{RELATIVE}|{PETS}|同事|同学|朋友|闺蜜|室友|邻居)(?!的)"
)
"""Brings somebody in, of whom is what comes after: 我有个女儿，五岁，对牛奶过敏."""


def _named_in_sentence(scene: Scene) -> str | None:
    """Return what the sentence says before the clause from whom it named last on; empty if that is the user.

    None where it names nobody before.
    """
    before = scene.message[max(scene.clause.start - _LOOKED_BACK, 0) : scene.clause.start]
    ended = _ENDS.search(before)
    before = before[ended.end() :] if ended is not None else before
    for piece in reversed(list(_PIECES.finditer(before))):
        words = FILLERS.sub("", piece[0], 1)
        if _INTRODUCED.search(words) or _is_of_another(words):
            return before[piece.start() :].lstrip()
        if _SELF_FIRST.search(words):
            return ""
    return None


def _is_of_another(clause: str) -> bool:
    words = FILLERS.sub("", clause, 1)
    return _SELF_FIRST.search(words) is None and (_ANOTHER_FIRST.search(words) is not None or brings_in(words))


def last_named(scene: Scene) -> str:
    """Return the last clause before this one that begins with somebody, if that is another than the user.

    Where the clause itself says 我, and where nobody is named, it is empty.
    """
    if "我" in scene.clause.text:
        return ""
    before = scene.message[max(scene.clause.start - _LOOKED_BACK, 0) : scene.clause.start]
    for piece in reversed(_PIECES.findall(before)):
        words = FILLERS.sub("", piece, 1)
        if _SELF_FIRST.search(words):
            return ""
        if _ANOTHER_FIRST.search(words):
            return str(piece.strip())
    return ""
