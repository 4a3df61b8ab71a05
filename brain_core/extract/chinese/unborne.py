"""What the user must not be given, told with the thing first, or by what it does: 海鲜我不能碰, 布洛芬我吃了胃疼."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.details import with_details
from brain_core.extract.chinese.target import of_one_day
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.chinese.whose import OF_ANOTHER
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression


def _unborne(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read a thing that the user must not have: an allergy where the sentence tells how the body answers."""
    clause, sentence = scene.clause.text, scene.clause.sentence
    name = next(each for each in ("thing", "thing2", "thing3") if match.groupdict().get(each) is not None)
    thing = match[name]
    if of_one_day(clause) or _ONCE.search(clause) or _PASSING.search(sentence) or _NO_THING.search(thing):
        return
    if not _TAKEN_IN.search(match[0]) and not _REACTION.search(sentence) and not _ON_THE_BODY.search(thing):
        return
    sort = "allergy" if _REACTION.search(sentence) else "diet" if _MUST_NOT.search(match[0]) else "intolerance"
    value, span = with_details(scene, 0)
    if _MORE_THAN_WHY.search(value[len(clause) :]):
        value, span = written(scene, 0, len(clause)), None
    after = _SO_IT_DOES.match(scene.message, scene.clause.start + (len(clause) if span is None else span[1]))
    if after is not None:
        stop = after.end() - scene.clause.start
        value, span = written(scene, 0, stop), (0, stop)
    if _illness_before(scene):
        value = written(scene, -_illness_before(scene), len(clause) if span is None else span[1])
    yield Found({"scope": "other", "name": f"{sort}_{content_slug(thing)}", "value": value}, span=span)


def _ordered(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what a doctor tells the user to leave: 医生不让我吃辣的."""
    forbids = "不" in match["says"] or _LEAVE.search(match["what"]) is not None
    if not forbids or of_one_day(scene.clause.text) or _PASSING.search(scene.clause.sentence):
        return
    why = _WHY.match(scene.message, scene.clause.start + len(scene.clause.text))
    stop = len(scene.clause.text) if why is None else why.end() - scene.clause.start
    value = written(scene, -_illness_before(scene), stop)
    sort = "health" if _NO_FOOD.search(match["what"]) else "diet"
    yield Found({"scope": "other", "name": f"{sort}_{content_slug(match['what'])}", "value": value})


def _illness_before(scene: Scene) -> int:
    """Return how long what stands before the clause in its sentence is, if that is an illness of the user's, else 0."""
    head = scene.clause.sentence.partition(scene.clause.text)[0]
    return len(head) if len(head) <= _LONGEST_HEAD and _ILL.match(head) else 0


_LONGEST_HEAD = 24
_ILLNESS = (
    r"(?:有|患|得了|查出|确诊)[^,，]{1,10}|不行|不好|突出|[病炎症]|痛风|尿酸|手术|怀孕|"
    r"(?:血压|血糖|血脂)(?:有点|偏|太)?[高低]"
)
_ILL = Expression(rf"^\s*我(?!{OF_ANOTHER})[^。！!？?]{{0,20}}(?:{_ILLNESS})")
_WHY = Expression(
    rf"[,，]\s*(?:因为)?(?!我?{OF_ANOTHER}|[他她])我?(?![^,，]*(?:吃|服))[^,，。！!？?\n]{{0,6}}(?:{_ILLNESS})(?=[,，。！!\n]|$)"
)
"""Tells an illness first, which gives the reason: 我有气喘，阿司匹林我不能吃."""


_NO_FOOD = Expression(r"烟|熬夜|重|剧烈|弯腰")
_LEAVE = Expression(r"别|不[要能可许准]|少|戒|忌|控|低|远离|避免")
_PASSING = Expression(r"如果|要是|假如|万一|以前|之前|小时候|开车|加班|待会|还没熟|[吗么?？]\s*$|才怪|玩笑|现在能")
_MORE_THAN_WHY = Expression(
    r"在吃|在服|服用|一[天日周]|每[天日周月]|住|叫|生日|上班|工作|[0-9一二两三四五六七八九十]+岁"
)
"""What follows and tells something of its own, which other rules read."""
_TAKEN_IN = Expression(r"[吃喝沾闻碰]|服用?|胃|肚子|[疼痛吐晕]")
_ON_THE_BODY = Expression(r"药|素|头孢|西林|沙星|[芬胶膏霜碘]$|麻醉|香水|面膜|护肤|防晒|染发|酒精|化妆")
"""What is used or injected, and not worked with: 头孢我用不了 and not 打印机我用不了."""
_ONCE = Expression(r"昨|刚才|上次|那[家天次顿]|这[家次顿]")
_MUST_NOT = Expression(r"(?:不(?:能|可以|敢|准|得)|没法)(?:再)?[吃喝碰沾]|[吃喝碰沾]不[得了]")
_NO_THING = Expression(
    r"^(?:[这那它]|什么|啥|饭|东西|药|早饭|午饭|晚饭|水|[一二两三几0-9])|[他她你您]|的东西|手机|电脑|代码|数据|文件|[钱车]$|密码|游戏|股票|方向盘|抖音|麻将|牌|赌|账|"
    r"再|了$|完|多|也|都|就|^(?:现在|真|今[天晚]|早上|晚上|中午|实在|已经|其实|还|又|可|是|暂时|完全|绝对|好像|刚|从小|平时|最近|坚决|因|所以)"
)
_REACTION = Expression(r"过敏|皮试[^,，]{0,4}阳性|疹|肿|发?痒|休克|喘不|呼吸困难|荨麻|红[斑点]|差点(?:没命|死|进)")
_SO_IT_DOES = Expression(
    r"[,，]\s*(?:因为|我?一?(?:吃|喝|碰|沾|用|打)(?:了|上|到)?|会|就|容易|上次)[^,，。!！?？\n]{0,16}"
    r"(?:疹|肿|痒|休克|喘|疼|痛|难受|拉肚子|吐|晕|过敏|反酸|心慌|没命|医院)[^,，。!！?？\n]{0,4}"
)
_BODY = r"(?:胃|肚子|头|嗓子|喉咙|心脏|心|皮肤|身上|全身|浑身|嘴|脸|眼睛)?"
_HURTS = (
    r"(?:疼|痛|难受|不舒服|胀|拉肚子|腹泻|恶心|想吐|会?吐|反酸|烧心|头?晕|心慌|心悸|"
    r"起(?:[红皮]|荨麻)?疹子?|[全身]*红疹|肿|发?痒|发麻|喘|发作)"
)
_ALWAYS = r"(?:就|会|都|老是?|总是?|容易|立马|马上|立刻|要|真的){0,3}"
_ANY = r"(?:这?[类种]|之类)?(?:的(?:药物?|东西|食物|食品)|(?<=[类种])药物?)?"
_HAVE = r"(?:吃|喝|碰|沾|用|打|闻|服用?)"
_LEAD = r"^(?:其实|对了|另外|还有|不过|但是?|而且|因为|记住|记得|注意|反正|[,，\s])*"

UNBORNE: tuple[Rule, ...] = (
    Rule(
        "must_not_have", "preferences", each("能碰沾吃敢可以喝用打"),
        Expression(
            rf"{_LEAD}(?P<thing>[^,，我咱]{{1,10}}?){_ANY}(?:我|俺|本人)(?:是|真的?|现在|从小|绝对|坚决|完全|可|也|都|一[点口滴](?:都|也)?|千万|医生说){{0,4}}"
            rf"(?:(?:不能|不可以|不敢|不准|没法|不得)(?:再)?{_HAVE}|{_HAVE}不[得了])(?:的|啊|哦|呢|了)?[。.!！~～\s]*$|"
            rf"{_LEAD}(?:我|俺|本人)(?P<thing2>[^,，我咱能]{{1,8}}?){_ANY}(?:一[点口滴](?:都|也)?)?不能(?:再)?{_HAVE}(?:的|啊|哦|呢)?[。.!！~～\s]*$"
        ),
        _unborne, vital=True,
    ),
    Rule(
        "doctors_orders", "preferences", each("医大营师"),
        Expression(
            rf"{_LEAD}(?:医生|大夫|营养师|老?中医)(?P<says>(?:说|建议|叮嘱|交代|要求|嘱咐|强调)(?:了|过)?(?:让|叫|要)?(?:我|本人)|(?:让|叫|要)我|不(?:让|许|准)我)(?!{OF_ANOTHER})"
            r"(?P<what>[^,，我]{0,12}?(?:吃|喝|碰|沾|抽|[戒忌控低少][烟酒糖盐油脂辣]|熬夜|搬重|提重|剧烈运动|弯腰)[^,，我]{0,10}?)(?:了|的)?[。.!！~～\s]*$"
        ),
        _ordered, vital=True,
    ),
    Rule(
        "bears_ill", "preferences", each("吃喝用打服闻"),
        Expression(
            rf"{_LEAD}(?P<thing>[^,，我咱]{{1,10}}?){_ANY}(?:我|俺|本人)(?:一|每次|只要)?{_HAVE}(?:了|完|过|上)?{_ALWAYS}{_BODY}{_ALWAYS}{_HURTS}(?:的|啊|了)?[。.!！~～\s]*$|"
            rf"{_LEAD}(?:我|俺|本人)(?:一|每次|只要|每回){_HAVE}(?:了|完|到)?(?P<thing2>[^,，。我咱就会都了]{{1,8}}?)(?:就|会|都|老|总|容易)(?:会|是|要)?{_BODY}(?:就|会)?{_HURTS}(?:的|啊)?[。.!！~～\s]*$|"
            rf"{_LEAD}(?:我|俺|本人)(?P<thing3>(?!一|每|只要)[^,，。我咱就会都了]{{1,6}}?){_HAVE}(?:了|完)(?:就|会|都|老|总|容易)(?:会|是|要)?{_BODY}{_HURTS}(?:的|啊)?[。.!！~～\s]*$"
        ),
        _unborne, vital=True,
    ),
)  # fmt: skip
"""Vital: read however little the judge thinks of the sentence."""
