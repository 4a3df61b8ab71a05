"""Preferences told in Chinese without a word of liking: rules without exception, loyalties, how things are done."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.chinese.clauses import each, rest_of_sentence, written
from brain_core.extract.chinese.vocabulary import attribute, content_slug, named
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_THEIRS = Expression(
    r"[他她]们?|辩论|每当|学校|老师|老板|领导|公司规定|政府|法律|国家|物业|景区|商家|店家|平台规定|昨[天晚]|刚才|"
    r"上[周次]|了\s*$|^\s*(?:如果|要是)"
)


def _rule(words: str, value: str) -> Found:
    """Return a preference; words: the folded words that name it."""
    scope, name = named(words)
    return Found({"scope": scope, "name": name, "value": value})


def _absolute(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    clause = scene.clause.text
    if _THEIRS.search(clause):
        return
    head = scene.before if scene.before and scene.before in scene.clause.sentence else ""
    if head and re.match(r"\s*(?:凡是?|但凡|只要|所有|任何|无论|不管|不论|跟|和|涉及|关于|遇到|碰到)", head):
        start = -scene.clause.sentence.rfind(clause)
        yield _rule(clause, written(scene, start, len(clause)))
        return
    content, span = rest_of_sentence(scene, 0)
    yield Found(_rule(clause, content).given, span=span)


_ABSOLUTE = Rule(
    "preference_absolute", "preferences", each("律概统通外商雷红底禁死都免准许碰沾行别少甭把将拿当超高多低控压限卡"),
    Expression(
        r"^\s*(?:请|以后|你|麻烦)*(?:别|不要|少|甭)(?:再|总|老)*(?:跟我|对我|给我|冲我)(?:说|讲|用|发|扯|整|来|推|"
        r"拽|堆|列|打)(?!话|笑|玩笑)|(?:把|将|拿|当)我(?:当|看)?[成作]?(?=.{0,12}(?:来|讲|对待|看待|解释|教))|"
        r"(?:别|不要|不能|不得|最好不|控制在|压在|限制在|卡在)(?:要)?(?:超过?|高于|多于|低于|少于|"
        r"越过)?\s*[0-9零一二三四五六七八九十百千万两半]+\s*(?:个|字|句|行|页|块|元|万|千|分钟|小时|点|度|公里|步|"
        r"次|天|人|斤|杯|%|％)?(?:以[内下上]|之内)?|(?:一律|一概|统统|通通|无一例外|没得商量|雷打不动|没有例外|"
        r"概不)|(?:铁律|红线|(?<!比)底线(?!我?定|[^,，]{0,4}[0-9])|禁区|死规矩|死命令|原则问题)|"
        r"(?:什么|啥|谁|哪[儿里个]?|怎么|多[急忙晚大贵])都(?:得|要|必须|只能|不能|不要|别|不许|不准|不行)|"
        r"[^,，我你他她]{2,10}(?:免谈|免了|不碰|不沾|不考虑|不接受)(?=[,，。!！]|$)"
    ),
    _absolute,
)  # fmt: skip

_FAN_OF = (
    r"(?:死忠|铁粉|老粉|真爱粉|脑残粉|重度用户|重度依赖|重度爱好者|资深玩家|(?<=[\u4e00-\u9fffA-Za-z])(?:控|狂魔|"
    r"爱好者|星人|拥趸|信徒|苦手|黑洞|绝缘体)(?=[,，。!！]|$)|"
    r"无[\u4e00-\u9fff]{1,2}不欢|(?:就|只|独)(?:认|服|好这口|吃这套)|认准|非[^,，]{1,8}不(?:可|用|吃|喝|买|看|住|坐)|"
    r"首选|主力(?:是|用|机)|用惯了?|用不惯|离不开|戒不[掉了]|吃不消|受不[了住]|看不得|听不得|见不得|闻不得|"
    r"吃不[了得惯]|喝不[了得惯]|沾不得|碰不得|"
    r"(?:一[看见听闻吃喝]到?|一碰)[^,，]{1,10}就(?:烦|头疼|恶心|犯困|想吐|晕|难受|拉肚子|胃疼|过敏|来气|上火|起疹子)|"
    r"(?:对|跟)[^,，]{1,10}(?:无感|没兴趣|不感冒|没好感|情有独钟|没抵抗力|上瘾|犯怵)|不好(?:这口|那口)|(?:用|看|"
    r"听|穿|坐|写|读)着(?:更|最|才|比较|就|都)*(?:顺手|舒服|顺眼|踏实|带劲|习惯|累|费劲|头大|难受|别扭|膈应|眼花)|"
    r"能(?:不)?[^,，]{1,6}就(?:不)?[^,，能]{1,6}$|(?<=我)(?:最|特|超|真|就|特别|向来|一向)*(?:烦|嫌|忌讳|讲究|"
    r"倾向于?|偏向|稀罕|不待见|拒绝)[^,，了]{2,}|(?<=[\u4e00-\u9fff])只(?=[看走坐吃喝用买住听穿收])(?!看到|"
    r"看见)[^,，了]{3,}|宁[可愿肯][^,，]{2,}|(?<!要)(?<!能)不(?:碰|沾|抽)[^,，了吗]{1,8}$)"
)


def _loyal(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    clause = scene.clause.text
    if re.search(
        r"[你您他她]|客户|用户|孩子|这[次种样个人]|那[次种样个人]|[?？吗]\s*$|压力|加班|天气|老板|领导|"
        r"同事|(?:身[体子]|[体精]力|[腰腿人]|膝盖|钱包|经济)(?:上|都|也|有点|真|真的|实在|快|会|要)*(?:吃不消|受不[了住])",
        clause,
    ):
        return
    if _RATHER.match(scene.before) and scene.before in scene.clause.sentence and _RATHER.match(clause) is None:
        return  # why one would rather
    yield _rule(clause, written(scene, 0, len(clause)))


def _rather(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 宁肯多花半天坐高铁，我也不上飞机: both halves say what one wants, together."""
    clause = scene.clause.text
    if _THEIRS.search(clause):
        return
    other = _NOT_THAT.match(scene.message, scene.clause.start + len(clause))
    if other is None and "我" not in clause:
        return
    stop = len(clause) if other is None else other.end() - scene.clause.start
    value = written(scene, match.start(), stop)
    yield replace(
        _rule(f"{match['what']}{other['not'] if other is not None else ''}", value), span=(match.start(), stop)
    )


_NOT_THAT = Expression(r"[,，]?\s*(?:我|咱)?(?:们)?(?:也|都)(?P<not>(?:不|别|绝不|要|得)[^,，。!！?？;；\n]{1,20})")
_RATHER = Expression(r"^\s*(?:我|咱)?(?:们)?(?:就|是|一直|一向|都|自己)*宁(?:可|愿|肯)(?P<what>[^,，]{2,})")
_WOULD_RATHER = Rule("preference_rather", "preferences", each("宁"), _RATHER, _rather)

_LOYAL = Rule(
    "preference_loyal", "preferences", each(
        "只忠粉度控魔者人控趸徒手洞体欢认服准非选主惯离戒受得住了对跟好宁就着能烦嫌忌讲倾偏稀待拒不"),
    Expression(rf"(?:(?:我|俺|本人|咱)(?!们)[^,，]{{0,16}}?|^[^,，我你他她]{{0,12}}?){_FAN_OF}"), _loyal,
)  # fmt: skip

_THING = (
    r"(?:单元测试|集成测试|回答|回复|回覆|答复|输出|解释|说话|讲话|语气|口吻|文风|用词|措辞|示例|例子|举例|代码|"
    r"注释|格式|排版|日期|时间|金额|数字|数据|单位|温度|价格|"
    r"邮件|信|文档|周报|报告|总结|摘要|推荐|行程|路线|酒店|航班|机票|车票|座位|菜谱|食谱|菜单|餐厅|口味|界面|介面|"
    r"字体|主题|菜单|图表|图|表格|表|列表|"
    r"变量名?|函数名?|类名|命名|缩进|错误|异常|报错|日志|测试|单测|接口|提交信息|提交|commit|分支|依赖|类型|引号|"
    r"分号|换行|标题|段落|结尾|开头|落款|署名|称呼|抬头|"
    r"标点|翻译|译文|术语|人名|教程|教操作|操作|步骤|讲解|提醒|闹钟|通知|会议|日程|汇率|货币|SQL|IDE|编辑器|"
    r"浏览器|快捷键|模式|语言|字幕|歌单|书单|链接|图片|文案|题目|作业)"
)
_DIRECTED = (
    r"(?:(?:请|都|就|全|要|得|一定|务必|尽量|最好|统一|默认|固定|直接|优先|只|麻烦|帮我|给我|幫我)*"
    r"(?:别|不要|不用|不必|少|用|按照?|写成?|放(?:在|到)?|标|控制|保持|改[成用]|换[成用]|调[成到]|设[成为]|"
    r"切[成到]|弄成|固定[成在]|选|加上?|带上?|附上?|留|省略|去掉|避开|走|以|精确到|保留|往上抛|列出?来?)|"
    r"(?:统一|默认|固定|优先|只要|越[^,，]{1,3}越好|最好|尽量))"
)


def _directed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    clause = scene.clause.text
    if _THEIRS.search(clause) or re.search(
        r"[这那上下刚](?:段|篇|封|个|句|版|份|条|面|张|次|趟|才)|一下\s*$|我(?:用|写|按|改|换|加|在|先|想|要|得|"
        r"会|把)|我们(?:用|在|都|改|换)|已经|正在|出错|怎么|的话题",
        clause,
    ):
        return
    sure = attribute(clause) is not None or re.search(
        r"以后|每次|都|统一|默认|一律|尽量|别|不要|不用|就按|"
        r"只",
        clause,
    )
    if sure:
        yield _rule(clause, written(scene, match.start(), len(clause)))


_DIRECTED_THING = Rule(
    "preference_directed", "preferences", each(
        "别要用必少按写放标控保改换调设切弄固选加带附留省去避走以精抛列统默优只越尽"),
    Expression(
        rf"^\s*(?:嗯|还有|另外|对了|请|麻烦|那|就|你的?|您的?|给我的?|以后|今后|往后|每次|凡是|所有|跟我|写|"
        rf"教|做|发|排|,|，|\s)*"
        rf"{_THING}(?:这块|方面|里面?|上|中|的话|的时候|时|也|呢|部分|那块|后面|前面|类的|\s)*(?:[^,，我他她]|"
        rf"[给帮]我){{0,8}}?{_DIRECTED}(?![的了过例户途]).{{1,}}", re.IGNORECASE,
    ),
    _directed,
)  # fmt: skip

_KIN = (
    r"(?:老婆|老公|媳妇儿?|妻子|丈夫|爱人|对象|女朋友|男朋友|女友|男友|女儿|闺女|儿子|孩子|娃|宝宝|老大|老二|"
    r"爸妈?|妈妈?|爸爸|母亲|父亲|爷爷|奶奶|外公|外婆|姥姥|姥爷|"
    r"公公|婆婆|岳父|岳母|丈母娘|老丈人|姐姐?|妹妹?|哥哥?|弟弟?|室友|猫|狗)"
)


def _kin_habit(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    clause = scene.clause.text
    if re.search(r"今[天晚早]|昨|不吃(?:了|饭)|[你您]|最近|这[次几顿]", clause):
        return
    content = written(scene, match.start(), len(clause))
    yield Found({"kind": "fact", "slug": content_slug(match["who"] + match["what"]), "content": content})


_KIN_HABITS = Rule(
    "knowledge_kin", "knowledge", each("不只素斋码尺血糖敏型忌高重学戴怕"),
    Expression(
        rf"^\s*(?:还有|另外|对了|其实|还|,)*我?(?:们)?家?(?:的)?(?P<who>{_KIN})(?:现在|从来|一直|从小|也|都|是|"
        rf"这人|平时|天生|的)*"
        r"(?P<what>(?:不(?:能)?(?:吃|喝|碰|沾|用)|只(?:吃|喝|用|穿)|吃素|吃斋|忌口|怕(?=[辣冷热黑高水狗猫酸])|"
        r"戴(?=眼镜|助听|牙套|假牙)|"
        r"(?:鞋码|鞋号|尺码|衣服|裤子|身高|体重|血型|腰围|三围|学号|生肖|星座)\s*(?:是|穿|为|"
        r"要穿)?\s*(?=[0-9A-Za-z一二三四五六七八九]))[^,，]{1,})"
    ),
    _kin_habit,
)  # fmt: skip

HABITS: tuple[Rule, ...] = (_WOULD_RATHER, _ABSOLUTE, _DIRECTED_THING, _LOYAL)
"""After the preferences that are named as such."""
KIN: tuple[Rule, ...] = (_KIN_HABITS,)
"""What those near to the user eat, wear and bear."""
