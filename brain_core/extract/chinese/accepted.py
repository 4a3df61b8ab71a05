"""How Chinese proposes and accepts: 「建议用 Redis 做缓存」, 「方案二：…」; 「就按你说的来」, 「用第二个方案」."""

from __future__ import annotations

import re
from typing import Any

from brain_core.extract.assent import Assent
from brain_core.extract.chinese.clauses import tidy
from brain_core.extract.chinese.decisions import decision
from brain_core.extract.language import Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_NICE = (
    r"(?:好(?:的|呀|啊|吧|主意)?|行(?:吧|啊)?|可以(?:的|啊)?|嗯|没问题|同意|赞成|不错|[Oo][Kk]|对|是的?|那|成|"
    r"听起来不错|挺好的?|"
    r"有道理|谢谢|没错|好嘞)"
)
_THEIRS = r"(?:建议|方案|意见|想法|思路|推荐|提议|做法|主意|计划)"
_DO = r"(?:来|办|做|走|定|干|执行|弄)"
_ENDS = r"(?:了|吧|啦|好了|呗)*"
_PICK = r"(?:就|那|我|还是|咱们?|我们|要|用|选|走|采用|定){0,6}"
_ACCEPTS = Expression(
    rf"(?:{_NICE}[,，.。!！、 ~～]*)*(?:"
    rf"(?:那|就|咱们?|我们|也){{0,4}}就?(?:这么|这样|那么|照这样){_DO}{_ENDS}|就?这么着{_ENDS}|就这样(?:吧|定了|了)?|"
    rf"就(?:按|照)(?:这个|那个|这)(?:方案|计划|思路)?{_DO}{_ENDS}|就(?:用|选|要|定|叫|买)?(?:这|那)个(?:方案|"
    rf"名字)?{_ENDS}|就它{_ENDS}|"
    rf"(?P<own>(?:那|就|都|我){{0,4}}(?:按照?|照着?)(?:你|您)(?:刚才|上面)?(?:说的?|的?{_THEIRS}|讲的|提的){_DO}{_ENDS}|"
    rf"(?:那|就|都){{0,4}}听(?:你|您)的{_ENDS}|(?:那|就|我){{0,4}}(?:采纳|接受|同意)(?:你|您)?的?(?:这个)?{_THEIRS}{_ENDS}|"
    rf"(?:那|就){{0,4}}用(?:你|您)(?:说|推荐|建议|提)的(?:那个|这个)?(?:方案)?{_ENDS})|"
    rf"{_PICK}(?:(?:方案|选项|选择|做法)(?P<key>[A-Fa-f1-9一二三四五六甲乙丙丁])|(?P<place>第[一二三四五六123456]|"
    rf"最后一?)(?:个|种|款|条)?(?:方案|选项|"
    rf"做法)?)(?:方案)?{_ENDS}|(?:就|那|我|还是){{0,4}}选(?P<key2>[A-Fa-f1-9一二三四甲乙丙丁]){_ENDS}|"
    rf"(?P<key3>[A-Fa-f1-9]){_ENDS}|"
    r"(?:那|就|咱们?|我们){0,4}(?:用|选|采用|上|按|照)\s*(?!(?:这|那|你|您|第|方案|选项))"
    r"(?P<named>[^,，。.!！?？\s][^,，。!！?？]{1,15}?)"
    rf"\s*(?:来|做|办|的|那个|这个)*{_ENDS}"
    r")[。.!！~～ ]*"
)
_CHANGES = Expression(
    r"[\s,，。.!！]*(?:不过|但是?|只是|除了|除非|等等|等一?下|算了|还是(?!谢)|或者|如果|要是|改成|换成|先别|不对|"
    r"不是|开玩笑|除外|回头|以后)|"
    r"[^。！？!?\n]*(?:除外|换成|改成)"
)
_USING = (
    r"用(?!一下)|使用|采用|选择?|买|租|住(?!手)|坐(?!一)|改成|改用|改到|改为|换成|换到|换用|定在|定为|放在|放到|"
    r"存成|存在|存到|部署(?:在|到)?|迁移?到|搬到|"
    r"切换?到|刷成|漆成|种(?!类)|喂|叫|命名为|取名|拆成|分成|限制|保留|请一|雇|招|签|投|不安排|不用|避免|禁止|养|"
    r"去游|统一|每(?:天|周|月|年|晚|次)"
)
_LASTS = Expression(rf"[^，,。]{{0,14}}?(?:{_USING})")
_PASSES = Expression(
    r"先(?!生)|现在|马上|立刻|今[晚天早]|暂时|临时|待会|一会儿|这次|休息|看看|看一下|试试|试一下|检查|重启|"
    r"跑一?[下遍]|运行|测试一?下|日志|错别字|"
    r"第[一二三四五六七八九十0-9]+行|函数|这段|这个文件|笑话|走走|散步|出去|起个|取个|选一?个|过$|^(?:过|了)|"
    r"我(?!们)|[吗么]$"
)
_WHO = r"(?:你们?|您|我们|咱们?|大家|可以|应该|就|都|还是|是|把|：|:|，|,)*?"
_PROPOSES = Expression(
    r"\s*(?:(?:好的?|那么?|另外|综合来看|总的来说|这样的话|所以|嗯)[，,]?)*"
    r"(?:(?P<about>[^，,。建推不别如要官上]{2,12}?)[，,]?)?(?:"
    rf"(?:我个?人?|个人|这边|我这边|我还是)?的?(?:建议|提议|倾向于?)(?:是|"
    rf"就是)?{_WHO}[：:，,]?(?P<value>[^？?]{{3,}}?)|"
    r"(?:我|我这边|个人)?(?:强烈|比较)?推荐(?:的是|是)?[：:]?(?P<thing>[^？?]{2,}?)|"
    rf"(?:我觉得|我认为)(?P<value2>[^？?，,]{{0,8}}(?:应该|最好)[^？?]{{3,}}?)|(?:最好|不如|要不|不妨|"
    rf"可以考虑){_WHO}(?P<value3>[^？?]{{3,}}?)|"
    r"(?:我们|咱们?)(?:可以|就|要不)(?P<value4>[^？?]{3,}?)|(?P<value5>[^？?，,]{4,}?)(?=怎么样|如何|好不好)"
    r")(?:[，,]?(?:你看|你觉得|可以吗|怎么样|如何|好不好|行吗).*)?[吧。.？?!！]*$"
)
_OFFERS = Expression(r"(?:要不?要?|需要)我|我(?:可以|来|能)?(?:帮|替|给)[你您]|我(?:可以|来|现在|马上)(?!说|理解)")
_OPPOSES = Expression(r"不(?:太|是很)?(?:建议|推荐)|算了|当我没说|也可以|或者也|另一方面|还有一种")
_DEPENDS = Expression(r"或者?|还是(?!用|选|买)|要么|如果|要是|假如|除非|看情况|取决于|否则|的话")
_CHOOSES = Expression(r"方案|选项|选择|选哪|哪[个种]|几种|[两三四二]种|做法|任选|挑")
_AT_HAND = Expression(
    r"文案|草稿|版本|[两三]版|措辞|语气|标题|句子|段落|回复|邮件|第[一二三四五六七八九十0-9]+题|题目|哪里[？?]|"
    r"首都|谜语|酒馆|地牢|冒险|走进|你(?:站|醒)|"
    r"步骤|故事|剧情"
)
_PLACES = {
    **{f"第{name}": number for names in ("一二三四五六", "123456") for number, name in enumerate(names, 1)},
    "最后": -1, "最后一": -1,
}  # fmt: skip
_SHOULD = Expression(r"应该|最好")
_LEADING = Expression(r"^(?:就|都|统一|是)*(?:用|使用|采用|选择?|买|租|叫|命名为|改成|换成)")


def _read(said: str, about: str, scene: Scene) -> dict[str, Any]:
    """Return a decision of what was proposed, as the user would say it."""
    content = tidy(_SHOULD.sub("", f"{about}{said}", count=1)).replace("您", "你")
    content = re.sub("你(?!好)", "我", content)
    choice = re.split(r"[，,；;。]", fold(content))[0]
    return decision(content, _LEADING.sub("", choice) or choice, content, scene) if len(content) > 1 else {}


ASSENT = Assent(
    accepts=_ACCEPTS,
    changes=_CHANGES,
    proposes=_PROPOSES,
    offers=_OFFERS,
    opposes=_OPPOSES,
    depends=_DEPENDS,
    lasts=_LASTS,
    passes=_PASSES,
    chooses=_CHOOSES,
    at_hand=_AT_HAND,
    places=_PLACES,
    read=_read,
)
