"""Preferences and constraints told in Chinese: likes, habits, diet, lasting directions, prohibitions, limits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.chinese.clauses import each, rest_of_sentence, tidy, written
from brain_core.extract.chinese.vocabulary import content_slug, named, named_attribute, scope_of
from brain_core.extract.chinese.whose import FILLERS, whose_is
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.scopes import joined, scope_in
from brain_core.text.expression import Expression

_DEGREE = (
    r"(?>早就|已经|去年就?|今年|前年|个人|一般|平时|平常|太|其实|还是|一直|一向|从小|就|也|都|真的?|比较|更|最|很|挺|"
    r"蛮|"
    r"特别|非常|超级?|相当|尤其|不太|不怎么|不大|并不|不是很|"
    r"从来?不|向来|通常|往往|倾向于?|有点|可|会|属于|现在|目前|反而|确实|实在|这人|这个人|日常|工作时|在家|只|老|总|"
    r"又|始终|"
    r"从来|从|绝对|坚决|早上|晚上|中午|出门|写东西|写代码|做饭|吃饭|的话|还|不|天生|本来|习惯性|基本上?|几乎)*"
)
_LIKING = (
    r"(?:喜欢|喜爱|热爱|偏好|偏爱|偏向于?|钟爱|酷爱|讨厌|厌恶|反感|(?:不太|不怎么|不大)能(?=[吃喝])|吃不来|受不了|"
    r"看不惯|习惯(?:了|于|用|看|写|在|把)?|"
    r"(?:一般|通常|必须|只|都)(?:要|得|会|选|买|订|住)?(?=[用选坐住订买喝吃穿看听跑要靠])|"
    r"爱(?=[吃喝看听玩用穿住去坐走])|吃不了|吃不惯|喝不了|喝不惯|闻不了|不(?=[吃喝用碰沾坐看玩])|"
    r"只(?=[吃喝用看认穿坐住听])|不能(?=[吃喝碰用])|就认|只认|惯用|"
    r"常用|用惯了?|首选|忌口|怕(?=[冷热辣黑高狗吵猫酸苦咸甜烫晒蛇虫油])|晕(?=[车船机])|恐高|烦(?=.{2})|无肉不欢|"
    r"什么都(?=[吃喝])|是(?=个?(?:纯|蛋奶|严格)?素食)|听不懂|(?=吃素|吃斋|是素食|吃得?清淡|吃纯素)|"
    r"戒(?=[烟酒糖咖奶茶])|改(?=[喝吃用看])|粉)"
)
_NOT_A_THING = Expression(
    r"^(?:这[些种个样本部家首里次里儿份款套]?|那(?!种)[些个样本部家首里次份款套]?|[你您他她它]们?|上了|的(?:是|人|事|"
    r"活动|东西|地方|类型$)|死|过|里面|的话|着|自己|谁|什么|跟你|和你|听你|看你)"
)


def _preference(words: str, value: str, core: str = "") -> Found:
    scope, name = named_attribute(words) or (scope_of(words), content_slug(core or words))
    return Found({"scope": scope, "name": joined(name, [scope_in(words)]), "value": value})


def _liking(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    thing = match["thing"].strip()
    if _NOT_A_THING.match(thing) or (
        not thing and not re.search(r"素|斋|清淡|恐高|无肉不欢", match["liking"] + match[0])
    ):
        return
    if re.search(r"(?:去了|看了|吃了|买了|做了)", match[0]) and "习惯" not in match[0]:
        return
    if match["liking"] == "不能" and _NO_MORE_THAN_A_VERB.fullmatch(thing):
        return
    folded = scene.clause.text
    start = match.start() if FILLERS.fullmatch(folded[: match.start()]) else 0
    most = _MOST_LIKED.search(match[0])
    but = _BUT_NOT.search(thing)
    if but is not None:
        place = match.start("thing") + match["thing"].find(thing)
        yield _preference(folded, written(scene, start, place + but.start()), thing[: but.start()])
        refused = written(scene, place + but.start(), len(folded))
        yield _preference(folded, f"我{refused.removeprefix('但').removeprefix('而')}", but["what"])
        return
    core = re.sub(r"^(?:吃|喝|看|听|玩|用|穿|坐|住|去|碰|沾)", "", thing) if most is None else f"最爱{most[1]}"
    if not core.strip("了的啊哦呢 "):
        core = FILLERS.sub("", folded[: match.start()], 1).strip()
        if _NOT_A_THING.match(core):
            return
    if re.search(r"不.{1,12}了$|早就不|戒", folded):
        content, span = rest_of_sentence(scene, start)
        yield Found(_preference(folded, content, core or match[0]).given, span=span)
        return
    yield _preference(folded, written(scene, start, len(folded)), core or match[0])


_NO_MORE_THAN_A_VERB = Expression(r"[吃喝碰用沾](?:了|的|啊|哦|呢)*\s*")
"""What must not be had stands before it: 酒我不能喝."""


def _liking_too(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 讨厌欧式吊灯 after 我喜欢原木风: the user is named once for both."""
    before = scene.before if scene.before in scene.clause.sentence else ""
    if _LIKES.pattern.search(before) is None or whose_is(scene, match.start())[0] != "user":
        return
    thing = match["thing"].strip()
    if len(thing) < _A_WORD or _NOT_A_THING.match(thing):
        return
    value = written(scene, match.start("liking"), len(scene.clause.text))
    yield _preference(scene.clause.text, f"我{value}", thing)


_A_WORD = 2  # characters
_BUT_NOT = Expression(r"(?:但|而)?(?:不(?:太|怎么|大)?(?:喜欢|爱)|讨厌)(?:吃|喝|看|听|玩|用|穿)?(?P<what>[^不]{2,})$")
"""After what is liked, what is not: 喜欢美式不喜欢拿铁."""
_MOST_LIKED = Expression(r"最(?:喜欢|喜爱|爱)([吃喝听])(?!的)")
"""Of what one likes most there is one of a sort, whatever it is."""


_LIKES_TOO = Rule(
    "preference_liking_too", "preferences", each("喜爱厌反受看怕烦"),
    Expression(
        r"^\s*(?:但|但是|不过|而|而且|也|还|却|很|特别|最|尤其|更|非常|比较|真的|超|同时|[,，\s])*"
        r"(?P<liking>(?:不(?:太|怎么|大|是很)?)?(?:喜欢|喜爱|爱(?=[吃喝看听玩用穿住坐]))|讨厌|厌恶|反感|受不了|"
        r"看不惯|怕(?=[冷热辣黑高狗吵])|"
        r"烦(?=.{2}))(?P<thing>[^,，]+)$"
    ),
    _liking_too,
)  # fmt: skip


def _favourite(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 我最喜欢的X是Y: X alone names it, so that another Y comes under the same key."""
    if re.search(r"[吗呢么?？]$|什么|哪|谁", match["value"]) or re.match(r"(?:人|事|东西|时候|地方|是)", match["what"]):
        return
    scope, name = named(match["what"])
    yield Found({"scope": scope, "name": name, "value": written(scene, match.start(), len(scene.clause.text))})


_FAVOURITE = Rule(
    "preference_favourite", "preferences", each("最首"),
    Expression(r"(?<![让给跟问劝逼叫怪猜和他她问])(?:我|俺|本人)(?!们)(?:现在|目前|一直|从小|平时)*(?:最(?:喜欢|"
        r"喜爱|爱|"
        r"钟爱|偏爱|常用|爱用)(?:[吃喝看听玩用穿读])?|首选)的(?P<what>[^,，。是]{1,12}?)(?:现在|目前|一直|还|就|"
        r"已经)*(?:是|变成|"
        r"改成|换成|叫)了?(?P<value>[^,，。]{1,40})"),
    _favourite,
)  # fmt: skip


_LIKES = Rule(
    "preference_liking", "preferences", "般 通 必 都 能 是 喜 爱 偏 钟 酷 讨 厌 反 受 看 惯 习 吃 喝 闻 不 只 就 认 "
        "用 选 忌 怕 晕 恐 烦 无 素 戒 粉",
    Expression(rf"(?<![让给跟问劝逼叫怪猜和他她问])(?:我|俺|本人)(?!们)(?:这个?人|自己|"
        rf"呢)?{_DEGREE}(?P<liking>{_LIKING})(?P<thing>.*)"),
    _liking,
)  # fmt: skip


_LASTING = (
    r"(?:尽量(?=分|列|拆|给|别|不|避|用|选|安排|简|少|短|说|写)|越[^,，]{1,4}越好|(?<![给了完过好])以后|今后|之后|"
    r"往后|日后|将来|下次起|"
    r"从(?:现在|今天|今|此|这周|下周|明天)(?:以后|开始|起)*|每次|每回|"
    r"一律|一概|始终|永远|总是(?=用|先|把|按|以|请|写|加)|默认|凡是|但凡|只要是?|任何(?:时候|情况)|"
    r"无论|不管|所有|全部|统统|通通|全都|都(?=帮我|[要用给请别不写按放标加回带])|长期|平时|[跟和给]我(?:交流|沟通|"
    r"对话|讨论|汇报|聊天?|说话|"
    r"讲话?|"
    r"回复?|解释|推荐|发|写|看)|我的(?:邮件|文档|代码|文章|简历)|"
    r"千万别|千万不要|绝对不|切记|务必|别老|别总|别再|不要再|不要老|不要总|别动不动|记得(?:都|要|用|别)|"
    r"按.{1,10}习惯|规矩|原则|铁律)"
)
_DOING = (
    r"(?:用|别|不要|不用|不必|不准|不许|不得|不能|禁止|请|写|回复?|说|叫|称呼|要|得|必须|按|标|发|放|保持|控制|避免|"
    r"加|改|弄|带|先|只|尽量|优先|推荐|"
    r"安排|列|附|给|直接|简短|简洁|默认|统一|走|换|采用|遵循|省略|跳过|去掉|缩|不超过|以|提醒|帮|转|选|避开|当作?|留)"
)
_NARRATIVE = Expression(
    r"^\s*记着点儿|^(?:我|我们|咱们)(?!.{0,12}(?:的|说|问|叫|让|写|发|跟))|(?<![给跟和替帮对])我(?:们)?(?:会|要|"
    r"想|打算|就|都|每|"
    r"总|一定|也|还|得|是|有|去|再)|[他她它]们?|"
    r"(?:以后|今后|将来|之后)(?:我|会|再说|再聊|想|还|的)|谢谢|加油|[和跟]你|帮助|带来|学习|努力|注意|联系|有(?:空|"
    r"机会)|请多|多多|考虑|尝试|试试|陪|会(?:去|更|好|慢|努力)"
)


def _direction(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    folded = scene.clause.text
    if _NARRATIVE.search(folded) and not re.search(r"[给跟和帮对替让]我|别|不要|一律|我的", folded):
        return
    if _TO_THEM.search(folded) or (_WHENEVER_I.match(folded) and not _TO_YOU.search(folded)):
        return
    content, span = rest_of_sentence(scene, 0)
    yield Found(_preference(folded, content, re.sub(_LASTING, "", folded)).given, span=span)


_WHENEVER_I = Expression(r"^\s*(?:每次|每回)我")
_TO_YOU = Expression(r"[你您请别要得]|给我|一律|默认")
"""What is told of oneself, 每次我写代码, asks for nothing unless it is said of whom."""
_TO_THEM = Expression(
    r"请你(?:吃|喝|玩)|^\s*都[不没]|[给跟对替让把][他她它]|你(?:爸|妈|家|们|老[公婆])|"
    r"^(?:他们|她们|人家|别人|对方|(?:隔壁|别的|其他|另一个?)(?:组|团队|部门|公司))[^,，]{0,4}的?[^,，]{0,4}(?:规范|"
    r"规定|文档|约定|要求|项目)"
)
"""What is done to others is advice to whom one speaks with; what others have laid down is theirs."""
_DIRECTION = Rule(
    "preference_direction", "preferences", "尽 越 以 今 之 往 日 将 从 每 一 始 永 总 默 凡 但 只 任 无 不 所 全 统 "
        "通 都 "
        "长 平 跟 和 给 我 千 绝 切 务 别 记 按 规 原 铁",
    Expression(rf"{_LASTING}.{{0,30}}?{_DOING}.|{_DOING}.{{1,24}}(?:一律|统统|全部|全都|永远|始终|都行|都要)"),
    _direction,
)  # fmt: skip


def _requested(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = re.sub(r"[吗么]?[?？]?\s*$", "", scene.clause.text)
    yield _preference(folded, written(scene, match.start("what"), len(folded)), match["what"])


_REQUESTED = Rule(
    "preference_request", "preferences", "后 次 默 律 直 远",
    Expression(r"(?:能不能|可不可以|可以|能否|能|麻烦|拜托|请)[你您]?(?P<what>(?:以后|今后|之后|往后|每次|默认|一律|"
        r"一直|永远)(?:都|请|就|全|回答|回复|说话|解释|跟我|给我){0,3}.{0,10}?(?:用|别|不要|写|回|说|叫|称呼|给|加|"
        r"按|保持|简短|简洁|先|附|带)..*?)(?:吗|么|嘛)?[?？]?\s*$"),
    _requested, insists=True,
)  # fmt: skip


def _whole(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    folded = scene.clause.text
    if re.search(r"[他她]们|(?:公司|学校|国家|法律|物业)规定|辩论|当初", folded):
        return
    yield _preference(folded, written(scene, 0, len(folded)), folded)


def _refused(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 只喝热水 of the user: said at once, or after what tells of the user."""
    head = scene.clause.sentence.partition(scene.clause.text)[0].strip()
    if (
        "我" in match[0]
        or not _NOT_TAKEN.search(match[0])
        or (whose_is(scene, match.start())[0] == "user" and (not head or "我" in head))
    ):
        yield from _whole(match, scene)


_NOT_TAKEN = Expression(r"不$|只$")
_NOT_DONE = Rule(
    "preference_refusal", "preferences", "都 别 要 绝 坚 只",
    Expression(
        r"(?:^|[^,，我他她你]{1,14})(?:[一半][张个句点条]都)?(?:别|不要|不用|不必|别再|不要再)(?!用了)(?:随便|自动|"
        r"直接|轻易|私自|擅自|"
        r"一?上来就|总|老)?(?:给我|把[^,，这那它]{1,12}?(?:安排|发|放|写|推|排|订|约|定)|发(?:我|到|给)|推给|安排|"
        r"推荐|打电话|抄送|@|提醒|催|碰|订|约|排)(?![这那它])|"
        r"^\s*(?:绝对|坚决|从来|打死都?)不(?=[吃喝坐住买用看穿去接碰抽加])|^[^,，我他她你]{0,6}只(?=[喝吃坐住穿买])"
    ),
    _refused,
)  # fmt: skip
_WHENEVER = Rule(
    "preference_whenever", "preferences", "候 时 话",
    Expression(r"^\s*(?:另外|还有|请|你|以后)*(?![^,，]{0,12}(?:我|他|她|那|小|"
        r"当)[^,，]{0,6}时候?)[^,，他她那当]{1,14}(?:的时候?|的话|(?<![同及小临准按到随当])时)(?:请|你|也|都|就|一定|"
        r"务必|"
        r"尽量|最好|记得|麻烦)*(?:用|别|不要|控制|限制|最多|先|给我|直接|按|避开|优先|附|带上|加上|写|配|多|少|举|"
        r"打|拆|画|说人话)(?P<what>.{2,})"),
    _whole,
)  # fmt: skip

_REPLY = (
    r"(?:你的?|给我的?)?(?:回答|回复|回覆|答复|输出|解释|说话|语气|口吻|文风|用词|措辞|示例|例子|代码|注释|格式|"
    r"排版|日期|单位|邮件|文档|周报|推荐|行程|菜谱|食谱|界面|字体|主题|变量名|函数名|提交信息|commit)"
)


def _reply_style(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    folded = scene.clause.text
    if re.search(r"[这那上下](?:段|篇|封|个|句|版|份|条|面)|刚才|刚刚|一下$|了$|你(?:刚|上次|之前)", folded):
        return
    yield _preference(folded, written(scene, 0, len(folded)), folded)


_STYLE = Rule(
    "preference_style", "preferences", "别 要 请 尽 保 控 用 得 最 一 不 默 少",
    Expression(rf"^\s*(?:还有|另外|对了|请|麻烦|那|就)*{_REPLY}.{{0,6}}?(?:请|尽量|最好|要|得|一定|必须|都|不要|别|"
        rf"控制|保持|用|一律|统一|不用|默认|为)+.{{2,}}|"
               rf"^\s*(?:还有|另外|对了|请|麻烦|求你|求求你|拜托|千万|你)*(?:别|不要|不用|不必|少)(?:再|总是?|"
               rf"老是?|一直|动不动|"
               rf"随便)*(?:跟我|给我|对我|在)?.{{0,10}}(?:用|加|带|发|说|讲|写|推荐|叫|称呼|放|塞).{{0,14}}(?:emoji|"
               rf"表情|感叹号|客套|废话|列表|markdown|表格|英文|缩写|注释|术语|敬语|鸡汤|语气词|打比方|您|标题|代码|"
               rf"例子|结尾|开头|总结|寒暄|成语|网络用语|括号|首字母|行程|广告|餐厅|菜)", re.IGNORECASE),
    _reply_style,
)  # fmt: skip


_FORBIDDEN = Rule(
    "preference_constraint", "preferences", "准 许 禁 严 律 须 得 能 可",
    Expression(r"(?:一律不|不准|不许|严禁|禁止|绝不能|绝对不能|千万不能|任何人都?不能|(?<![舍怪恨巴由免])不得(?!不|"
        r"了|已|劲|而知)|"
        r"(?<=[天周月时后前点晚午期末]|[,，:]|\s)(?:必须|只能|不能|不可以))(?P<rule>.{2,})"),
    _whole,
)  # fmt: skip


def _limit(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = scene.clause.text
    found = _preference(folded, written(scene, 0, len(folded)), match["what"])
    purpose = _FOR.search(folded)
    name = found.given["name"] if purpose is None else content_slug(f"{purpose['of']}预算")
    yield Found({**found.given, "name": name})


_FOR = Expression(
    r"(?:^|[,，。\s]|我们?|我家|这次|今年|每[周月年])的?"
    r"(?P<of>(?!我|咱|这|那|今年|每[周月年]|总|整体|月|年|目前|现在|大概)[\u4e00-\u9fff]{2,4}?)的?预算"
)
"""What a budget is for, where there are several."""


_LIMIT = Rule(
    "preference_limit", "preferences", "限 超 于 多 在 内 下 是 就",
    Expression(r"(?P<what>预算|上限|下限|底线|房租|月租|租金|价格|单价|总价|字数|篇幅|首付|月供|时长|人均|长度|花费|"
        r"开销)[^，,]{0,8}?(?:上限|最多|最高|不(?:要|能|得|可以?)?(?:超过|高于|低于|少于)|别超过?|控制在|限制在|以内|"
        r"封顶|顶多|就|是|在|只有|压到)[^，,]{0,6}?[0-9零一二三四五六七八九十百千万两]+"),
    _limit,
)  # fmt: skip


def _address(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    name = tidy(written(scene, match.start("name"), match.end("name")))
    if re.search(r"[来去起出做吃看]|什么", name) or _AT_A_TIME.search(scene.clause.text[: match.start()]):
        return
    yield Found({"scope": "other", "name": "address", "value": written(scene, 0, len(scene.clause.text))})


_AT_A_TIME = Expression(
    r"点半?$|[点时][0-9一二三四五十]+分?$|[早晚]上$|[上中下]午$|[天周]$|到时候?$|分钟$|的时候$|之?[前后]$"
)
"""Before 叫我 that is to wake or to remind: 每天早上七点叫我背单词."""


_ADDRESS = Rule(
    "preference_address", "preferences", "叫 呼 喊",
    Expression(r"(?<!别)(?<!不要)(?<!不用)(?:叫|称呼|喊|管)我(?:叫)?(?P<name>[^，,我你的了]{1,10}?)(?:就(?:行|好|"
               r"可以|成|"
        r"OK)了?|吧|即可|便好|好了|(?<=.{2})(?=$|[,，]\s*(?:别|不要|不用)))", re.IGNORECASE),
    _address,
)  # fmt: skip


def _rulebook(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    content, span = rest_of_sentence(scene, match.start("what"))
    found = _preference(scene.clause.text, content, match["what"])
    yield Found(found.given, span=span)


_RULEBOOK = Rule(
    "preference_rulebook", "preferences", "规 习 要 偏 原 约",
    Expression(r"(?:规矩|习惯|要求|偏好|原则|约定|规范|约束)(?:是|就是|如下|"
               r"有)?\s*[:：]\s*(?P<what>.{3,})"), _rulebook,
)  # fmt: skip

_ONLY = Rule(
    "preference_only", "preferences", each("只向从概须绝坚"),
    Expression(
        r"(?<![让给跟问劝逼叫怪猜和他她])我(?!们|自己的|的|家)[^,，。他她你]{0,10}?(?:只(?=接受|碰|"
        r"[去写做买住选要])(?!要是|做了|"
        r"买了|去了|写了)|一向|从不|从来不|一概不|必须要有|绝不|坚决不|向来)(?P<what>[^,，。]{2,})"
    ),
    _whole,
)  # fmt: skip


def _not_mentioned(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 别再提我前男友了, 别跟小丹提惊喜派对的事; 别说话 and 别说了 are of now."""
    said = match[0]
    lasts = re.search(r"再|老|总|一直|千万|以后|[跟和对]|面前", said) or re.search(r"叫我|喊我|提醒我|推荐", said)
    if lasts and len(content_slug(said)) >= _NAMES_SOMETHING:
        for found in _whole(match, scene):
            yield replace(found, given={**found.given, "name": content_slug(said)})


_NAMES_SOMETHING = 2
_NOT_MENTIONED = Rule(
    "preference_not_mentioned",
    "preferences",
    "别 要 许",
    Expression(
        r"^\s*(?:请|麻烦|拜托|你|以后|也|千万|,){0,4}(?:别|不要|不许)(?:再|老是?|总是?|一直|[跟和对][^,，]{1,6}|"
        r"在[^,，]{1,6}(?:面前|前)){0,2}"
        r"(?:提起?|说起|聊起?|推荐|提醒我|问我|叫我|喊我|道歉|说)(?P<what>(?!了|吗|呢|错|完|出来|一下|"
        r"太)[^,，。吗呢?？]{0,20})$"
    ),
    _not_mentioned,
    insists=True,
)

PREFERENCES: tuple[Rule, ...] = (
    _NOT_MENTIONED, _REQUESTED, _RULEBOOK, _ADDRESS, _LIMIT, _FAVOURITE, _LIKES, _LIKES_TOO, _ONLY, _FORBIDDEN,
    _DIRECTION, _WHENEVER, _STYLE, _NOT_DONE,
)  # fmt: skip
"""Most specific first."""
