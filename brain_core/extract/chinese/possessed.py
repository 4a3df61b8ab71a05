"""What the user has, learns and does no more, and what is out, in plain Chinese: 我在学吉他, 昨天上线了."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.facts import ME, facts
from brain_core.extract.chinese.makes import kind_of
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.known import known_facts, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.versions import VERSION, released
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _bought(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what one owns from now on: a home as it was told, a car or phone by its make."""
    if _NOT_OWN.search(scene.clause.text):
        return
    if match["home"]:
        yield facts(("property", written(scene, 0, len(scene.clause.text))))
    elif kind := kind_of(match["make"]):
        yield facts((kind, written(scene, *match.span("make"))))


_NOT_OWN = Expression(
    r"给[^我]{1,4}(?:买|换)|[帮替]|想|要(?!了)|打算|准备|没|如果|等[^,，]{0,6}再|公司|玩具|模型|票|股票|皮肤|游戏|壳|[吗么?？]$"
)
_HAS = (
    r"(?:吉他|钢琴|古筝|小提琴|大提琴|二胡|琵琶|架子鼓|尤克里里|贝斯|笛子|葫芦丝|萨克斯|长笛|书法|国画|油画|素描|水彩|象棋|围棋|国际象棋|"
    r"游泳|滑雪|网球|羽毛球|乒乓球|瑜伽|太极|拳击|跆拳道|街舞|芭蕾|潜水|冲浪|攀岩|编织|烘焙|摄影|木工|陶艺)"
)


def _skill(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    learns = match["learns"]
    k = content_slug(("学" if learns else "会") + (learns or match["can"]))
    yield facts((k, written(scene, match.start("told"), match.end("told"))))


def _given_up(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我把烟戒了, 我不抽烟了: a fact of its own."""
    if _NOT_FOR_GOOD.search(scene.clause.text):
        return
    k = "smoking" if "烟" in match[0] else "drinking"
    yield facts((k, written(scene, 0, len(scene.clause.text))))


_NOT_FOR_GOOD = Expression(r"今[天晚]|这[次两几]|想|要(?!了)|打算|准备|没|如果|暂时|先|[吗么?？]$|[他她]")


def _shipped(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 昨天上线了 as the end of the only goal to do so, and as an event."""
    done = match["done"]
    values = (value_of(item) for item in scene.known.active("goals"))
    due = [goal for goal in values if goal.get("status", "active") == "active" and done in _told(goal)]
    if len(due) == 1:
        fields = {name: part for name, part in due[0].items() if isinstance(part, str)}
        yield Found({**fields, "status": "reached"}, type="goals")
        day = first_day(scene.clause.text, scene.said, past=True)
        title = written(scene, 0, len(scene.clause.text))
        when = (day.day if day else scene.said).isoformat()
        yield Found({"date": when, "title": title, "slug": content_slug(title)}, type="events")


def _version_out(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 昨天v3上线了 of what is known to be at v2."""
    what = _LEADING.sub("", match["what"])
    if not _NOT_OUT.search(scene.clause.text):
        named = Expression(re.escape(what) if what else "版本|现在")
        yield from released(match["new"], lambda said: named.search(fold(said)) is not None, scene)


def _raised(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read DBA昨晚把库升到8.0了 of the one thing of which a lower version is known."""
    if not _NOT_OUT.search(scene.clause.text) and _SOFTWARE.search(scene.clause.text[: match.start("new")]):
        yield from released(match["new"], _ANY.match, scene)


_ANY = Expression("")
_SOFTWARE = Expression(r"[a-z]{2}|库|版本|系统|依赖|框架|集群|内核|客户端|驱动|固件|环境", re.IGNORECASE)


_LEADING = Expression(
    r"^(?:我们|咱们|今[天早]|昨[天晚]|刚|终于|总算|上周|周[一二三四五六日]|的|[,，\s])+|(?:的|新版|版本)+$"
)
_NOT_OUT = Expression(r"[?？吗]|没|测试环境|预发|灰度|内测|要是|如果|打算|计划|准备")


def _told(goal: dict[str, str]) -> str:
    return fold(str(goal.get("description") or goal.get("name", "")))


def _also_speaks(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read a language that one speaks besides those that are known, each under a name of its own."""
    named = _LANGUAGE.findall(match["v"])
    held = {k: v for k, v in known_facts(scene.known) if k == "language" or k.startswith("language_")}
    if not held or any(set(_LANGUAGE.findall(fold(v))) <= set(named) for v in held.values()):
        return  # the first, or told again: under the name that it has
    yield facts((f"language_{named[0]}", written(scene, *match.span("v"))))


_LANGUAGE = Expression(
    r"[英日法德韩俄泰粤汉藏]语|西班牙语|葡萄牙语|意大利语|阿拉伯语|越南语|普通话|广东话|上海话|四川话|闽南语|客家话|手语|[英日法德韩俄]文"
)

POSSESSED: tuple[Rule, ...] = (
    Rule(
        "bought", "profile", each("买换"),
        Expression(
            rf"^\s*(?:{ME}们?)(?:[上前去今昨刚才终于已经年月周天]*)(?:(?:买了)(?P<home>(?:一|两)?[套栋个间](?:新|二手|小|大)?"
            r"(?:房子?|公寓|别墅|学区房|两居|三居|两室一厅)(?:[在,，].{0,12})?)|"
            r"(?:买|换)(?:成|上)?了(?:一?[辆台部个])?(?:新)?(?P<make>[A-Za-z0-9\u4e00-\u9fff ]{2,14}?))(?:了|啦)?\s*$"
        ),
        _bought, vital=True,
    ),
    Rule(
        "skill", "profile", each("学会"),
        Expression(
            rf"^\s*(?:{ME})(?P<told>(?:最近|现在|正)?(?:在|开始)学(?:习)?(?:弹|拉|吹|打|画|下)?(?P<learns>{_HAS})|"
            rf"(?:也|还)?会(?:弹|拉|吹|打|画|下|玩)?(?P<can>{_HAS}))(?:呢|了)?\s*$"
        ),
        _skill, vital=True,
    ),
    Rule(
        "given_up", "profile", each("戒抽喝"),
        Expression(
            rf"^\s*(?:{ME})(?:已经|终于|现在|[上前去今]?[年月周])*(?:把(?:烟酒?|酒)(?:给)?戒(?:掉)?了|戒(?:掉)?(?:烟|酒)了|"
            r"戒(?:掉)?了?(?:烟|酒)|(?:再也)?不(?:再)?(?:抽烟|吸烟|喝酒)了)\s*$"
        ),
        _given_up, shares=True, vital=True,
    ),
    Rule(
        "shipped", "goals", each("上发交"),
        Expression(
            r"^\s*(?:我们|咱们|项目|产品|新版)?(?:已经|终于|刚|[昨今前]天|上?(?:周|星期)[一二三四五六日天末]?+|[0-9一二三四五六七八九十月]+[号日]|正式|"
            r"顺利|按时|成功|都)*(?P<done>上线|发布|发版|交付|开业)(?:成功)?(?:了|啦)\s*$"
        ),
        _shipped, vital=True,
    ),
    Rule(
        "version_out", "knowledge", each("线布版量出"),
        Expression(
            rf"^\s*(?P<what>[^,，。0-9]{{0,12}}?)(?P<new>{VERSION})(?:已经|正式|终于|也|刚|今[天早]|昨[天晚]|都)*"
            r"(?:上线|发布|发版|全量|推全|出来)(?:了|啦)?\s*$",
            re.IGNORECASE,
        ),
        _version_out, vital=True,
    ),
    Rule(
        "version_raised", "knowledge", each("升b更"),
        Expression(
            rf"^(?P<what>[^,，。0-9]{{0,16}}?)(?:升级?|bump|更新|更)\s*(?:到|至|成)了?\s*(?P<new>{VERSION})(?:版本?)?(?:了|啦)?\s*$",
            re.IGNORECASE,
        ),
        _raised, vital=True,
    ),
    Rule(
        "also_speaks", "profile", each("会说讲懂"),
        Expression(
            rf"^\s*(?:{ME})(?:也|还|另外)*(?:会|能|懂)(?:说|讲)?(?P<v>(?:一点(?:点|儿)?|一些|些|点儿?|几句)?(?:{_LANGUAGE.pattern}))"
            r"(?:了|的)?\s*$"
        ),
        _also_speaks, vital=True,
    ),
)  # fmt: skip
