"""What the user takes back or puts right in Chinese, found among what is known: 不是…是…, 改成, 不再, 作废, 分手了."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.chinese.clauses import each, rest_of_sentence, tidy, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.lists import is_to_do
from brain_core.extract.chinese.target import denied, ended, whose
from brain_core.extract.chinese.vocabulary import RELATIVE, content_slug, named_attribute
from brain_core.extract.known import denial, find, known_facts, on_day, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_CONTENT = {
    "knowledge": "content",
    "preferences": "value",
    "decisions": "decision",
    "tasks": "title",
    "goals": "description",
}
"""The field of each type that tells the thing itself."""
_FACT_WORDS = {
    "employer": "公司|上班|工作|职", "home": "住|家|搬", "name": "名字|叫|姓名", "birthday": "生日|出生", "age": "岁|"
        "年龄", "origin": "老家|籍贯|家乡",
    "role": "职业|职位|岗位", "phone": "电话|手机", "education": "学校|大学|专业",
}  # fmt: skip


def _profile(k: str, v: str, *, denies: bool = False, span: tuple[int, int] | None = None) -> Found:
    return Found({"subject": "user", "facts": [{"k": k, "v": v}]}, type="profile", denies=denies, span=span)


def _replaced(scene: Scene, old: str, new: str) -> Iterator[Found]:
    """Yield what is known with `old` in it, with `new` in its place."""
    folded = fold(old)
    for k, v in known_facts(scene.known):
        if folded in fold(v):
            yield _profile(k, fold(v).replace(folded, new) if fold(v) != folded else new)
            return
    for item_type, name in _CONTENT.items():
        for item in scene.known.active(item_type):
            value = value_of(item)
            if folded in fold(str(value.get(name, ""))):
                yield from _renamed(item, folded, new)
                return
    for item in scene.known.active("events"):
        value = value_of(item)
        day = first_day(fold(new), scene.said)
        if folded in fold(str(value["title"])):
            kept = {**_own(value), "title": fold(str(value["title"])).replace(folded, new)}
            if day is not None and day.exact:
                yield Found(denial(item), type="events", denies=True)
                kept = on_day("events", kept, day)
            yield Found(kept, type="events")
            return


def _renamed(item: MemoryItem, old: str, new: str) -> Iterator[Found]:
    """Yield an item with `new` for `old`; a preference that is named by the old value gets the name of the new."""
    value, telling = value_of(item), _CONTENT[item.type]
    kept = {**_own(value), telling: fold(str(value[telling])).replace(old, new)}
    slug = content_slug(old)
    if item.type == "preferences" and slug in str(value["name"]):
        yield Found(denial(item), type=item.type, denies=True)
        kept["name"] = str(value["name"]).replace(slug, content_slug(fold(new)))
    yield Found(kept, type=item.type)


def _own(value: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a value without what counts its history."""
    return {name: part for name, part in value.items() if name not in {"denied", "mentions"}}


def _contrast(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    old, new = (match["old"], "new") if match["old"] is not None else (match["old2"], "new2")
    start, stop = match.span(new)
    said = tidy(written(scene, start, stop))
    old = re.sub(r"^(?:叫|住在?|在|是|姓)|[了的]$", "", old.strip())
    if old and said and not _EMPTY.fullmatch(old):
        yield from _replaced(scene, old, said)


_EMPTY = Expression(
    r"[时乎管同过但太很我你他她它这那家了着的]|一起|那么|这么|那样|这样|什么|怎么|我们|你们|他们|这里|那里|这儿|那儿|家里"
)
"""What tells nothing that could be known: 不在时, 不是我."""


_CONTRASTED = Rule(
    "correction_contrast", "knowledge", each("不"),
    Expression(r"不(?:是|叫|在|住|姓)(?P<old>[^,，。]{1,20}?)\s*[,，]?\s*(?:而是|应该是|是|叫|改?在|"
        r"姓)(?P<new>[^,，。]{1,30})|(?:应该是|其实是|是|叫|在)(?P<new2>[^,，。不]{1,30}?)[,，]?\s*不(?:是|叫|"
        r"在)(?P<old2>[^,，。吗]{1,20})"),
    _contrast,
)  # fmt: skip

_SHAPES = (
    Expression(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[\w./?=&%-]+"),
    Expression(
        r"(?:[0-9]{1,2} ?月 ?[0-9]{1,2} ?[日号]?|(?:这|下|本)?个?(?:周|星期)[一二三四五六日天]|[0-9]{1,2} ?[日号])"
    ),
    Expression(
        r"[0-9]+(?:\.[0-9]+)?\s*[万千百亿%块元岁kK]?|[一二三四五六七八九十百千万两]{1,6}(?=[万千百块元岁个人件])"
    ),
)


def _put_right(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 打错了,是5月12号: what is known last in the same shape has the new value."""
    new = written(scene, match.start("new"), match.end("new"))
    for shape in _SHAPES:
        if not shape.match(fold(new)):
            continue
        candidates = [v for _, v in known_facts(scene.known)]
        for item_type, name in (*_CONTENT.items(), ("events", "title")):
            candidates += [str(value_of(item).get(name, "")) for item in scene.known.active(item_type)]
        for candidate in candidates:
            old = shape.search(fold(candidate))
            if old is not None and old[0] != fold(new):
                yield from _replaced(scene, old[0], new)
                return
        return


_PUT_RIGHT = Rule(
    "correction_value", "knowledge", each("错对正误"),
    Expression(r"(?:(?:[打说记写搞弄看数算]|地址|号码|邮箱|数字|日期|那个?)错了?|不对|更正|纠正|"
        r"有误)[^,，:：]{0,4}[,，:：]\s*(?:应该)?(?:是|为|"
        r"在)\s*(?P<new>[0-9A-Za-z一二三四五六七八九十百两这下本周星][^,，。]{0,40})"), _put_right,
)  # fmt: skip


def _changed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 会议室改成305了, 工位换了,现在是B07: what is known of the thing has a new content."""
    if is_to_do(scene.clause.text):
        return
    what = re.sub(
        r"^(?:我们?|那个|咱们|这个|对了|刚才|另外|上次|之前|说的|的|,|，|\s)+|(?:已经|也|又|刚|现在|的|都)+$",
        "",
        match["what"],
    )
    if (
        not 2 <= len(what) <= 16
        or re.search(r"[他她你]|怎么|什么|为什么|帮|把", what)
        or whose(scene, what) == "another"
    ):
        return
    content, span = rest_of_sentence(scene, 0)
    for k, v in known_facts(scene.known):
        words = _FACT_WORDS.get(k)
        if words and re.search(words, what):
            if k == "phone" and _NUMBER_OF_A_PHONE.search(what) and not _DIGITS.search(v):
                continue
            new = _BEFORE_NEW.sub("", content).removesuffix("了")
            if v != new and len(new) <= 20:
                yield _profile(k, new, span=span)
            return
    for item_type, name in _CONTENT.items():
        item = _told_first(scene, item_type, what) or find(scene.known, item_type, what, 0.6)
        if item is not None and not _DAY_NAME.search(match["new"]) and _names_all_of(what, item, item_type):
            value = value_of(item)
            yield Found({**_own(value), name: content}, type=item_type, span=span)
            return
    if _OWN_THING.search(what):
        yield Found({"kind": "fact", "slug": content_slug(what), "content": content}, type="knowledge", span=span)


def _names_all_of(what: str, item: MemoryItem, item_type: str) -> bool:
    """Return whether an item has the names in Latin letters of what has changed: Redis 端口 is no other port."""
    said = fold(str(value_of(item).get(_CONTENT[item_type], ""))).lower()
    return all(name.lower() in said for name in _LATIN_NAME.findall(what))


_LATIN_NAME = Expression(r"[A-Za-z][A-Za-z0-9.+#_-]+")


def _told_first(scene: Scene, item_type: str, what: str) -> MemoryItem | None:
    """Return the only item that begins with what has changed: 地板选了圣象的, and not 家里有只狗，地板要耐刮."""
    begins = Expression(rf"^(?:我们?|咱们?|家里?|的|现在|目前)*{re.escape(what)}")
    met = [
        item
        for item in scene.known.active(item_type)
        if begins.match(fold(str(value_of(item).get(_CONTENT[item_type], ""))))
    ]
    return met[0] if len(met) == 1 else None


_NUMBER_OF_A_PHONE = Expression(r"号|电话")
_DIGITS = Expression(r"^[0-9 +-]{7,}$")
_BEFORE_NEW = Expression(r"^.*(?:改成|换成|改为|变成|改到|换到|[改换]用|现在是|现在在|现在住在?|搬到|是)了?\s*")
_DAY_NAME = Expression(r"[0-9] ?[月号日]|周[一二三四五六日]|星期|明天|后天|月底")
_OWN_THING = Expression(
    r"邮箱|电话|手机号|微信号?|地址|工位|车牌|端口|密码策略|域名|版本|仓库|负责人|联系人|账号|会议室|办公室|教室|"
    r"网址|分支"
)
_CHANGED = Rule(
    "correction_changed", "knowledge", each("改换变调更升搬错对误"),
    Expression(r"(?:^|[,，:])(?P<what>[^,，:。]{2,20}?)(?:已经|又|刚|统一|现在|要)*(?:(?:改|换|变|调整?|更新|升级|"
        r"搬)(?:成|为|到|(?<=[改换])用)(?!三|两|一下)|(?:[换改变搬]了|不对|错了|有误)[,，]\s*(?:现在|应该)?(?:是|在|改成|换成|变成|"
        r"叫|"
        r"住))(?P<new>[^,，。]{1,30})"),
    _changed,
)  # fmt: skip


def _switched(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read 还是用中文吧: an attribute that is known has a new value."""
    named = named_attribute(scene.clause.text)
    if named is None:
        return
    for item in scene.known.active("preferences"):
        value = value_of(item)
        if (value["scope"], value["name"]) == named:
            yield Found(
                {"scope": named[0], "name": named[1], "value": written(scene, 0, len(scene.clause.text))},
                type="preferences",
            )
            return


_SWITCHED = Rule(
    "correction_switched", "preferences", each("还改换"),
    Expression(r"(?:还是|改|换|重新)(?:用|回|成|为|叫|写|说|改回|换回)*.{1,12}(?:吧|了|好了|$)"), _switched,
)  # fmt: skip


def _no_longer(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    denial_of = denied(scene)
    if denial_of is None:
        return
    doubts = denial_of.whose == "unsaid" and not denial_of.surely
    targets = list(ended(scene, denial_of))
    left_out = _LEFT_OUT.match(scene.clause.text) or _GIVEN_UP.match(scene.clause.text)
    if not targets and left_out is not None and denial_of.surely:
        name = f"diet_{content_slug(left_out['what'])}"
        yield Found({"scope": "other", "name": name, "value": written(scene, 0, len(scene.clause.text))})
    for target in targets:
        if isinstance(target, MemoryItem):
            doubted = doubts and target.type in ("preferences", "knowledge", "goals")
            yield Found(denial(target), type=target.type, denies=True, doubts=doubted, weak=doubted)
        else:
            yield replace(_profile(*target, denies=True), doubts=doubts, weak=doubts)


_LEFT_OUT = Expression(
    r"^\s*(?:其实|对了|从今以后|从今天起|以后|今后|现在|[,，\s])*(?:我|俺|本人)"
    r"(?:以后|今后|从此|现在|已经|早就|决定|真的|都|也)*"
    r"(?:不再|再也不|不)(?:吃|喝|抽|碰|沾)(?P<what>(?![饭早午晚药完下到这那亏了你他她])[\u4e00-\u9fff]{1,6}?)(?:了|啦)?[。.!！~～\s]*$"
)
"""What one eats, drinks or smokes no more, of whom it was not known that one did."""
_GIVEN_UP = Expression(
    r"^\s*(?:其实|对了|[,，\s])*(?P<what>(?![这那他她你我])[\u4e00-\u9fff]{1,4}?)(?:我|俺|本人)(?:也|都|已经|早就?|彻底|现在)*戒(?:掉)?了[。.!！~～\s]*$"
)
_NO_LONGER = Rule(
    "denial_no_longer", "preferences", each("不没戒"),
    Expression(r"不[^,，]*(?:了|啦)|再也不|不再|不打算|没(?:有)?(?:打算|说过|在|再)|戒"), _no_longer,
)  # fmt: skip


def _gone(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 从阿里离职了, 分手了, 没养猫: the fact that is known no longer holds."""
    text = match[0]
    if "送人" in text and not _given_by_the_user(scene):
        return
    gone = next((names for sign, names in _ENDED if re.search(sign, text)), ())
    place = _PLACE_LEFT.search(scene.clause.text[match.start() :])
    for k, v in known_facts(scene.known):
        named = place is None or _AT_WORK.fullmatch(place["at"]) or place["at"] in fold(v) or fold(v) in place["at"]
        if k in gone and named and _is_the_one(text, v):
            yield _profile(k, v, denies=True)


def _given_by_the_user(scene: Scene) -> bool:
    """Return whether it is the user who gives a pet away: 我把猫送人了, 猫送人了, but not 楼上那家把猫送人了."""
    head = scene.clause.text.partition("送人")[0]
    giver, taken, _ = head.partition("把")
    if taken:
        return whose(scene, giver) != "another" and _NOBODY_ELSE.fullmatch(giver) is not None
    return whose(scene, head) != "another" and _OF_ANOTHER_PLACE.search(head) is None


_NOBODY_ELSE = Expression(
    r"(?:我们?|咱们?|俺|家里|自己|最[后近]|后来|已经|终于|还是|只好|不得不|刚|就|也|都|才|上个?[周月]|去年|今年|前年|昨[天晚]|前天|今[天早]|"
    r"唉|哎|因为|所以|但是?|不过|然后|结果|决定|忍痛|[,，\s])*"
)
_OF_ANOTHER_PLACE = Expression(r"(?<!我)(?<!我们)(?<!我家)(?<!家里)(?:的|家)(?:那|这)?[只条]?[小大老]?(?:猫|狗|[宠]物)")


def _is_the_one(text: str, v: str) -> bool:
    """Return whether somebody one has parted from, where one is named, is who a fact tells of."""
    parted = _PARTED.search(text)
    return parted is None or parted["ex"] in fold(v) or re.search(rf"[他她]|{RELATIVE}", parted["ex"]) is not None


_PARTED = Expression(r"[和跟与](?P<ex>[^,，。]{1,8}?)(?:已经)?(?:分[手开]|离婚|掰|吹|散)")
_PLACE_LEFT = Expression(
    r"(?:不(?:再)?住在?|不(?:再)?在|从|搬离|离开)了?(?P<at>[^,，。了]{2,14}?)(?:住|工作|上班|干|做|任职|待|呆|离职|辞职|搬|离开|了|[,，。]|$)"
)
"""Which place the clause says is left; another than the known one leaves that as it is."""
_AT_WORK = Expression(r"(?:(?:那|这|原来|之前|上)(?:家|个)?的?)?(?:公司|单位|那边|那里|那儿|这边|这里|这儿|东家)")
_ENDED = (
    (r"养.*猫|猫.*送人", ("cat", "pet")),
    (r"养.*[狗犬]|[狗犬].*送人", ("dog", "pet")),
    (r"养|(?:[鸟兔龟鼠鱼]|宠物|它)[^,，]*送人", ("cat", "dog", "pet")),
    (r"分手|分开|掰|吹|散", ("partner",)),
    (r"离婚", ("wife", "husband", "marital_status")),
    (r"不住|搬离|搬走", ("home",)),
    (r"孩|娃", ("children", "son", "daughter")),
    (r"婚", ("marital_status", "wife", "husband")),
    (r"不在|离职|辞职|离开|不干|被裁|退休|创业|单干", ("employer", "workplace", "role")),
    (r"转行|改行", ("employer", "workplace")),
)
_GONE = Rule(
    "denial_profile", "profile", each("不离没分辞养送裁退掰吹散转改创单"),
    Expression(
        r"我(?:们)?(?:现在|已经|早就|早|目前|其实|也|上个?月|上周|去年|今年|"
        r"昨天)*(?:不(?:再)?在[^,，。]{1,14}?(?:工作|上班|干|做|任职|待|呆|了)|不住(?:在)?|搬离|搬走|"
        r"从[^,，。]{1,14}(?:离职|辞职|离开)|从[^,，。]{1,14}搬走|离职了|辞职了|被裁了|退休了|分手了|离婚了)|"
        r"^(?:我(?:们)?)?(?:现在|已经|早就|早|也|上个?月|上周|去年|今年|年初|后来|终于|正式|刚)*"
        r"(?:(?:转行|改行)(?:了|做|当|去|干|到)|(?:自己|出来|辞职|离职)+(?:创业|单干)(?:去)?了)(?!吗)|"
        r"我(?:们)?(?:已经|上个?月|上周|去年|今年|昨天|刚|最近)*[和跟与][^,，。]{1,8}(?:分手|分开|离婚|掰|吹|散)了|^(?:唉|哎|最近|上周|昨天|刚|已经|[,，\s])*分手了|"
        r"[^,，。]{1,8}送人了|我?(?:自己|本人|可|压根|根本|并|从来|从|现在|家)*(?:没有?|不)养[^,，。]{1,6}|"
        r"我?(?:没有?|还没)(?:结婚|孩子|小孩|娃)"
    ),
    _gone, shares=True,
)  # fmt: skip

CORRECTIONS: tuple[Rule, ...] = (
    _GONE,
    _SWITCHED,
    _CONTRASTED,
    _PUT_RIGHT,
    _CHANGED,
    _NO_LONGER,
)
"""Before all that may read the same words as something new."""
