"""Documents and folders called by their names: "what does the Hayter manual say", 「员工手册里怎么写的」."""

from __future__ import annotations

from brain_core.compose.planner.scope import ORDINARY
from brain_core.compose.planner.tells import Said, Tells, tell
from brain_core.extract.language import MASK

_BOOK = (
    r"(?:manual|handbook|guidebook|guide|rulebook|runbook|playbook|contract|agreement|lease|policy|syllabus|spec|"
    r"specification|brochure|leaflet|prospectus|charter|constitution|datasheet|code of conduct|report|transcript|"
    r"proposal|"
    r"thesis|procedure|protocol|bylaws|textbook|workbook)"
)
_ALONE = r"(?:manual|handbook|rulebook|runbook|playbook|syllabus|prospectus|charter)"
_OTHER = rf"(?:{_BOOK}|plan|notes|letter|budget|accounts|timetable|rota|minutes|form|list|sheet|deck|slides|scan|pdf)"
_NO_NAME = (
    r"(?:the|a|an|that|this|these|those|my|our|your|his|her|their|its|new|old|same|other|whole|entire|right|wrong|best|"
    r"first|second|third|last|next|latest|current|one|of|for|to|in|on|at|and|or|is|was|it|you|i|we|they|from|with|"
    r"about|"
    r"attached|uploaded|linked|shared|full|original|final|draft|any|some|what|which|january|february|march|april|may|"
    r"june|"
    r"july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:'s)?|today'?s|"
    r"yesterday'?s|annual|weekly|monthly|daily|long|short|real|actual|good|bad|only)"
)
_WORD = rf"(?!{_NO_NAME}\b)[\w&][\w'&.-]* "
_IN = (
    r"(?:in|inside|per|check|checking|consult|search|open|according to|look(?:ed|ing)? (?:in|at|through|up in)|"
    r"go(?:ing)? through|skim)"
)
_SAY = (
    r"(?:say|mention|recommend|require|suggest|tell|allow|cover|include|give|list|state|specify|explain|define|want|"
    r"advise|"
    r"describe|forbid|permit)"
)
_HANDED = (
    r"(?:i|we)(?:'ve| have|'d| had)? (?:just |already |once )?(?:uploaded|sent|gave|given|shared|saved|added|"
    r"attached|stored|"
    r"put|forwarded|scanned|dropped|fed)\b"
)
_HYPHENED = r"[a-z0-9]+(?:-[a-z0-9]+)+"
ENGLISH = tell(
    rf"\b{_IN} (?:the|our|my) (?P<looked>(?:{_WORD}){{1,3}}?{_BOOK})\b(?! (?:for|of|on|to)\b)|"
    rf"\b(?:does|did|do) (?:the|our|my) (?P<asked>(?:{_WORD}){{1,3}}?{_BOOK}) (?:\w+ly |actually |even )?{_SAY}\b|"
    rf"\b(?:the|our|my) (?P<says>(?:{_WORD}){{1,3}}?{_BOOK}) (?:says?|said|mentions?|states?|recommends?|specifies)\b|"
    rf"\b(?:the|our|my) (?P<given>{_ALONE}|(?:{_WORD}){{1,3}}?{_OTHER}) (?:that |which )?{_HANDED}|"
    rf"\b(?:the|our) (?P<called>(?:{_WORD}){{1,3}}?{_BOOK})\b(?! (?:for|of|on|to)\b)|"
    rf"\b(?:{_IN}|from|under|within|of) (?:the|my|our) (?P<folder>{_WORD}(?:{_WORD}){{0,2}}?)(?:folder|directory|"
    rf"repo|repository)\b|"
    rf"\b(?:changelog|readme|docs|logs?|config|ci|pipeline|codebase|release notes|deploy) (?:of|on|for|from|in) "
    rf"(?P<of>{_HYPHENED})(?![\w-])|(?<![\w/.-])(?P<whose>{_HYPHENED})(?:'s)? (?:docs|config|changelog|readme|"
    rf"codebase|logs)\b",
    "changelog readme docs log logs config ci pipeline codebase notes deploy manual handbook guidebook guide "
    "rulebook runbook playbook contract agreement lease policy syllabus spec specification "
    "brochure leaflet prospectus charter constitution datasheet conduct report transcript proposal thesis procedure "
    "protocol "
    "bylaws textbook workbook plan notes letter budget accounts timetable rota minutes form list sheet deck slides "
    "scan pdf "
    "folder directory repo repository",
)

_BOUND = (
    r"(?:^|[，。,;；！？!?\s]|在|从|翻翻|翻一?下|翻|查查|查一?下|查|看看|看一?下|打开|对照|按照?|依照?|根据|把|将|照)"
)
_NO_TITLE = (
    r"(?:在|从|把|将|按|照|对|给|请|帮|麻烦|看|翻|查|打开|根据|这|那|该|哪|本|此|"
    r"我|你|您|他|她|咱|上面?|前|昨|刚|发|传|给|存|收|有|的|几|些|两|各|所有|全部|什么|一下|一|个|份)"
)
_TITLE_END = (
    r"(?:手册|说明书|指南|守则|公约|规范|协议|合同|租约|制度|章程|条例|细则|办法|须知|教程|课标|大纲|白皮书|公告|"
    r"设定集|病历|"
    r"纪要|决议|规程|规定|标准|方案|计划书|清单|预案|目录册|条款|准则|规约|台账|通讯录|名册|名单|报名表|契约|保单|"
    r"教材|攻略|备忘录)"
)
_PLACE = r"(?:里[头面边]?|裡[頭面邊]?|中(?!国|文|午|间|学|心|旬)|上(?![午周个月星礼次班课面传])|内(?!容))"
_HOLDER = r"(?:文件夹|资料夹|目录|仓库|档案夹|相册|知识库)"
_KIND = rf"(?:pdf|ppt|word|excel|md|文件|文档|表格|表|手册|{_HOLDER})"
_QUOTED = rf"{MASK}{{3,62}}"
CHINESE = tell(
    rf"(?P<title>{_QUOTED})(?:这个|那个|这份|那份)?(?:{_PLACE}|{_KIND}|第[一二三四五六七八九十\d]+[条章节款页])|"
    rf"(?P<quoted>{_QUOTED})(?=的|关于|对|是?怎么|规定|要求|$|[，。,\s])|"
    rf"{_BOUND}(?P<held>(?!{_NO_TITLE})[一-鿿a-z0-9]{{1,8}}?) ?(?:这个|那个|这份|那份|那本|这本){_KIND}(?={_PLACE}|"
    rf"的|[，。,\s]|$|有|怎么)|"
    rf"{_BOUND}(?P<holder>(?!{_NO_TITLE})[一-鿿a-z0-9]{{2,8}}?){_HOLDER}(?={_PLACE}|的|下)|"
    rf"{_BOUND}(?P<in>(?!{_NO_TITLE})[一-鿿]{{0,6}}?{_TITLE_END})(?:这个|那个)?(?={_PLACE}(?!网))|"
    rf"(?:^|[，。])(?P<headed>(?!{_NO_TITLE})[一-鿿]{{1,6}}?{_TITLE_END}) (?=[一-鿿])|"
    rf"(?:翻翻|翻一?下|查查|查一?下|看看|看一?下|打开|翻|对照|根据|"
    rf"按照?)(?P<opened>(?!{_NO_TITLE})[一-鿿]{{1,6}}?(?:手册|说明书|指南|守则|公约|协议|合同|"
    rf"租约|制度|章程|条例|细则|办法|须知|设定集|规程|预案))(?=[，。,\s]|$)"
)
_BY_TITLE = (
    "手册 说明书 指南 守则 公约 规范 协议 合同 租约 制度 章程 条例 细则 办法 须知 教程 课标 大纲 白皮书 公告 决议 "
    "规程 规定 标准 方案 "
    "计划书 清单 预案 条款 准则 契约 保单 报告 纪要 通知 意见 声明 手冊 說明書 規範 協議 租約 條例 須知 課標 大綱 "
    "決議 規程 規定 標準 計劃書 "
    "清單 預案 條款 準則 報告 紀要 意見 聲明"
)
_TITLES = tuple(_BY_TITLE.split())
_MARKS = "《》「」『』“”\"'`"


def named_document(said: Said, tells: Tells) -> str:
    """Return the name of the document or folder to look in, as it is written, or nothing."""
    found = tells.named_document.find(said)
    if found is None:
        return ""
    kind = next(name for name, words in found.groupdict().items() if words)
    written = said.text[found.start(kind) : found.end(kind)]
    name = written.strip(_MARKS + " ")
    if kind == "called" and not any(word[0].isupper() for word in name.split()):
        return ""  # "the tenancy contract" is one of a sort, "the Ashby report" a name
    if kind in {"of", "whose"} and ORDINARY.match(name):
        return ""
    if kind == "quoted" and not name.endswith(_TITLES):
        return ""  # a novel, a film, a song
    if kind in {"title", "quoted"} and written[0] not in "《「『“":
        return ""
    return name
