"""What the user tells to be known, in Chinese: requests to remember, facts of the work, procedures, names of parts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.applies import names_all_of
from brain_core.extract.chinese.clauses import each, rest_of_sentence, tidy
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.known import find, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def knowledge(content: str, about: str, kind: str = "fact") -> Found:
    """Return a piece of knowledge; about: the folded words that name it."""
    name = content_slug(_subject(about))
    return Found({"kind": kind, "slug": name if len(name) > 1 else content_slug(fold(content)), "content": content})


def _subject(about: str) -> str:
    """Return what a short "X 是 Y" tells of, so that another Y comes under the same key; else all of it."""
    told = _SUBJECT.match(tidy(about))
    return told[1] if told and len(content_slug(told[1])) > 1 else about


_SUBJECT = Expression(
    r"([^,，。:：]{3,16}?)(?:现在|目前|统一|已经|应该|都|就|[是为:：=]|改成|换成|变成|改为|[跑运]行?在|部署在|监听|\s)+(?=[^,，。]{1,24}$)"
    r"(?:[0-9A-Za-z][^\u4e00-\u9fff,，。]*|[^,，。]{1,12})$"
)


def told_from(scene: Scene, start: int, kind: str = "fact") -> Found:
    """Return a piece of knowledge: what was written from a place in the clause to the end of its sentence."""
    content, span = rest_of_sentence(scene, start)
    told = knowledge(content, scene.clause.text[start:], kind)
    return Found(told.given, span=span)


_ATTRIBUTE = (
    r"(?:端口号?|地址|域名|网址|链接|账号|帐号|用户名|密码策略|版本号?|版本|IP|主机名|网段|路径|目录|仓库|分支|配额|"
    r"限额|上限|时区|编码|频率|周期|(?:营业|上班|下班|开门|关门|发车|开放|会议|例会|发布|门诊|探视|办公|维护)时间|"
    r"负责人|联系人|(?<![通打接完个])电话|手机号?|手机|"
    r"邮箱|邮编|车牌号?|门牌号?|房号|工号|学号|航班号|座位号?|会员号|订单号|编号|型号|尺寸|颜色|流程|步骤|规则|口令|"
    r"暗号|密码|wifi|Wi-Fi|默认值|超时|阈值|保质期|有效期|营业时间|SLA|QPS|内存|容量|主键|字段|格式|前缀|后缀|预算|"
    r"总预算|价格|单价|租金|工期|发薪日|发工资)"
)


def _attribute_fact(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    subject = re.sub(
        r"^(?:.*?(?:纠正一下|更正|说错了|不对|记一下|记住|另外|还有|其实|注意)[,，:：\s]*)?", "", match["subject"]
    )
    about = re.sub(r"的|我们|咱们|这边|那个|那台|这个|应该|现在|目前|\s", "", subject + match["attribute"])
    if (
        len(subject.strip()) < 1
        or re.search(r"[你您他她]|我(?!们|家|司|的|$)|有时|最近|现在|有点|自己", subject)
        or re.search(r"^(?:这|那|它|他|她|你|您|什么|哪)?$", subject.strip())
        or re.search(r"什么|多少|哪|谁", match[0])
    ):
        return
    if re.search(r"^(?:很|太|不|非常|挺|有点|够|没|需要|我|比较)", match["value"]):
        return
    item = find(scene.known, "knowledge", about, 0.75)
    slug = (
        str(value_of(item)["slug"])
        if item is not None
        and re.search(re.escape(match["attribute"]), item.text)
        and names_all_of(fold(item.text), subject)
        else content_slug(about)
    )
    content, span = rest_of_sentence(scene, match.start("subject") + len(match["subject"]) - len(subject))
    yield Found({"kind": "fact", "slug": slug, "content": content}, span=span)


_ATTRIBUTES = Rule(
    "knowledge_attribute", "knowledge", each(
        "口址域网链账帐户码版本I路目仓支额限区编频周时人话机箱牌号型尺色流步规令暗w值阈期S内容段式缀预价租工发Q间"),
    Expression(rf"(?P<subject>[^,，。;；:：]{{1,30}}?)的?(?P<attribute>{_ATTRIBUTE})(?:应该|现在|目前|统一|已经|都|"
        rf"就|固定|一般|暂时|也|只|不)?(?:是|为|叫|在|有|用|:|=|改成|改为|变成|换成|改到|走|贴在|写在|藏在|放在|"
        rf"挂在|存在|"
        rf"\s)\s*(?P<value>[^,，。吗呢]{{1,40}})", re.IGNORECASE),
    _attribute_fact,
)  # fmt: skip

_OURS = (
    r"(?:我们|咱们?|公司|团队|组里|我司|系统|项目|线上|生产|测试|预发|staging|prod|CI|后端|前端|数据库|服务器|"
    r"集群|网关|仓库|接口|VPN|小区|学校|单位|店里|家里)(?:的|里|这边|那边|组|团队|公司|部门|这|用的|家|项目|系统|"
    r"环境|表里|代码里|库里|上面|内部|所有)*"
)
_STATIVE = (
    r"(?:是.{0,14}不是|用的是|都?是(?=[^,，]{2,})|统一(?:用|叫|放|走)|规定|默认(?:是|用|为)?|只(?:支持|有|能|认|允许|"
    r"接受)|不支持|必须|要先|得先|需要先|不能|不允许|要求|依赖|部署在|跑在|托管在|放在|存在|写在|归|由.{1,8}负责|"
    r"走的是|走(?=[A-Za-z\u4e00-\u9fff])|"
    r"满[^,，]{1,8}要|要附|不再支持|保留|留存|有效期|到期|不(?:办公|开门|营业|接待|收费|上班|发货)|限制|最多|上限|"
    r"每(?:天|周|月|年|晚|小时|次|个月|季度).{1,}|内存|分为|分成|连的是|基于|采用|凌晨|的意思是|"
    r"指的是|用(?=[A-Za-z0-9]))"
)


def _ours(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if (
        re.search(
            r"(?:看|去|吃|玩|聊|买|喝|逛|想|觉得|喜欢|打算|计划|准备|希望|决定|希望)(?:了|过|要|去|的是)?|一起|关系|"
            r"感情|朋友|同学|昨天|今天|刚才|最近|[上下这]周|丢|有点|很(?:好|棒|美|多)|可以|会(?!议)",
            text[: match.end()],
        )
        or len(text) < 6
    ):
        return
    if re.search(r"(?:目标|梦想)|第[一二三]|最(?:好|喜欢|大)", text):
        return
    known = _corrected(scene, text)
    yield known or told_from(scene, 0)


def _corrected(scene: Scene, about: str) -> Found | None:
    """Return the new content of what is known, where the user says that it was wrong."""
    if not _CORRECTING.search(scene.clause.sentence) and not _CORRECTING.search(scene.before):
        return None
    item = find(scene.known, "knowledge", _CORRECTING.sub("", about), 0.3)
    if item is None:
        return None
    value = value_of(item)
    content, span = rest_of_sentence(scene, 0)
    return Found({"kind": value.get("kind", "fact"), "slug": value["slug"], "content": content}, span=span)


_CORRECTING = Expression(
    r"说错|搞错|记错|写错|弄错|看错|看串|纠正|更正|不对[,，。]|不是.{1,20}(?:是|而是)|应该是|其实是|有误|旧的|过时|"
    r"改成|换成|改为|升级到|变成"
)
_OUR_FACTS = Rule(
    "knowledge_ours", "knowledge", each("我咱公团组系项线生测预sSpCc后前数服集网仓接V小学单店家"),
    Expression(rf"{_OURS}[^,，。]{{0,20}}?{_STATIVE}", re.IGNORECASE), _ours,
)  # fmt: skip


def _told(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    start = match.end()
    content, _ = rest_of_sentence(scene, start)
    if len(content) < 6 or re.match(r"(?:安全|身体|休息|保暖|一件事$|我|你)", content):
        return
    yield told_from(scene, start, "procedure" if re.search(r"先.{1,30}再|步骤|流程", text) else "fact")


_TOLD = Rule(
    "knowledge_told", "knowledge", each("注意知交补说背提前告明规插供顺fF给跟让"),
    Expression(r"(?:^|[,，。\s])(?:注意(?:一下|了|点)?\s*[:：,，]\s*|先知道一[点下][:：]?\s*|(?:交代|说明|补充|强调|"
        r"同步|科普)(?:一下|一点|个事)?[^,，:：]{0,10}[:：,，]\s*|背景(?:信息)?(?:是|[:：])\s*|前提是\s*|(?:提醒|"
        r"告诉|跟)你(?:说|一下|一声|一句)+[:：,，]?\s*|事实上?是\s*[:：]?\s*|要知道[:：,，]?\s*|(?:提|说|插|"
        r"补)一[句嘴][:：,，]\s*|(?:供你参考|前情提要|顺便(?:说|提)(?:一?[下句嘴])?|fyi|FYI|你知道一下|给你(?:说|讲|"
        r"交代)(?:一?[下声])?|跟你(?:说|讲|交代)(?:一?[下声])?|跟你同步(?:一下)?|让你知道(?:一下)?)[:：,，\s]\s*|"
        r"有一点(?:要|得)?(?:说明|注意|记)[^:：,，]{0,4}[:：,，]\s*|说明(?:一下)?[:：]\s*|规则是[:：]?\s*)"),
    _told,
)  # fmt: skip


def _procedure(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    text = scene.clause.text
    if re.search(r"我(?:先|们?打算|想|要|会|将)|^\s*(?:先|那就?先)|你(?:先|可以|要)|今天|昨天|周末", text):
        return
    yield told_from(scene, 0, "procedure")


_PROCEDURES = Rule(
    "knowledge_procedure", "knowledge", each("先"),
    Expression(r"[^,，。]{2,20}(?:要|得|必须|需要|应该|都是|流程|步骤)[^,，。]{0,6}?先.{1,40}?(?:再|然后|才能|之后)"),
    _procedure,
)  # fmt: skip


def _put_right(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    about = match["what"]
    found = _corrected(scene, about)
    if found is not None:
        yield found
    elif len(about) >= 4 and not re.search(r"^(?:我|你|他|她|这|那)(?:是|不|没|说|刚)", about):
        yield told_from(scene, match.start("what"), "correction")


_PUT_RIGHT = Rule(
    "knowledge_corrected", "knowledge", each("错纠更对应误不"),
    Expression(r"(?:(?:我|你|刚才|刚刚|前面|上面|之前|上次)*(?:说|搞|记|写|弄)(?:的)?错了?|纠正(?:一下)?|"
        r"更正(?:一下)?|^\s*不对|[数算看]错了|说的不(?:太)?(?:准|对)|"
        r"有误)\s*[,，:：。]\s*(?P<what>[^,，。]{1,30}(?:是|为|在|叫|有|用|要|了).*)|"
        r"(?P<what2>[^,，。]{1,20})不是[^,，。]{1,20}[,，]?\s*(?:而?是|应该是).+"),
    lambda match, scene: _put_right(match, scene) if match["what"] else (),
)  # fmt: skip

_THINGS = (
    r"(?:分支|服务|字段|接口|数据|表里|库里|环境|账号|配置|文件|备份|审批|报销|请假|年假|加班|合同|发票|机器|打印机|"
    r"空调|锅炉|垃圾|热线|电视|投影仪|门锁|鱼缸|咖啡机|洗衣机|路由器|热水器|冰箱|烤箱|电梯|门禁|停车|食堂|物业|快递|"
    r"超市|药房|单号|编号|尾号|前缀|客户那边|甲方|药(?=.{0,6}(?:吃|片|次))|系统|版本|证书|密码|"
    r"会议室|班车|仓库|供应商|财务|代码|部署|发布|发版|上线|测试|缓存|日志|集群|节点|脚本|API|token|SDK|域名|DNS|"
    r"端口|镜像|容器|索引|订单|退款|工单|客服|权限|流程|周报|考勤|社保|公积金|签证|护照|图书馆|健身房|泳池|市场|银行|"
    r"邮局|幼儿园|班级|作业|租约|押金|"
    r"CI|CD|git|docker|k8s|runner|main|master|prod|staging|webhook|schema|队列|任务调度|定时任务|爬虫|模型|网盘|"
    r"共享盘|NAS|这(?:台|款|辆|套|把))"
)
_RULED = (
    r"(?:必须|只能|不能(?!说|理解)|不允许|不可以|不得|不支持|不开门|不营业|要先|得先|需要(?=.{2,})|要(?=.{0,}(?:按|"
    r"才|再|先|审批|签字|提前|同意|到|经过|走|按|用|等|同时|一起|加|带|交|付|登记|预约|重启))|才(?:能|会|生效)|"
    r"才生效|都(?:是|存|放|在|用|写|要)|默认|(?:的)?(?:单位|定义|意思|含义)是|"
    r"存在(?=.{2,})|放在|部署在|跑在|挂在|每\s*[0-9一二三四五六七八九十两]*\s*个?(?:天|周|月|年|晚|小时|季度|次)|"
    r"周[一二三四五六日天]收|只有(?=.{2,})|最多|最晚|最迟|上限|由.{1,10}(?:负责|管)|是[^,，]{1,14}不是|归.{1,8}管|"
    r"开到|(?:早上|晚上|下午|凌晨|上午|周[一二三四五六日末]).{0,8}(?:开门|关门|营业|休息|不开|停|重启|备份|自动)|"
    r"限(?:速|流|制|行|购)|超过.{1,10}(?:就|会|要|自动)|保留|一[天周日月][0-9一二三四五两][次回遍顿片粒]|不再支持|"
    r"一礼拜[^,，]{1,4}[次回遍])"
)


def _ruled(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    text = scene.clause.text
    if re.search(
        r"[我你您他她咱](?!们?(?:这|家|公司|小区|组|团队|学校|单位|街))|觉得|感觉|可以[帮再]|今天|昨天|明天|刚才|"
        r"最近|已经|终于|了\s*$|很(?:好|棒|美|多|难|重要)|一定要|应该|想|希望|喜欢|重要|帮",
        text,
    ):
        return
    yield told_from(scene, 0)


_RULES_OF_THINGS = Rule(
    "knowledge_rule", "knowledge", each("必只不要得需才都默单定意存放部跑挂每最上由是归开限超保早晚下凌周"),
    Expression(rf"^[^,，。]{{0,12}}?{_THINGS}[^,，。]{{0,16}}?{_RULED}", re.IGNORECASE), _ruled,
)  # fmt: skip


def _defined(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield told_from(scene, match.start())


_DEFINED = Rule(
    "knowledge_defined", "knowledge", each("指意定代管把口算="),
    Expression(r"(?:我说(?:的)?|我们(?:说|讲|管)(?:的)?|在我们?.{1,8}[,，]?)[^,，。]{1,20}?(?:就?是指|指的就?是|"
        r"的意思(?:就)?是|定义(?:就)?是|意味着|代表)[^,，。]{2,}|(?:我们|咱们?|这行|这边|这儿|圈里|行话|公司|"
        r"组里)[^,，]{0,6}(?:管|把)[^,，]{1,12}叫(?:做|成)?[^,，]{1,12}|"
        r"[“\"「『][^”\"」』]{1,12}[”\"」』](?:的)?(?:口径|定义|意思|标准|算法)?(?:就|其实)?(?:是指|指的?就?是|"
        r"意思是|口径是|定义是|=)[^,，]{2,}|[^,，我你他她]{2,12}(?:的)?(?:口径|定义|"
        r"算法)(?:就)?是[^,，]{2,}"), _defined,
)  # fmt: skip

_ROUTINE = Rule(
    "knowledge_routine", "knowledge", each("每"),
    Expression(
        r"^(?:我们?|咱们?)(?:一般|通常|基本|平时|都|也|还)*每(?:隔?[一两二三]?(?:天|周|月|年|晚|早)|个(?:月|周末|星期|礼拜)|"
        r"(?:周|星期|礼拜)[一二三四五六日天末])(?![^,，]*(?:想|要|得|应该|觉得|打算|希望|怎么|什么|吗|呢|没|不知|学到))[^,，?？]{3,}"
    ), _defined, general=True,
)  # fmt: skip

KNOWLEDGE: tuple[Rule, ...] = (
    _PUT_RIGHT, _ATTRIBUTES, _TOLD, _PROCEDURES, _DEFINED, _OUR_FACTS, _RULES_OF_THINGS, _ROUTINE,
)  # fmt: skip
"""After the types that say more: what is asked to be remembered, then what tells facts; most specific first."""
