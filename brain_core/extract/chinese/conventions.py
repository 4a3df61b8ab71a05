"""How code is to be written and a project run, in Chinese: 这个项目用 pnpm，不要用 npm; 改完代码要跑 lint.

Said of a whole sort of things, or at every occasion of a sort: what is asked of the thing at hand teaches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.chinese.clauses import each, rest_of_sentence, written
from brain_core.extract.chinese.vocabulary import attribute, content_slug, named, scope_of
from brain_core.extract.developing import TOOL
from brain_core.extract.known import find, value_of
from brain_core.extract.language import MASK, Found, Rule, Scene
from brain_core.extract.scopes import joined, scope_in
from brain_core.text.expression import Expression
from brain_core.text.script import fold


def _is_of_the_moment(scene: Scene) -> bool:
    sentence = scene.clause.sentence
    return MASK in scene.clause.text or _AT_HAND.search(sentence) is not None


_AT_HAND = Expression(
    r"[?？]|[吗么呢]\s*$|这(?:[次回个段行条里]|一[次步])(?!项目|仓库|工程|代码库|repo)|那[次个段行]|刚[才刚]|"
    r"今[天晚早]|明[天早]|后天|"
    r"暂时|临时(?!查询|脚本|文件|表)|先(?!跑|看|问|写|建|拉|备份|执行|过|走|让|经|给我|提|在)|一下|帮我|给我(?=装|"
    r"写|跑|改|加|查)|试试|试一[试下]|能不能|可不可以|要不要|是不是|是否|"
    r"如果|要是|假如|可能|也许|好像|想|打算|准备|考虑|建议|以前|之前的?公司|上家|前公司|曾经|原来|"
    r"他们|人家|别人|对方|[他她]|(?:朋友|同事|同学|客户|老板|网上)[^,，]{0,4}(?:说|项目|公司|用|写)|文档(?:里|"
    r"上)?(?:说|写)|教程|规范(?:里|上)?(?:说|写)|"
    r"为什么|怎么|什么|哪[个里种]|谁|坏了|报错|失败|没过|卡住|用不了|不了$"
)
"""Says that a wish is for now, whose it is besides, or that it is a question."""


def _wish(scene: Scene, start: int, stop: int, name: str = "") -> Found:
    value, text = (
        written(scene, start, stop),
        fold(scene.message[scene.clause.start + start : scene.clause.start + stop]),
    )
    scope, key = named(text)
    return Found(
        {"scope": scope, "name": name or joined(key, [scope_in(text)] if attribute(text) else []), "value": value},
        span=(0, max(stop, len(scene.clause.text))),
    )


def _wished(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read a wish to the end of its sentence."""
    if not _is_of_the_moment(scene):
        _, span = rest_of_sentence(scene, 0)
        yield _wish(scene, 0, span[1])


def _not_that(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 这个项目用 pnpm，不要用 npm: what is used, and what in its place is not."""
    content, _ = rest_of_sentence(scene, 0)
    if _USES_NOT.match(fold(content)):
        yield from _wished(match, scene)


def _not_without(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 未经我确认，不要重启线上服务."""
    content, _ = rest_of_sentence(scene, 0)
    if _FORBIDS.search(fold(content)):
        yield from _wished(match, scene)


def _uses(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 单测用 Vitest，端到端用 Playwright: what is used for what, and what else the sentence says of it."""
    if not _is_of_the_moment(scene):
        _, span = rest_of_sentence(scene, 0)
        wish = _wish(scene, 0, span[1], f"{content_slug(match['what'])}_tool")
        yield replace(wish, given={**wish.given, "scope": "tools"})


def _but(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 回答简短一点，但讲设计的时候可以详细说: what has an exception is said once for all."""
    content, span = rest_of_sentence(scene, 0)
    if _EXCEPTION.search(fold(content)) and not _is_of_the_moment(scene):
        yield _wish(scene, 0, span[1], named(match[0])[1])


def _except_for(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read 除了测试，代码里不许出现 unwrap with what is excepted in the clause before."""
    before = -len(scene.before) - 1
    text = scene.clause.sentence
    if (
        _EXCEPTED.match(scene.before)
        and text[: max(text.find(scene.clause.text), 0)].rstrip(" ,，").endswith(scene.before.rstrip())
        and not _is_of_the_moment(scene)
    ):
        yield _wish(scene, before, len(scene.clause.text), content_slug(scene.clause.text))


def _at_most(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 不要超过 50 个字符 of what the clause before is about: 提交信息用英文写."""
    about = _SORT.search(scene.before) if scene.before and scene.before in scene.clause.sentence else None
    if about is not None and not _is_of_the_moment(scene):
        value = f"{about[0]}{written(scene, match.start(), len(scene.clause.text))}"
        scope, name = attribute(about[0]) or (scope_of(about[0]), content_slug(about[0]))
        yield Found({"scope": scope, "name": f"{name}_length", "value": value})


def _allowed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 临时查询可以用 select * as an exception to a wish that is known of the same thing."""
    if _is_of_the_moment(scene):
        return
    known = find(scene.known, "preferences", match["what"], _MOST)
    if known is not None and known.source_message_id != scene.message_id:
        value = value_of(known)
        told = written(scene, 0, len(scene.clause.text))
        if _FORBIDS.search(fold(value["value"])) and told not in value["value"]:
            yield Found({"scope": value["scope"], "name": value["name"], "value": f"{value['value']}；{told}"})


def _excepted(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read 不要用 select *，临时查询除外."""
    content, span = rest_of_sentence(scene, 0)
    if _LEFT_OUT.search(fold(content)) and not _is_of_the_moment(scene):
        yield _wish(scene, 0, span[1], content_slug(scene.clause.text))


_LEFT_OUT = Expression(r"[,，]\s*[^,，]{1,12}(?:除外|例外|另说|不算)\s*$|[,，]\s*除非[^,，]{2,}$")
_MOST = 0.6
"""Share of the words for a thing that a wish must have to be of it."""
_FORBIDS = Expression(r"不[要用许准能]|别|禁止|严禁|除")
_EXCEPTION = Expression(
    r"[,，]\s*(?:但是?|不过|只有|除非|除了|就是)?[^,，]{0,16}?(?:的时候|时|的话|除外|例外|另说)|[,，]\s*(?:除非|除了)"
)
_EXCEPTED = Expression(r"\s*(?:除了?|除开)[^,，]{1,16}?(?:以外|之外|外)?\s*$")
_SORT = Expression(
    r"提交信息|提交说明|commit ?(?:message|信息)?|分支名?|PR ?标题|标题|函数|方法|文件|单个文件|每行|一行|类|变量名|"
    r"描述|注释|日志|"
    r"接口|单次查询|邮件|周报|文档|摘要",
    re.IGNORECASE,
)
_LATIN = r"[A-Za-z][\w.+#@/-]*(?: [A-Za-z0-9][\w.+#-]*){0,2}"
_OURS = (
    r"(?:(?:我们?|咱们|公司|团队|组里)的?)?(?:这个|本|整个)?(?:项目|仓库|代码库|工程|repo|团队|前端|后端|服务|组里|"
    r"公司|monorepo|代码)"
    r"(?:里面?|这边|都|统一|一律|一直|只|是|的|全)*|(?:我们|咱们|团队)(?:这边|都|统一|一律|一直|只|全)*"
)
_END = r"[\s。！!.;；]*$"
_FIRST = r"^\s*(?:对了|另外|还有|记住|注意|请|麻烦|以后|那|[,，\s])*"
_NOT = r"(?:别|不要|不许|不准|禁止|不)(?:再|去)?(?:用|使用|装|写|跑|碰)?"
_USES_NOT = Expression(
    rf"{_FIRST}(?:(?:{_OURS})\s*(?:用|使用|走)(?:的是|的)?\s*{_LATIN}\s*[,，;；]\s*{_NOT}\s*[A-Za-z].*|"
    rf"(?:请|统一|一律)?(?:用|使用)\s*{TOOL}\s*[,，;；]?\s*{_NOT}\s*{TOOL}\s*(?:了)?[。！!]?$)",
    re.IGNORECASE,
)
_AREA = (
    r"(?:部署|发布|构建|打包|格式化|代码格式|代码检查|静态检查|类型检查|日志|监控|告警|缓存|消息队列|队列|数据库|"
    r"ORM|数仓|报表|看板|"
    r"端到端测试|端到端|e2e|单元测试|单测|集成测试|接口测试|压测|测试|mock|CI|CD|CI/CD|lint|包管理|依赖管理|"
    r"版本管理|接口文档|文档|"
    r"容器|编排|认证|鉴权|网关|搜索|任务队列|任务调度|调度|定时任务|状态管理|样式|组件库|前端|后端|移动端|客户端|"
    r"脚本|配置中心|注册中心|"
    r"对象存储|存储|时间处理|日期处理|错误处理|参数校验|表单校验|请求库|网络请求|图表|国际化|埋点|迁移|数据库迁移|"
    r"密钥管理|基础设施)"
)
_THINGS = (
    r"(?:测试|测试文件|测试代码|用例|配置|配置文件|常量|枚举|类型定义|组件|工具函数|脚本|文档|迁移|迁移脚本|样式|"
    r"接口定义|密钥|"
    r"环境变量|图片|静态资源|路由|模型|日志|翻译|文案|SQL|sql|migration|变更记录|更新日志|变更日志|"
    r"changelog)(?:文件|代码)?"
)
_OCCASION = (
    r"(?:(?:改|写|修|加|动|提交|合并|合|推|push|提|发|发布|发版|上线|部署|重构|删|升级|回滚)(?:完|了|过)?(?:代码|"
    r"功能|接口|依赖|分支|PR|"
    r"MR|commit|版本|版|库|表|数据|数据库|表结构|配置|新功能|新接口)?(?:之前|以前|前|之后|以后|后|完|的时候|"
    r"时)(?:都|一定|务必)?"
    r"(?:要|得|必须|需要|先|记得|都要)+|"
    r"(?:改|写|修)完(?:代码|功能|接口)?(?:之后|后)?(?:都)?(?:要|得|必须|记得)|"
    r"每(?:个|次|一个|一次)\s*(?:PR|MR|提交|commit|接口|函数|改动|发版|上线|合并|迁移|表|模块|服务|版本)\s*(?:都|之?前|"
    r"之?后)*(?:要|得|必须)|"
    r"写(?:脚本|测试|单测|SQL|sql|接口|文档|注释|组件|迁移|迁移脚本|代码|shell)(?:的时候|时)?都(?:要|得|加上?|用|"
    r"带上?|写))"
)

CONVENTIONS: tuple[Rule, ...] = (
    Rule("uses_not", "preferences", each("用使走"), Expression(
        rf"{_FIRST}(?:(?:{_OURS})\s*(?:用|使用|走)|(?:请|统一|一律)?(?:用|使用)\s*{TOOL})", re.IGNORECASE),
        _not_that, vital=True),
    Rule("not_without_me", "preferences", each("同允批确点"), Expression(
        rf"{_FIRST}(?:没有?|未经?|不经过?|未得到)(?:经过?)?我(?:的)?(?:同意|允许|批准|确认|点头)(?:之前|前)?\s*"
        r"(?:$|(?:都|绝对|千万|一律)*(?:不要|别|不许|不准|不能|不得|禁止)[^,，]{2,})"), _not_without, vital=True),
    Rule("done_at_each", "preferences", each("前后完时都要得须"), Expression(
        rf"{_FIRST}(?:你|代码)?{_OCCASION}(?!到时)[^,，]{{1,}}", re.IGNORECASE), _wished, vital=True),
    Rule("used_for", "preferences", each("用"), Expression(
        rf"{_FIRST}(?:(?:我们|咱们|项目|团队)(?:的|里)?)?(?P<what>{_AREA})(?:这边|都|统一|一律|现在|只|全)*(?:用|"
        rf"使用)(?:的是|的|是)?\s*"
        rf"(?P<tool>{_LATIN})(?:\s*(?:写|做|跑|管理|部署|来做))?(?:的)?{_END}", re.IGNORECASE), _uses, vital=True),
    Rule("things_go", "preferences", each("放写建存"), Expression(
        rf"{_FIRST}{_THINGS}(?:都|统一|一律|要|必须|得|应该|全部|只能)*(?:(?:和|跟)[^,，]{{1,10}}放(?:在)?一起|"
        rf"(?:放|写|存|建)(?:在|到)\s*"
        rf"[A-Za-z./~][\w./~-]*[^,，了]{{0,8}}){_END}", re.IGNORECASE), _wished, vital=True),
    Rule("named_so", "preferences", each("头尾名缀"), Expression(
        rf"{_FIRST}[^,，我你他她这那]{{2,10}}?(?:都|统一|一律|必须|要|得)+(?:以|用|按)\s*[A-Za-z_.-][\w.-]*\s*"
        rf"(?:开头|结尾|命名|[作做为]前缀|[作做为]后缀){_END}"), _wished, vital=True),
    Rule("manner_but", "preferences", each("简短详细精"), Expression(
        rf"{_FIRST}(?:你的?)?(?:回答|回复|解释|说明|总结|输出|注释)(?:要|得|请|尽量|都|写|说)*(?:简短|简洁|精简|短|"
        rf"详细|简单)(?:一?[点些])?{_END}"),
        _but, vital=True),
    Rule("forbidden_but", "preferences", each("别要许准禁"), Expression(
        rf"{_FIRST}(?:代码里|项目里|SQL ?里)?(?:不要|别|不许|不准|禁止)(?:用|写|使用|出现|直接用|加|"
        rf"建)\s*[^,，]{{2,24}}{_END}"),
        _excepted, vital=True),
    Rule("except_for", "preferences", each("别要许准禁须得律都"), Expression(
        r"^[^,，]{0,12}?(?:不许|不准|不要|别|禁止|不能|不得|必须|一律|都要|都得|全都|都用)[^,，]{2,}$"),
        _except_for, vital=True),
    Rule("at_most", "preferences", each("超多内过"), Expression(
        rf"^\s*(?:也|都|每条|最好|尽量)*(?:不要超过|不能超过|别超过|不超过|不得超过|最多|控制在|"
        rf"限制在)\s*[0-9一二两三四五六七八九十百千]+\s*个?(?:字符|字|行|词)(?:以内|"
        rf"之内)?{_END}"),
        _at_most, vital=True),
    Rule("allowed_for", "preferences", each("可允行无"), Expression(
        rf"{_FIRST}(?:但|不过|但是)?[^,，我你]{{2,12}}?(?:可以|允许|能)(?:用|写|使用|"
        rf"有)\s*(?P<what>[^,，]{{2,20}}?)\s*(?:的)?{_END}"),
        _allowed, vital=True),
)  # fmt: skip
