"""Who belongs to the user, told in Chinese: family, children, partners, pets, birthdays."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import each, tidy, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.details import with_details
from brain_core.extract.chinese.facts import ME, NUMBER, fact_value, facts, taken, told_on
from brain_core.extract.chinese.knowledge import knowledge
from brain_core.extract.chinese.vocabulary import RELATIVE, relative_of
from brain_core.extract.known import known_facts
from brain_core.extract.language import Build, Found, Rule, Scene
from brain_core.text.expression import Expression

PETS = (
    r"猫|狗|柯基|金毛|哈士奇|泰迪|柴犬|拉布拉多|边牧|布偶|英短|美短|橘猫|狸花|加菲|暹罗|仓鼠|兔子?|鹦鹉|乌龟|"
    r"龙猫|猫咪|狗狗|宠物|蜥蜴|守宫|金鱼|荷兰猪|贵宾|比熊|萨摩耶|斗牛|法斗|犬"
)


_SORTS_OF_PETS = (
    ("cat", Expression(r"猫|布偶|英短|美短|狸花|加菲|暹罗")),
    ("dog", Expression(r"狗|柯基|金毛|哈士奇|泰迪|柴犬|拉布拉多|边牧|贵宾|比熊|萨摩耶|斗牛|法斗|犬")),
)


_NOBODY_ELSE = Expression(
    r"(?:(?:你|您|大家)好|我|俺|本人|的|今年|记得|记住|请|另外|还有|对了|顺便|其实|不过|其中|[\s,，、:：])*"
)


def _birthday(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我的生日是5月3日; where somebody else is named before it (小明的生日) it is a fact about them."""
    who = match["who"]
    if not who and not _NOBODY_ELSE.fullmatch(scene.clause.text[: match.start()]):
        about = scene.clause.text[: match.end("named")]
        told = knowledge(written(scene, 0, len(scene.clause.text)), about)
        yield Found(told.given, type="knowledge")
        return
    stated = match[taken(match)]
    value = tidy(stated)
    day = first_day(stated, scene.said)
    if re.fullmatch(r"今天|昨天|明天", stated.strip()) and day is not None:
        value = day.day.strftime("%m-%d")
    k = "birthday" if not who or who in "我俺" else f"{relative_of(who)}_birthday"
    yield facts((k, value))


def _anniversary(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我们的结婚纪念日是5月3号, of which there is one."""
    sort = {"结婚": "anniversary", "": "anniversary"}.get(match["sort"] or "", f"anniversary_{match['sort']}")
    yield facts((sort, fact_value(match, scene, "v")))


def relative_fact(who: str, scene: Scene, start: int) -> Found:
    """Return what a clause tells of a relative from a place on, with its details, named by what the clause tells."""
    told, span = with_details(scene, start)
    fact = facts((relative_of(who), written(scene, start, len(scene.clause.text)))).given["facts"][0]
    return Found({"subject": "user", "facts": [{**fact, "v": told}]}, type="profile", span=span)


def _relative(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if re.search(
        r"的(?:话|时候|生日|意见|问题|朋友)|觉得|认为|说(?!话)|喜欢|想|问|让|最近|今天|昨天|昨晚|明天|上周|下周|这周|"
        r"周末|总是|老是|不听",
        text,
    ):
        return
    yield relative_fact(match["who"], scene, match.start("who"))


def _pet(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    is_mine = not scene.clause.text.startswith(("养", "还养", "也养")) or told_on(scene)
    if is_mine and not re.search(r"想养|打算养|要不|准备养|没养|不养|邻居|朋友家|别人", scene.clause.text):
        words = match[taken(match)]
        k = next((name for name, sort in _SORTS_OF_PETS if sort.search(words)), "pet")
        yield facts((k, written(scene, match.start(taken(match)), len(scene.clause.text))))


_OF_ONE = {
    "doctor": "家庭医生|医生|大夫", "dentist": "牙医", "boss": "老板|领导|上司|经理|主管", "advisor": "导师",
    "teacher": "班主任|老师", "lawyer": "律师", "landlord": "房东", "coach": "教练", "roommate": "室友",
    "barber": "理发师", "car": "车子?|汽车|座驾", "phone": "手机", "laptop": "笔记本电脑|电脑|笔记本", "camera": "相机",
    "gym": "健身房", "bank": "开户行|银行", "school": "学校",
}  # fmt: skip
"""Of which one has one at a time: another one takes its place."""
_NOT_ONE = Expression(r"^(?:很|太|不|没|挺|真|特别|非常|最|个|我|你|他|她|它|谁|什么|哪|怎)|[吗呢吧]$")
_ANY_OF_ONE = "|".join(_OF_ONE.values())


def one_of(word: str) -> str:
    """Return the name of the fact of which there is one at a time, empty if a word is of none."""
    return next((k for k, words in _OF_ONE.items() if re.fullmatch(words, word)), "")


def _of_one(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    value = fact_value(match, scene, "v")
    if value and not _NOT_ONE.search(match["v"]):
        yield facts((one_of(match["k"]), value))


def _anew(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read who or what has taken the place of one that is known: 换房东了，现在是李哥."""
    found = _ANEW.match(scene.clause.sentence) if match["rest"] is None else match
    if found is None or _NOT_ONE.search(found["v"]):
        return
    k = one_of(found["k"] or found["k2"])
    if any(name == k for name, _ in known_facts(scene.known)):
        yield facts((k, tidy(found["v"])))


_ANEW = Expression(
    rf"^.{{0,3}}?(?:(?P<k>{_ANY_OF_ONE})(?:已经|刚|又)?换(?:了个?)?人了?|换(?:了?个?新?)(?P<k2>{_ANY_OF_ONE})了?)"
    rf"\s*[,，]\s*(?:现在|新来?的|新|(?:{_ANY_OF_ONE})){{0,4}}(?:是|叫做?|换成)(?P<v>[^,，。！!的]{{1,16}}?)了?\s*[。!！]?\s*$"
)


def _status(k: str) -> Build:
    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        yield facts((k, written(scene, match.start(taken(match)), match.end(taken(match)))))

    return build


def _married(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    k = "children" if re.search(r"孩|娃|儿|女儿", match[taken(match)]) else "marital_status"
    yield facts((k, written(scene, match.start(taken(match)), len(scene.clause.text))))


RELATIVE_TOLD = Expression(
    rf"(?:^|[,，。\s]|我|我们家?|我家|家里)的?(?P<who>{RELATIVE})(?:的名字|小名|大名)?(?:今年|现在|目前|其实|也|"
    rf"都|刚|已经|才)*(?:叫做?(?![我你他她它])|是(?!不)|(?<=现在|目前)(?=[开做当干卖教跑管搞带])|在(?=.{{2,12}}(?:工作|上班|读|念|上学|上大学|留学|生活|住|定居|当|做))|"
    rf"转学到?|改名|上(?=[幼小初高大一二三四五六]|学)|读(?=[幼小初高大研博硕一二三四五六])|做(?=.{{2,8}}(?:的|师|员))|"
    rf"\s*(?=[0-9]{{1,2}} ?(?:岁|了))|有(?=.{{0,8}}(?:病|压|糖|炎|症|痛))|怀孕(?=.{{0,8}}(?:月|周|了))|"
    rf"跟我们?一起|都?在老家|刚?(?:毕业|退休|结婚|离婚|去世|过世)){{1,6}}.{{1,40}}"
)
"""A relative, and what of them is kept as a fact of the user."""

PEOPLE: tuple[Rule, ...] = (
    Rule(
        "profile_birthday",
        "profile",
        each("生"),
        Expression(
            rf"(?:我(?:们)?家?的?)?(?P<who>我|{RELATIVE})?的?(?P<named>生日)(?:其实|应该|实际上?|不对)?(?:就?是|在|:)?\s*(?P<v>(?:农历|阴历|阳历|公历|"
            rf"每年)?(?:{NUMBER} ?年 ?)?[0-9一二三四五六七八九十正腊冬]+ ?月 ?(?:初)?[0-9一二三四五六七八九十廿]+ "
            rf"?[号日]?|[0-9]{{1,4}}[-/.][0-9]{{1,2}}(?:[-/.][0-9]{{1,2}})?|今天(?=$|[,，。!])|明天(?=$|[,，。!]))|"
            rf"(?P<v3>今天|明天|昨天)(?:就)?是我的?生日|"
            rf"(?P<who2>我)是?(?P<v2>[0-9]{{2,4}}年[0-9]{{0,2}}月?[0-9]{{0,2}}[号日]?)(?:出?生|生人)"
        ),
        _birthday,
        shares=True,
    ),
    Rule(
        "profile_anniversary",
        "profile",
        each("纪"),
        Expression(
            rf"^\s*(?:对了|记住|不对|其实|[,，\s])*(?:我们?|咱们?|我[和跟]{RELATIVE})(?:俩|家)?的?"
            rf"(?P<sort>结婚|恋爱|订婚|相识)?纪念日"
            rf"(?:其实|应该|实际上?)?(?:就?是|在|:)\s*"
            rf"(?P<v>(?:农历|阴历|每年)?(?:{NUMBER} ?年 ?)?"
            r"[0-9一二三四五六七八九十]+ ?月 ?[0-9一二三四五六七八九十廿]+ ?[号日]?)"
        ),
        _anniversary,
    ),
Rule(
        "profile_pet",
        "profile",
        each("只条养猫狗柯金哈泰柴布英橘仓兔鹦乌龟边拉宠犬"),
        Expression(
            rf"(?:{ME}(?:们)?家?(?:里)?的?(?:还|也|一直|现在|最近|刚)*(?:养|有|领养)(?:了|着)?|^(?:还|也)?养(?:了|着)|(?<![\u4e00-\u9fff])家里(?:还|也)?(?:养|"
            rf"有)(?:了|着)?|"
            rf"{ME}(?:们)?家(?:里)?(?=[一二两三四五六0-9]+[只条头]))(?P<v>[^,，。想]{{0,10}}?(?:{PETS}).*)|"
            rf"{ME}(?:们)?家(?:的)?(?P<v2>(?:{PETS})(?:改名)?(?:叫|是|今年|已经|[0-9一二三四五六七八九十两]+岁).*)|"
            rf"{ME}(?:们)?(?:家)?的(?P<v3>(?:{PETS})(?:现在|已经)?(?:改名)?叫.+)"
        ),
        _pet,
        shares=True,
    ),
Rule(
        "profile_of_one",
        "profile",
        each("是叫换改"),
        Expression(
            rf"{ME}(?:们)?的(?:新|直属|顶头|主治)?(?P<k>{_ANY_OF_ONE})(?:现在|目前|已经|就|也)*(?:是|叫做?|换成|改成|换为)了?"
            rf"(?P<v>[^,，。！!的]{{1,16}}?)了?\s*(?:[,，。！!]|$)"
        ),
        _of_one,
        shares=True,
    ),
Rule(
        "profile_of_one_anew",
        "profile",
        each("换"),
        Expression(
            rf"^(?:我们?家?的?)?(?P<k>{_ANY_OF_ONE})(?P<k2>)(?:已经|刚|又)?换(?:成|为)了?(?P<v>[^,，。！!的]{{1,16}}?)了?(?P<rest>)\s*$|"
            rf"^.{{0,3}}?(?:(?:{_ANY_OF_ONE})(?:已经|刚|又)?换(?:了个?)?人了?|换(?:了?个?新?)(?:{_ANY_OF_ONE})了?)\s*$"
        ),
        _anew,
        vital=True,
    ),
Rule(
        "profile_children",
        "profile",
        each("有俩两个个娃孩宝生女儿"),
        Expression(
            rf"(?:{ME}(?:们)?家?|家里|膝下)(?:还|也|已经|现在|就|都)*(?:有)?(?P<v>(?:{NUMBER}个|俩|仨|两|一|[0-9]+)(?:孩子|娃|"
            rf"小孩|宝宝|儿子|女儿|闺女|小朋友|熊孩子|双胞胎).*|(?:一儿一女|儿女双全|双胞胎.*|龙凤胎.*))"
        ),
        _status("children"),
        shares=True,
    ),
Rule(
        "profile_married",
        "profile",
        each("婚单孩偶育丁"),
        Expression(
            rf"{ME}(?:们)?(?:目前|现在|还|也|都|是|早就|已经|刚|终于|上周|上个?月|去年|今年)*(?P<v>(?:已婚|未婚|离异|离婚(?:了|"
            rf"[0-9一二三四五六七八九十两]+年)|单身|丁克|退休了|没(?:有)?(?:结婚|孩子|小孩|娃|对象|成家)|结婚(?:了|"
            rf"[0-9一二三四五六七八九十两]+年)|不婚).*)|(?:^|也)(?P<v2>(?:没有?)(?:小孩|孩子|娃).*)"
        ),
        _married,
        shares=True,
    ),
Rule(
        "profile_relative",
        "profile",
        each("叫在是岁上读做今有了怀跟才刚快"),
        RELATIVE_TOLD,
        _relative,
        shares=True,
    ),
)  # fmt: skip
"""All share the clause: one clause may tell several."""
