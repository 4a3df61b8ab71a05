"""What takes the place of a home, a name, a car or a number, and what ends a pet or a goal, told in passing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.dates import days
from brain_core.extract.chinese.facts import facts, goes_on_of_another
from brain_core.extract.chinese.makes import MAKES, kind_of
from brain_core.extract.chinese.people import PETS
from brain_core.extract.chinese.profile import is_a_home
from brain_core.extract.chinese.recall import content_words, own, profile_fact
from brain_core.extract.chinese.target import of_one_day, of_the_user, whose
from brain_core.extract.known import known_facts, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_TO_COME = Expression(
    r"想|打算|要|准备|计划|如果|假如|下个?月|下周|明[天年]|之后再|以后|可能|也许|本来|差点|没|不|[吗么呢?？]\s*$|争取|希望|什么时候|考虑|快"
)
_TIMES = Expression(
    r"(?:前[两几]天|前阵子|年初|年底|月初|月底|国庆|春节|这个?月|这周|一家|全家|家里|夫妻俩|正式|又|才|刚|已经)+"
)


def _head(scene: Scene, stop: int) -> str:
    """Return what stands in the clause before `stop` without the days that it names."""
    head = scene.clause.text[:stop]
    for day in reversed(list(days(head, scene.said))):
        head = head[: day.start] + head[day.stop :]
    return _TIMES.sub("", head)


def _is_the_users(scene: Scene, stop: int) -> bool:
    """Return whether what is told from `stop` on is told of the user, by the clause and by the one before it.

    A clause that names nobody goes on with whom the one before it is about, 嫁了个放羊的，搬去锡林郭勒了.
    """
    head = _head(scene, stop).replace("我们家", "我").replace("我家", "我")
    if not of_the_user(head) or _HEARSAY.search(scene.clause.sentence):
        return False
    told_of = whose(scene, head)
    first = scene.clause.sentence.startswith(scene.clause.text) or _CHANGED.search(scene.before) is not None
    return told_of == "user" or (told_of == "unsaid" and first and not goes_on_of_another(scene))


_HEARSAY = Expression(r"听说|据说|八卦|[他她]说")
_CHANGED = Expression(r"^[^我他她]{0,4}(?:[换搬卖改]|摔|坏|丢|离职|退租)")
"""How a clause begins that names nobody, and tells of what was the user's: 手机摔坏了, 换车了."""


def _moved(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 刚搬到深圳南山, 我们上个月搬到海淀了."""
    text = scene.clause.text
    happened = re.search(r"了|刚|已经|终于|上个?[月周]|去年|昨天|前", text)
    if happened and not _TO_COME.search(text) and _is_a_place(match["v"]) and _is_the_users(scene, match.start("verb")):
        yield facts(("home", written(scene, *match.span("v"))))


def _is_a_place(words: str) -> bool:
    return is_a_home(words) and _BESIDE.search(words) is None


_BESIDE = Expression(r"旁|附近|对面|隔壁|边上|门口|公司|单位|工位|办公|[楼屋]里")
_MOVED = Rule(
    "profile_moved", "profile", "搬",
    Expression(
        r"(?P<verb>搬(?:家)?(?:到|去|来|进|至|回)了?)(?P<v>[^,，。!！]{2,14}?)(?:这边|那边|住|生活|定居|来|去)*了?\s*(?:[,，。!！~]|$)"
    ),
    _moved, shares=True,
)  # fmt: skip


def _found_good(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 苏州真不错，搬过来是对的 of who has told a home elsewhere."""
    home = next((fold(v) for k, v in known_facts(scene.known) if k == "home"), "")
    if home and match["v"] not in home and _MADE_THE_MOVE.search(scene.clause.sentence) and _is_a_place(match["v"]):
        yield facts(("home", written(scene, *match.span("v"))))


_MADE_THE_MOVE = Expression(r"(?<!没)(?:搬过来|搬来|搬对|搬到这)(?!的话|住吗)(?!.{0,6}[吗?？])")
_FOUND_GOOD = Rule(
    "found_good", "profile", each("错好美静服"),
    Expression(
        r"^\s*(?:不过|但是?|还是|其实|[,，\s])*(?P<v>(?!新家|房子|这|那|小区|邻居|天气|环境|感觉|一切|我|他|她)[一-鿿]{2,4}?)"
        r"(?:真的?|很|挺|还|确实|倒|蛮)+(?:是)?(?:不错|好|舒服|漂亮|美|安静|宜居)(?:的)?\s*$"
    ),
    _found_good, vital=True,
)  # fmt: skip


def _lives_from_now(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 以后就住天通苑了 of who has told a home, where nobody else is spoken of."""
    known = any(k == "home" for k, _ in known_facts(scene.known))
    if known and _is_a_place(match["v"]) and not _SUPPOSED.search(scene.clause.sentence):
        yield facts(("home", written(scene, *match.span("v"))))


_LIVES_FROM_NOW = Rule(
    "lives_from_now", "profile", each("住"),
    Expression(r"^\s*(?:我们?|咱们?|[,，\s])*(?:以后|今后|往后)(?:就|都|我们?)*住在?(?P<v>[^,，。!！哪这那家他她]{2,10}?)(?:那边|这边)?(?:了|啦)\s*$"),
    _lives_from_now, vital=True,
)  # fmt: skip


def _renamed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 现在叫林雨 after 我改名了."""
    if scene.before in scene.clause.sentence and re.search(r"我[^,，]{0,4}(?:改名|改姓|换名字)", scene.before):
        yield facts(("name", written(scene, *match.span("v"))))


_RENAMED = Rule(
    "correction_renamed", "profile", "叫",
    Expression(r"^\s*(?:现在|如今|目前|以后|就|改|我)*叫(?P<v>[\u4e00-\u9fffA-Za-z·]{2,12}?)(?:了|啦)?\s*$"), _renamed,
)  # fmt: skip


def _of_a_make(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我现在用的是小米14, 我开的是大众; 换了辆小鹏 of a car that is known."""
    name = written(scene, *match.span("v"))
    kind = kind_of(fold(name))
    changes = match["changed"] is not None and kind not in dict(known_facts(scene.known))
    if kind and not changes and not _TO_COME.search(scene.clause.text) and _is_the_users(scene, match.start()):
        yield facts((kind, name))


_OF_A_MAKE = Rule(
    "correction_make", "profile", each("用开换"),
    Expression(
        rf"(?:(?P<changed>(?:换|改)(?:成|用|开)?了?(?:一?[个台部辆款])?新?)|(?:现在|目前|如今|平时|一直|我|改)+(?:用|开)(?:的(?:手机|车)?(?:就|还)?是|上了|着)?"
        rf"(?:一?[台部辆款])?)(?P<v>{MAKES}[^,，。!！]{{0,16}}?)(?:了|啦)?\s*$",
        re.IGNORECASE,
    ),
    _of_a_make, shares=True, vital=True,
)  # fmt: skip


def _number(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if match["what"] is None and _NEW_NUMBER.search(scene.before) is None:
        return
    if match["what"] is None or _MY.fullmatch(_head(scene, match.start("what"))):
        yield facts(("phone_number", written(scene, *match.span("v" if match["what"] else "v2"))))


_NEW_NUMBER = Expression(r"^[^他她]{0,6}(?:[换改]了?(?:个|新)?(?:手机|电话)?号码?|新号码?)[了啦]?$")
_MY = Expression(r"(?:对了|另外|还有|记住|记一下|请|帮我|[,，\s])*(?:我|俺|本人)?的?新?")
"""Before the word for a number that is the user's."""
_NUMBER = Rule(
    "profile_phone_number", "profile", each("机话是换为新"),
    Expression(
        r"^(?P<head>[^,，。:：]{0,6}?)(?:的)?新?(?P<what>手机号码?|手机|电话号码?|联系电话|电话)(?:已经|现在|就)*"
        r"(?:是|[:：]|[换改变](?:成|为)|更新为)了?\s*(?P<v>\+?[0-9][0-9 -]{6,16})(?:了|啦)?\s*(?:$|[,，。])|"
        r"^\s*(?:现在|新的?号码?|新的)*(?:就|换成|改成)?(?:是|[:：])?\s*(?P<v2>\+?[0-9][0-9 -]{6,16})\s*$"
    ),
    _number,
)  # fmt: skip

_PET = ("cat", "dog", "pet")
_NAME_OF_A_PET = Expression(r"叫做?(?P<name>[^,，。的了]{1,4})")
_BEFORE_A_PET = Expression(r"^(?:我们?家?的?|家里的?|养的|那[只条])+|(?:也|都|还是|突然|已经|终于|昨晚|[,，\s])+$")


def _pet_gone(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 旺财去世了 of a pet that is known, by its name or its sort. 走了 may be a walk: it ends nothing."""
    if _SUPPOSED.search(scene.clause.sentence) or (match["softly"] and not _DEAD.search(scene.clause.sentence)):
        return
    subject = _BEFORE_A_PET.sub("", _BEFORE_A_PET.sub("", _head(scene, match.start())))
    for k, v in known_facts(scene.known):
        name = _NAME_OF_A_PET.search(fold(v))
        called = {name["name"]} if name else set[str]()
        if k in _PET and (subject in called or (subject in fold(v) and _ANY_PET.fullmatch(subject))):
            yield profile_fact(k, v, denies=True)


_ANY_PET = Expression(PETS)
_DEAD = Expression(r"[病老]死|去世|安乐死|埋|火化|[喵汪]星")
"""Without which 走了 may be a walk."""
_SUPPOSED = Expression(r"如果|要是|假如|万一|梦|怕|担心|差点|会不会|[吗么?？]\s*$")
_PET_GONE = Rule(
    "denial_pet", "profile", each("死世逝星开走没在"),
    Expression(r"(?:[病老]?死|去世|过世|病逝|离世|离开我们|[去回][喵汪]星|安乐死|(?P<softly>走|没|不在))了"),
    _pet_gone, shares=True, insists=True,
)  # fmt: skip

_REACHED = (
    r"(?:[跑考学存攒减瘦写读做练拿评当升还戒通走爬][\u4e00-\u9fff]{0,2}?(?:完|到|过|会|够|成|下来?|上|进|清|掉)[^,，了没不]{0,8}了|拿到了|考过了|学会了?|达成了?|"
    r"实现了|完成了|成功了|通过了|做到了|到手了)"
)
_DONE_WORDS = Expression(r"终于|总算|顺利|成功|已经|提前|拿到了|到手了|达成了?|实现了|完成了|通过了|做到了|目标|了")
_NOT_REACHED = Expression(r"没|不|未|快|就要|差|要是|如果|还[没差剩]|才能|之后|再|一半|[吗么?？]\s*$|以为|假如|争取|想")


def _reached(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 终于跑完了马拉松 of a goal that has these words, and no others."""
    text = scene.clause.text
    at_last = "终于" in text or "总算" in text
    if _NOT_REACHED.search(text) or (of_one_day(text) and not at_last):
        return
    if whose(scene, text[: match.start()]) == "another":
        return
    wanted = content_words(_DONE_WORDS.sub(" ", text))
    for item in scene.known.active("goals"):
        value = value_of(item)
        held = content_words(f"{value['name']} {value.get('description', '')}")
        if wanted and wanted <= held and value.get("status") == "active":
            yield Found({**own(value), "status": "reached"}, type="goals")
            return


_GOAL_REACHED = Rule("goal_reached", "goals", "了 会 成", Expression(_REACHED), _reached, shares=True)

ENDINGS: tuple[Rule, ...] = (
    _MOVED,
    _FOUND_GOOD,
    _LIVES_FROM_NOW,
    _RENAMED,
    _OF_A_MAKE,
    _NUMBER,
    _PET_GONE,
    _GOAL_REACHED,
)
"""Before the corrections that would look among all that is known."""
