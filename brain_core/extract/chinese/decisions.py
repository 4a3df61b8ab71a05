"""Decisions told in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.applies import of_environment
from brain_core.extract.chinese.clauses import each, rest_of_sentence, tidy, written
from brain_core.extract.chinese.vocabulary import topic_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.scopes import joined, project_in, scope_in, without_scope
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_OPEN = Expression(
    r"(?:没|未|难以?|怎么|如何|无法|谁|帮我|替我|你来?|您来?|由你|再|等你|不能|做|才能?|自己|影响|取决|关键)(?:有|法|"
    r"能)?(?:决定|敲定|定|选)|"
    r"(?:的|个|项|做出|作出|重大|艰难)决定|决定先(?:去|看|试)|今[天晚早]我?(?:们)?决定|决定(?:不了|于|因素|性|权|"
    r"命运)|(?:他|她|朋友|同事|邻居|同学|闺蜜|角色|网友|室友)们?.{0,6}(?:决定|敲定|选)|不知道|不确定|算了吧?$"
)
_MARKS = Expression(r"[了就,，那]|决定|敲定|拍板|定了|想好了?|商量好|好的?|那就?|行")
_EMPTY = Expression(r"^(?:了|好|下来|是|这[样个么版]?|那[样个么]?|它|你|先|一下|时间|的时候|[啊吧呢哦])*$")


def _decided(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded, what = scene.clause.text, match["what"] or ""
    if _OPEN.search(folded) or _OF_OTHERS.match(folded) or _left_to_them(match[0], what):
        return
    content, span = rest_of_sentence(scene, 0)
    if _OPTION.fullmatch(what.strip()) and not _NAMING.search(content):
        return
    if _EMPTY.match(what.strip(" :!！。~")):
        if len(content) <= len(tidy(folded)) + 1:
            content, span = _with_before(scene)
        if len(content) < 6 or len(_MARKS.sub("", fold(content)).strip()) < 3:
            return
    yield _decision(content, what if len(what) > 2 else fold(content), scene, span)


_OF_OTHERS = Expression(r"[^,，我咱]{0,4}(?:[他她]|人家)")
_OPTION = Expression(r"第?[0-9A-Za-z一二三四五六]个?号?")
_NAMING = Expression(r"那[条个款家份种]|定了|方案")
"""What says which it is of options that somebody else has listed."""


def _left_to_them(said: str, what: str) -> bool:
    """Return whether it is agreed to what was not said here: 听你的了."""
    return re.search(r"听你的|依你|按你说的", said) is not None and len(what.strip(" ,，了吧")) < 2


def _with_before(scene: Scene) -> tuple[str, tuple[int, int]]:
    """Return the clause before, in the same sentence, with this one, and their span: 我们选 B,定了."""
    start, stop = -scene.clause.sentence.rfind(scene.clause.text), len(scene.clause.text)
    if start > -4:
        return "", (0, stop)
    return written(scene, start, stop), (start, stop)


def _decision(content: str, about: str, scene: Scene, span: tuple[int, int]) -> Found:
    return Found(decision(content, about, f"{scene.clause.text} {content}", scene), span=span)


def decision(content: str, about: str, said: str, scene: Scene) -> dict[str, str]:
    """Return the fields of a decision. about: words that tell its topic. said: those that may tell for what it is."""
    project = project_in(said, scene.known)
    named = {"project": project, "topic": topic_of(about)} if project else {"topic": _scoped(about, said)}
    return {**named, "decision": content, "made_at": scene.said.isoformat()}


def _scoped(about: str, said: str) -> str:
    return joined(topic_of(without_scope(about) or about), [scope_in(said) or _decider(said), of_environment(said)])


def _decider(said: str) -> str:
    """Return for what of a name in Latin letters a decision is, as a part of a key: shop-web 决定…."""
    found = _OF_ITS_OWN.match(said)
    return slug(found[1], 40) if found else ""


_OF_ITS_OWN = Expression(
    r"^([A-Za-z][A-Za-z0-9_.-]*)\s*(?:这边|那边|这里|那里|组|团队|端|侧|仓库|项目|服务)?(?:最终|最后|也|就|已经|我们|统一)*"
    r"(?:决定|确定|敲定|定了|定下|选定|选了|改用|采用)"
)


def _instead(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if re.search(r"作废|不|取消|算了|放弃|决定|换掉|太", scene.before) and scene.before in scene.clause.sentence:
        content, span = rest_of_sentence(scene, 0)
        yield _decision(content, match["what"], scene, span)


def _then(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    content, span = rest_of_sentence(scene, 0)
    yield _decision(content, match["what"], scene, span)


_THEN = Rule(
    "decision_then", "decisions", "就",
    Expression(r"^\s*(?:好|行|嗯)?那就\s*(?P<what>(?!.*(?:这样|[好算谢]|麻烦|辛苦|不|先|明天|下次|再|今|拜|来吧|走吧|"
        r"去吧|开始))[A-Za-z0-9\u4e00-\u9fff][^,，]{1,11}?)(?:了|吧)\s*$"), _then,
)  # fmt: skip

_INSTEAD = Rule(
    "decision_instead", "decisions", "改 换 就 先 直",
    Expression(r"^\s*(?:那就|就|直接|干脆|先)?(?:改用|改成|换成|换用|改走|改为|改去|改买|改订|"
        r"就(?=[买用选租订走去做])|直接(?=[用买做上]))(?P<what>[^吗呢]{2,})$"), _instead,
)  # fmt: skip

_DECIDED = Rule(
    "decision_made", "decisions",
    each(
        "掰争琢盘发通明开锤干索商敲照按等拖租订签否毙p淘排胜选过名标挑相看不从死准牢已结思来左虑衡议谈纠比吵"
        "磨犹统点首批票举经依纳取起接推拒退应辞弃停砍切告计投做搞办养续考它铁心听着拢稿聊量论权合同定拍致想达"
        "说讨最终"
    ),
    Expression(r"(?:确定(?:了|下来)?(?:用|选|走|去|买|做|上|采用|租)|拿定主意|(?:就|那就|统一|"
        r"还是)按[^这那它,，]{2,14}?(?:来|办|走|做|执行)(?:吧|了)?\s*$|决定(?:好|下来|了|是)?|敲定|拍了?板|(?:聊|"
        r"商量|讨论|权衡|合计|比)(?:下来|来.去|了一下|了半天|了很久)(?=.{0,3}(?:还是|就|决定|[,，]|$))|(?:有了?|"
        r"出了?)(?:结论|定论)了?|结果出来了|选定|定下来?|"
        r"商定|约定好?|商量[好完定]|讨论[好完定]|"
        r"谈[妥好拢定]|商议好|说定|说好(?=[,，了]|要|就|一起)|达成(?:一致|共识)|(?:都|双方|全员|大家)同意了?$|"
        r"(?:董事会|团队|我们|大家|客户|老板|领导|评委|全家).{0,6}选了|一致(?:同意|通过|决定|认为)|"
               r"(?:就|都|已经|算是|终于|最后|最终)(?:这么)?定(?:好|了|为|下|到|成)|(?:最终|最后|终于)(?:我们|还是|"
               r"就)*(?:买|用|报|签|租|订|去|走)了(?!吗)|(?:我们|咱们|团队|公司)(?:就|先|也)?不(?:做|拆|用|上|搞|买|"
               r"去|招|接|支持|走|选|租)[^,，不]{1,14}了(?=[,，]|$)|(?:方案|时间|地点|日子|行程|名字|主题|预算|"
               r"供应商|路线)(?:已经|也|就|都)?定(?:了|好|为|成)|[^,，我你他她]{1,8}定在(?=每)|^\s*定了|"
               r"合计(?:好|妥|完)了?|投票(?:选|换|定|决定|通过|改)|(?:关门|歇业|停办|退出|解散)?不(?:干|做|搞|办|"
               r"养|续|考)了(?=[,，。]|$)|(?:就|还是)它了|"
               r"一锤定音|拍定|板上钉钉|铁了心|下定?(?:了)?决心|听你的[,，](?=.{2,})|就这么(?:着|办|定)|谈拢|"
               r"签字画押|定稿|"
               r"(?:定|议|商量|谈|讨论)(?:出来|下来)?的(?:是|:|结果|方案)|(?:思来想去|想来想去|左思右想|考虑再三|"
               r"权衡再三|再三考虑|权衡利弊|"
               r"(?:考虑|纠结|想|比|吵|聊|磨|商量|犹豫)了(?:好)?[^,，了]{1,6}(?=$))|统一(?:了)?意见|意见统一|"
               r"(?:点了?头|首肯|批准|批了|拍胸脯|全票|举手表决)(?:了|通过)?|"
               r"经(?:过)?(?:讨论|商量|评审|投票)|^\s*(?:[好行嗯]|有道理|ok)?\s*(?:就?听你的|依你|按你说的(?:来|"
               r"办)|采纳)|(?:名字?|日子|时间|地点|方案|款式|配色|房子|学校|供应商|型号)[^,，]{0,4}(?:取|起|选|定|"
               r"挑|看)[好中定]了|"
               r"^[^,，我你他她]{2,12}我们?(?:接|推|拒|签|退|应|辞|不要|不去|买)了(?=$)|我们?(?:打算|准备|计划|"
               r"要)?(?:弃用|停用|砍掉|全部切到|全量切到|彻底告别)|"
               r"(?:掰扯|争论?|琢磨|盘算)(?:了)?(?:半天|完|好|清楚)了?|发话了?(?=[,，]|$)|想(?:通|明白|开)了|"
               r"一锤子?定?音?(?=[,，]|$)|(?:干脆|索性)[^,，]{2,16}了$|商量着|(?:会上|刚|已经)敲了|"
               r"^\s*(?:嗯|好|行|那|就|[,，])+[照按]着?[^,，]{1,12}[来走办](?=[,，]|$)|不[等拖]了(?=[,，]|$)|"
               r"^[^,，我你他她]{1,8}就(?:选|定|租|订|签)[^,，吗]{2,12}$|(?:最后|最终)还是[^,，吗]{2,}$|(?:否|毙|"
               r"pass|淘汰|排除)(?:了|掉)(?=[,，]|$)|(?:胜出|中选|入选|过会|全票通过)了?(?=[,，]|$)|(?:名字?|店名|"
               r"队名|标题)就叫|(?:挑|选|相|看)(?:中|定)了|"
               r"不(?:纠结|犹豫|折腾|挣扎|磨叽)了|我就?选(?:第|[A-Za-z一二三]|前者|后者)|从(?:下|这|本|"
               r"明)[^,，我你他]{1,6}(?:起|开始)[^,，]{0,10}(?:改|不再|全部|换|停)|"
               r"(?:定|约|订|敲)(?:死|准|牢)了?|已定(?:[:：]|$)|结论(?:就?是|[:：])|最终(?:方案|版本|"
               r"结果)(?:就?是|[:：])|想[好清楚]+了(?=[,，:：。]|\s*$|就|不|要)|打定主意|"
               r"(?:最终|最后|还是|我们|咱们|我|这次|已经)(?:就|都|还是)?(?:选定?了?|选择了?)(?!择|修|课|题|"
               r"手))\s*[:：,]?(?P<what>.*)"),
    _decided,
)  # fmt: skip


def _settled(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded, what = scene.clause.text, match["what"].strip()
    if _OPEN.search(folded) or re.match(
        r"(?:这|那|它|你|我|他|上面|刚才|好|行|是|可以|够|算|先|试|一下|第?[一二三四]|上|原|默认)|.{0,1}$", what
    ):
        return
    if re.search(r"[？?]\s*$|[？?]$", scene.clause.sentence) and not folded.rstrip().endswith(("了", "吧")):
        return
    if re.search(r"今晚|今天|中午|晚饭|早饭|午饭", folded):
        return
    content, span = rest_of_sentence(scene, 0)
    yield _decision(content, what, scene, span)


def _settled_any(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if match["what"] is not None:
        yield from _settled(match, scene)
    elif not _OPEN.search(scene.clause.text) and not re.search(
        r"可以|想|要不|建议|需要|打算|计划|得|应该|能", scene.clause.text[: match.start("what2")]
    ):
        content, span = rest_of_sentence(scene, 0)
        yield _decision(content, match["what2"], scene, span)


_SETTLED = Rule(
    "decision_settled", "decisions", "就 那 改 换 弃 走 采 统",
    Expression(r"(?:那|那么|行|好|嗯|我们|咱们?|还是|最终|最后|干脆|索性|以后|团队|全组|(?:^|"
        r"[,，:])[^,，我你他她今]{2,12})\s*[,，]?(?:就|还是就?|都|直接)(?:用|选|定|走|上|买|去|按|采用|换成|改用|"
        r"改成|租|签|找|叫)(?P<what>[^吗呢]+?)(?:吧|了|算了|好了|这个方案)\s*$|"
               r"(?:我们|咱们|团队|公司|项目|组里|全组|后端|前端).{0,12}?(?:改用|换成|弃用|采用|统一(?:用|走|换成|"
               r"改成)|迁(?:移)?到|切(?:换)?到|不再(?:用|写|支持|维护|做))(?P<what2>.{2,})"),
    _settled_any,
)  # fmt: skip


DECISIONS: tuple[Rule, ...] = (_DECIDED, _SETTLED, _INSTEAD, _THEN)
"""Most specific first."""
