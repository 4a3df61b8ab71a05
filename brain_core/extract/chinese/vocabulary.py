"""Canonical names: what Chinese words are called in keys, the same as the English rules call it."""

from __future__ import annotations

import re

from brain_core.extract.applies import applied_to
from brain_core.extract.scopes import joined
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

# What a preference is about → (scope, name). The first that is found in the words names it.
_ATTRIBUTES: tuple[tuple[str, str, Expression], ...] = tuple(
    (scope, name, Expression(pattern, re.IGNORECASE))
    for scope, name, pattern in (
        ("ui", "theme", r"(?:深色|暗色|浅色|亮色|黑色|夜间|白天)(?:的)?(?:模式|主题|界面|背景)|主题色|dark ?mode|"
            r"light ?mode|[弄调换改用]成?(?:深|浅|暗)色"),
        ("ui", "font_size", r"字号|字体(?:要|调|放|大|小)|大字"),
        ("ui", "language", r"[界介]面.{0,8}(?:中文|英文|语言|繁体|简体)"),
        ("coding", "indentation", r"缩进|空格还是|tab ?键|\btabs?\b|个空格"),
        ("coding", "naming", r"变量名|函数名|命名|snake_?case|camel_?case|驼峰|下划线"),
        ("coding", "comments", r"注释"),
        ("coding", "types", r"类型(?:注解|标注|提示)|type ?hints?"),
        ("coding", "tests", r"单元测试|单测|测试用例|写测试"),
        ("coding", "commit_messages", r"commit|提交信息|提交说明"),
        ("coding", "language", r"(?:代码|脚本|示例|例子|后端|前端|写).{0,8}(?:python|java|typescript|javascript|"
            r"golang|\bgo\b|rust|kotlin|c\+\+)"),
        ("tools", "editor", r"编辑器|\bvim\b|neovim|\bhelix\b|emacs|vs ?code|jetbrains|\bide\b"),
        ("tools", "browser", r"浏览器|chrome|firefox|safari"),
        ("tools", "shell", r"\bzsh\b|\bfish\b|\bbash\b|终端"),
        ("tools", "package_manager", r"\bpnpm\b|\bnpm\b|\byarn\b|\bpip\b|\bpoetry\b|\buv\b|包管理"),
        ("other", "address", r"(?:叫|称呼|喊)(?:我|全名|小名|昵称)|被(?:叫|称)|您|尊称|敬语"),
        ("writing", "emojis", r"表情|emoji|颜文字"),
        ("writing", "language", r"(?:用|说|写|讲|换|切|回复?|答|成)\S{0,4}(?:中文|英文|英语|汉语|普通话|粤语|日语|"
            r"日文|法语|德语|俄语|韩语|简体|繁体)|双语|(?:看|读|写)(?:繁体|简体)"),
        ("writing", "answer_length", r"字以内|字以下|不(?:要)?超过.{1,6}字|[0-9百千两三五]+字|简短|简洁|精简|"
                                     r"详细|详尽|短一点|短点|"
            r"啰嗦|废话|长篇|太长|言简意赅|一句话|几句话|别超过.{1,6}(?:字|句|行)|(?:先|直接)(?:给|说|上)(?:我)?结论|"
            r"客套|寒暄|铺垫|开场白"),
        ("writing", "format", r"列表|表格|分点|要点|markdown|条目|段落|排版|格式|编号|加粗|标题|bullet"),
        ("writing", "tone", r"语气|口吻|口气|正式|随意|客气|亲切|幽默|委婉|直接(?:一?点|说)|官腔|鸡汤|文风|"
            r"(?:回[答复覆]|答复|写作|说话|文字|表达|沟通|行文)\S{0,3}风格|撒娇|"
            r"卖萌|严肃|口语|大白话|通俗"),
        ("writing", "spelling", r"拼写"),
        ("writing", "punctuation", r"感叹号|标点|全角|半角|破折号|逗号|句号"),
        ("writing", "examples", r"(?:举|给|带|加).{0,4}例子|示例"),
        ("writing", "sources", r"出处|来源|引用|参考链接"),
        ("other", "units", r"公制|英制|摄氏|华氏|公里|英里|公斤|磅"),
        ("other", "currency", r"人民币|美元|欧元|日元|台币|新台币|港币"),
        ("writing", "date_format", r"日期(?:格式|写|用|统一)|年月日"),
        ("writing", "time_format", r"(?:24|12|二十四|十二) ?小时制"),
        ("other", "diet", r"吃素|素食|纯素|吃斋|清真|生酮|无肉不欢|vegan|vegetarian|荤"),
        ("other", "budget", r"预算"),
        ("other", "rent", r"房租|月租|租金"),
        ("other", "seat", r"靠窗|靠走道|靠过道|座位"),
    )
)  # fmt: skip

_CODE = Expression(
    r"代码|函数|变量|接口|编程|python|java|rust|\bsql\b|\bapi\b|dict|\bgit\b|测试|(?<![仓车水冰国书题金宝])库|框架|"
    r"类型(?:注解|标注|提示|检查|推断)|import|异常|代碼",
    re.IGNORECASE,
)
_WRITING = Expression(
    r"回答|回复|回覆|答复|解释|说话|聊天|写作|文案|文章|邮件|总结|摘要|报告|翻译|文档|用词|措辞|跟我(?:说|讲)|周报"
)
_TOOLS = Expression(
    r"工具|软件|\bapp\b|编辑器|浏览器|终端|快捷键|插件|系统|笔记本|mac\b|windows|linux|docker|notion|excel",
    re.IGNORECASE,
)
_UI = Expression(r"界面|主题|字体|配色|颜色模式|布局|侧边栏|图标")

# What a decision is about, told from what was chosen.
_TOPICS: tuple[tuple[str, Expression], ...] = tuple(
    (topic, Expression(pattern, re.IGNORECASE))
    for topic, pattern in (
        ("database", r"数据库|postgres|mysql|mongo|sqlite|oracle|mariadb|clickhouse|tidb"),
        ("cache", r"缓存|redis|memcached"),
        ("message_queue", r"消息队列|kafka|rabbitmq|rocketmq|pulsar"),
        ("repository_layout", r"monorepo|multi-?repo|单仓|多仓"),
        ("frontend_framework", r"前端框架|\breact\b|\bvue\b|angular|svelte|next\.?js"),
        ("programming_language", r"编程语言|golang|typescript|\brust\b|\bkotlin\b|\bjava\b"),
        ("cloud", r"阿里云|腾讯云|华为云|\baws\b|azure|\bgcp\b|上云"),
        ("ci", r"\bci\b|jenkins|github actions|gitlab"),
    )
)  # fmt: skip

_FILLER = Expression(
    r"了一下|一下|一直|我们|咱们|自己|这个|那个|这些|那些|比较|特别|非常|应该|现在|其实|目前|记得|还是|就是|一定|"
    r"已经|把|给|得|要|"
    r"需要|必须|去|的|了|我|你|您|也|都|就|还|很|挺|最|更|再|先|啊|哦|呢|吧|哈|啦|喔|嘛|呀|\ufffc"
)
_LONGEST_SLUG = 32


def attribute(words: str) -> tuple[str, str] | None:
    """Return (scope, name) of the known attribute that a preference is about, or None. Words are folded."""
    return next(((scope, name) for scope, name, pattern in _ATTRIBUTES if pattern.search(words)), None)


def named(words: str) -> tuple[str, str]:
    """Return (scope, name) of a preference: its attribute, else its words, and to what it applies. Words are folded."""
    return named_attribute(words) or (scope_of(words), content_slug(words))


def named_attribute(words: str) -> tuple[str, str] | None:
    """Return (scope, name) of a preference on a known attribute, with what it applies to; None for another."""
    known = attribute(words)
    if known is None:
        return None
    scope, name = known
    return scope, joined(name, [applied_to(words) if name in _OF_MANY else _side_of(name, words)])


_OF_MANY = frozenset(
    {"indentation", "naming", "language", "answer_length", "format", "tone", "spelling", "date_format"}
)
"""Attributes that things of many sorts have, each a value of its own."""


def _side_of(name: str, words: str) -> str:
    """Return which side of a thing is told besides its language, as a part of a key."""
    if name not in ("comments", "commit_messages") or _A_LANGUAGE.search(words):
        return ""
    return next((side for side, told in _SIDES if told.search(words)), "")


_A_LANGUAGE = Expression(r"[中英日法德俄韩汉]文|[英日法德俄韩汉]语|双语")
_SIDES = (
    ("length", Expression(r"[0-9一二三四五六七八九十百]+ ?[个]?[字行句]|[长短]|简[短洁要]|精简|详细|啰嗦")),
    (
        "amount",
        Expression(
            r"[多少](?:写|加|来|放|点|一些|一点)|(?:写|加)[多少]|(?:别|不要|不用|不必|每|都要|必须)(?:有|写|加|带)?"
        ),
    ),
    ("place", Expression(r"写在|放在|放到|上面|上方|后面|行尾|行末|[开]头")),
    ("form", Expression(r"格式|规范|风格|conventional|前缀|动词|时态|标点|emoji|表情|jsdoc|docstring", re.IGNORECASE)),
)


def scope_of(words: str) -> str:
    """Return the scope of a preference whose attribute is not known."""
    for scope, pattern in (("ui", _UI), ("coding", _CODE), ("writing", _WRITING), ("tools", _TOOLS)):
        if pattern.search(words):
            return scope
    return "other"


def topic_of(words: str) -> str:
    """Return what a decision is about: a known topic, else the slug of its words."""
    return next((topic for topic, pattern in _TOPICS if pattern.search(words)), "") or content_slug(words)


def content_slug(words: str) -> str:
    """Return the content characters of folded words as a part of a key, at most 32 of them."""
    return slug(_FILLER.sub(" ", words), _LONGEST_SLUG).replace("_", "") or slug(words, _LONGEST_SLUG) or "untitled"


CALLED = Expression(
    r"我们?叫(?:[了过上到个人车你您他她它我]|来[了个一]|大家|一?[个辆份位台]|[两几]|滴滴|代驾|外卖|快递|师傅|保洁|跑腿|货拉拉|救护|出租|专车|"
    r"[^,，。]{1,4}?(?:来(?!自)|去|回|帮|修|送|接|打扫)[\u4e00-\u9fff])"
)
"""Says whom or what the user has come, and not how he is called: 我叫车回家."""

RELATIVES = {
    "wife": "老婆|妻子|太太|媳妇儿?|内人", "husband": "老公|丈夫|先生|爱人", "daughter": "女儿|闺女|姑娘|千金",
    "son": "儿子",
    "eldest_daughter": "大女儿|大闺女|长女", "second_daughter": "二女儿|二闺女|次女", "third_daughter": "三女儿|三闺女",
    "youngest_daughter": "小女儿|小闺女|幺女", "eldest_son": "大儿子|长子", "second_son": "二儿子|次子",
    "third_son": "三儿子", "youngest_son": "小儿子|幺子", "eldest_child": "老大", "second_child": "老二",
    "third_child": "老三",
    "children": "孩子|娃|小孩|宝宝|宝贝|崽|俩娃|双胞胎", "mother": "妈妈?|母亲|老妈|我娘", "father":
        "爸爸?|父亲|老爸|我爹",
    "older_sister": "姐姐?", "younger_sister": "妹妹?", "older_brother": "哥哥?", "younger_brother": "弟弟?",
    "grandfather": "爷爷|外公|姥爷|阿公", "grandmother": "奶奶|外婆|姥姥|阿嬷|阿嬤", "partner": "女朋友|男朋友|女友|"
        "男友|对象|未婚妻|未婚夫",
    "parents": "父母|爸妈", "roommate": "室友", "in_laws": "岳父|岳母|公公|婆婆|丈母娘",
}  # fmt: skip
"""What relatives are called, by their canonical names."""
RELATIVE = "|".join(sorted("|".join(RELATIVES.values()).split("|"), key=len, reverse=True))
"""Any of them, in a pattern."""


NEAR_IN_ENGLISH = (
    r"(?i:partner|wife|husband|boyfriend|girlfriend|fianc[eé]e?|baby|mom|mum|dad|roommate|flatmate|manager|boss|mentor|leader|"
    r"colleague|teammate|friend|landlord|client|professor|supervisor)s?(?![a-z])"
)
"""People as they are called in English amid Chinese: 我partner叫Mia."""


def relative_of(word: str) -> str:
    """Return the canonical name of a relative."""
    return next(
        (
            name
            for name, words in RELATIVES.items()
            if word in words.replace("?", "").split("|") or re.fullmatch(words, word)
        ),
        "family",
    )
