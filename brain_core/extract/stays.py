"""What a sentence leaves as it is, however like one that ends it the judge of revisions (`revision.py`) finds it."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from functools import lru_cache

from brain_core.extract.alike import Sentence, marks, says_change
from brain_core.extract.applies import applied_to, subject_in
from brain_core.extract.claims import Claim
from brain_core.extract.known import names_another, value_of, words_of
from brain_core.extract.one_occasion import leaves_what_holds
from brain_core.extract.scopes import scope_in
from brain_core.extract.worth import TYPES
from brain_core.text.expression import Expression

_REMEMBERED = 64  # sentences, each of which is asked about beside claim after claim

_NOT_YET = Expression(
    r"(?:\b(?:not|nothing)\b|n['’]t\b)[^.!?]*\byet\b|\b(?:have|has|had|did)n['’]t\b|"
    r"\bstill (?:not|have|has|need|needs|got|to|on|working|waiting|open|due)\b|"
    r"没(?:有)?(?!了|必要|意义|用)|未(?!来)|还[剩差欠在得要]",
    re.IGNORECASE,
)
"""What says of a task or a goal that it is still to be done."""

_PARTED = Expression(
    r"\b(?:died|dead|dies|death|passed|gone|lost|put down|put to sleep|rehom\w+|g[ai]v\w+|divorc\w+|br(?:oke|eak\w*)|"
    r"split|separat\w+|ex|ended|left|dumped|sold|adopted|renam\w+|changed? (?:his|her|its|their) name|married)\b|"
    r"走了|去世|过世|没了|死|丢|送|离婚|分[手开]|散了|前[妻夫任]|改名|安乐|领养",
    re.IGNORECASE,
)
"""What becomes of somebody that makes his name no longer worth knowing, or another."""

_HAPPENED = Expression(r"[一-鿿]了(?!$|[。,，!！])|感到|觉得")
"""Tells in Chinese of something that happened, which stays so whatever happens next."""

_FOR_NOW = Expression(
    r"(?:(?:please|pls|just|can you|could you|let['’]?s|ok|so|and|then)[, ]+)*(?:use|take|try|replace|swap|substitute|"
    r"make|cook|bake|add|put|get|buy|order|give|leave out|skip|go with|suggest|recommend|find|mix|serve)\b|"
    r"(?:请|帮我|麻烦|那|就|咱们|我们)*(?:用|把|换|改用|放|加|做|买|点|别放|不要放|别加)",
    re.IGNORECASE,
)
"""An order for what is cooked, bought or written now."""

_DEFINES = Expression(
    r"(?:.{0,40}?\b(?:turns? out|apparently|actually|technically|did you know|fun fact|i (?:read|learned|heard))\b"
    r"[:,]?(?: that)? )?"
    r"(?!(?:i|we|my|our|you)\b)(?!.*\b(?:i|me|my|we|our|now|any ?more|instead)\b)[\w'’ -]{2,40} (?:is|are)(?: \w+ly)? "
    r"(?:an?|a kind of|one of|related to|part of) [\w'’ -]{2,40}[.!]*$|"
    r"(?:原来|其实|据说|听说|冷知识)?[:：,，]?[^我咱你,，]{1,12}(?:其实|原来|竟然|居然)?(?:是|属于)(?:一?种)?"
    r"[^我咱,，不了]{1,12}[。.!！]*$",
    re.IGNORECASE,
)
"""Says what a thing is, whatever the user thinks of it: "olives are a fruit"."""

_INSTEAD = Expression(r"\binstead\b|\brather than\b|而不是|不是|代替|替代", re.IGNORECASE)
_NO_LONGER = Expression(
    r"\b(?:not \w+ but|no longer|any ?more|never ?mind|scrap|cancell?ed|call(?:ed)? off|no need|"
    r"(?:don['’]?t|do not|needn['’]?t|not) (?:need|have)|forget (?:about )?(?!to\b)|wrong|mistake|correction|actually|"
    r"turns out|on hold)\b|"
    r"[改换](?:成|为|到|期|在|了|做)|不(?:用|必|需要?|要|想|打算|再)[^,，。!！?？]{0,12}了|取消|作废|算了|"
    r"先放|搁置|[错误]了|更正|纠正|其实",
    re.IGNORECASE,
)
_HEADED = Expression(r"^\W*(?:to-?dos?|tasks?|action items?|待办(?:事项)?|任务)\s*[:：]", re.IGNORECASE)
"""Begins what is to be done: 改成 and cancel are then what the task is."""


def told_beside(told: Collection[str], text: str) -> frozenset[str]:
    """Return the types of which a sentence that tells something of some types leaves all as it is.

    A task that is told is only to be done: it changes nothing yet, and stands beside all others, as does what happened.
    Unless the sentence says in words that something else is not.
    """
    instead = says_instead(text)
    if told and set(told) <= {"tasks"}:
        return _BESIDE_TASKS if instead else _ALL
    changes = instead or says_change(text)
    return frozenset(each for each in told if each in _MANY and not (instead if each == "tasks" else changes))


_ALL = frozenset(TYPES)
_BESIDE_TASKS = _ALL - {"tasks"}
_MANY = frozenset({"tasks", "events"})
"""Types of which each sentence may tell another."""


@lru_cache(maxsize=_REMEMBERED)
def says_instead(text: str) -> bool:
    """Return whether a sentence says in words that something else is no longer so, or no longer to be done."""
    return _INSTEAD.search(text) is not None or (_HEADED.match(text) is None and _NO_LONGER.search(text) is not None)


_KEPT = Expression(
    r"(?:^|[,;:.–—-] ?|\b(?:and|so|but) )(?:the |our |my )?(?P<a>[\w.+#-]+(?: [\w.+#-]+)?) "
    r"(?:stays|remains|is staying|still stands)(?: (?:put|in place|as (?:it )?is|unchanged|the same|for (?:now|good)))?"
    r"\W*(?:$|[,;.])|"
    r"\b(?:stick(?:ing)?|stuck|stay(?:ing|ed)?) with (?P<b>[\w.+#-]+)\W*(?:$|[,;.])|"
    r"(?:还是|继续|仍然?|依然|照旧|依旧)(?:用|沿用|使用)(?P<c>[^,，;；。.!！?？不]{1,16})|"
    r"(?:保留|沿用)(?P<d>[^,，;；。.!！?？不]{1,16})|"
    r"(?:^|[,，;；。、])(?P<e>[^,，;；。]{1,16}?)(?:还是|就|还|会|都|继续|照样|先)?(?:留着|保留|不变|不动|不换|照旧|照用)[了吧]?"
    r"\W*(?:$|[,，;；。])",
    re.IGNORECASE,
)
"""Says what is as before, whatever was thought of: "we did not go with MySQL, Postgres stays"."""

_PARTS = Expression(r"[,，;；。:：]|[.] ")
_NOT_KEPT = Expression(
    r"n['’]t\b|\b(?:not|never|no|if|whether|unless|cannot|stop\w*|why)\b|[不没别]|如果|要是", re.IGNORECASE
)
"""In the part of a sentence that says so: it is not."""

_NOT_TAKEN = Expression(
    r"(?:(?:in the end|finally|after all|so|well|ok|and|but)[, ]+)*(?:i|we|they|the team) (?:(?:did|have|had|are|were)"
    r"(?: not|n['’]t)|decided not to|chose not to)(?: end up)? "
    r"(?:go(?:ne|ing)? (?:with|for)|cho+se|chosen|pick(?:ed)?|adopt(?:ed)?|"
    r"(?:switch|mov|migrat|chang)(?:e|ed|ing)?(?: over)? to) (?P<a>[\w.+#-]+(?: [\w.+#-]+){0,2}?)"
    r"(?: in the end| after all)?\W*|"
    r"(?:最[后终]|结果|后来)?(?:我们?|咱们?|团队)?(?:最[后终])?没有?(?:换成?|改用?|改成|迁移?到|切到|选择?|采用|用)"
    r"(?P<b>[^,，;；。不]{1,16}?)\W*",
    re.IGNORECASE,
)
"""Says no more than what was not chosen, so what holds goes on."""


def _goes_on(claim: Claim, text: str) -> bool:
    """Return whether a sentence says that a claim is as before, or no more than that what it lacks was not chosen.

    A number in what else it says may be of the claim: "Postgres stays, but on version 16".
    """
    refused, kept = _going_on(text)
    if refused is None and not kept:
        return False
    held = words_of(claim.text)
    if refused is not None:
        return refused.isdisjoint(held)
    return any(not its.isdisjoint(held) and not any(word[0].isdigit() for word in rest - held) for its, rest in kept)


@lru_cache(maxsize=_REMEMBERED)
def _going_on(text: str) -> tuple[frozenset[str] | None, tuple[tuple[frozenset[str], frozenset[str]], ...]]:
    """Return the words of all that a sentence says was not chosen, else of each thing that is kept and of the rest."""
    refused = _NOT_TAKEN.fullmatch(text)
    if refused is not None:
        return words_of(refused["a"] or refused["b"]), ()
    found = []
    for kept in _KEPT.finditer(text):
        group = kept.lastgroup or ""
        part = _PARTS.split(text[: kept.end(group)])[-1]
        rest = words_of(f"{text[: kept.start()]} {text[kept.end() :]}")
        if _NOT_KEPT.search(part) is None:
            found.append((words_of(kept[group]), rest))
    return None, tuple(found)


def stays(claim: Claim, sentence: Sentence, said: date) -> bool:
    """Return whether a sentence leaves a claim as it is, however like one that ends it the judge finds it.

    A task that is not done yet stays, that is about somebody else, or of another number; so does what happened, and the
    home or job that is named without a word of change ("Berlin is so grey"). What is vital stays unless the sentence
    names it beside a word of change, and is no order for now: "use almonds instead of peanuts".
    """
    text, item_type = sentence.text, claim.item.type
    as_it_was = _said_again(claim, sentence) or _goes_on(claim, text) or _PUT_BACK.search(text)
    of_another = _is_of_another_thing(claim, text) or _is_of_his_own(claim, text) or _is_of_a_sibling(claim, sentence)
    not_meant = of_another or _moves_what_it_is_named_after(claim, sentence) or leaves_what_holds(claim, text)
    given_up = item_type not in _PLANS and _GIVEN_UP.search(text)
    if as_it_was or not_meant or given_up or _has_happened(claim, sentence, said):
        return True
    if item_type == "preferences" and (
        _DEFINES.match(text) or _applies_elsewhere(sentence, claim.text) or _refuses_something_else(claim, text)
    ):
        return True
    if item_type in {"goals", "tasks"} and _NOT_YET.search(text):
        return True
    if item_type == "tasks":
        return sentence.is_of_others_than(claim.text) or names_another(text, claim.text)
    if marks(claim.text).side == "name" and marks(text).side != "name":
        return _PARTED.search(text) is None
    return claim.is_vital and _leaves_what_is_vital(sentence, claim)


_PLANS = frozenset({"goals", "tasks", "decisions", "events"})
_GIVEN_UP = Expression(
    r"\b(?:was|were|had been) (?:thinking (?:of|about)|considering|tempted|going to|planning to)\b.*\bbut\b|"
    r"(?:本来|原本|曾经?)(?:还|也|是)?(?:想|打算|考虑|计划).*(?:作罢|算了|没成|没[^，,]{0,4}成|放弃|打消|泡汤)",
    re.IGNORECASE,
)
"""Tells of a plan that came to nothing: all but plans is as it was."""

_PUT_BACK = Expression(
    r"\bback in (?:its|their|the (?:usual|same|right)) (?:place|spot)\b|\bput (?:it|them) back\b|放回(?:去|原)|调回来",
    re.IGNORECASE,
)
"""Says of what has been moved that it is where it was."""
_SOMEBODY_OF = Expression(
    r"(?:['’]s|的)\s?(?:boss|manager|wife|husband|partner|girlfriend|boyfriend|son|daughter|kids?|mother|mum|mom|father|dad|"
    r"brother|sister|friend|team|上[级司]|老板|领导|老公|老婆|妻子|丈夫|孩子|儿子|女儿|[爸妈哥姐弟妹]|朋友|同事|团队)",
    re.IGNORECASE,
)


def _is_of_his_own(claim: Claim, text: str) -> bool:
    """Return whether a sentence begins with a relation of whom a fact names: "Helen's boss is Marcus now"."""
    who = "" if claim.fact is None else str(claim.fact["v"])
    return bool(who) and text.startswith(who) and _SOMEBODY_OF.match(text, len(who)) is not None


_ABOUT = Expression(
    r"^(?:[\w'’&-]+ ){0,5}?"
    r"(?P<en>(?!(?:I|we|you|he|she|it|they|there|this|that|only|also|always|will|which|who)\b)[\w-]+)"
    r"(?: (?:of|at|in|on|for|with|to|from|by) [\w'’ -]{1,30}?)?(?:['’]s(?= (?:in|on|at|due|from|"
    r"with|by|under|behind|not|now|called|a|an|the|all|\d)\b)| (?:is|are|was|were|has|have|lives?|runs?|goes|go|comes?|"
    r"costs?|takes?|starts?|begins?|opens?|closes|ends?|needs?|hangs?|stays?|sleeps?|stands?|uses?)\b)|"
    r"^(?:我们?|咱们?|俺)?(?:家里?)?[^，,。我]{0,12}?(?P<zh>[^我们咱俺家的，,。 ]{2})"
    r"(?:是|在|放|叫|用|定|挂|停|存|住|换|要|归|找|每)",
    re.IGNORECASE,
)
"""The last word of what a claim is about: the manual of a router, no router."""

_MOVED = Expression(
    r"\b(?:moved|shifted|carried|brought|took|relocated) (?:the|my|our|that) (?P<en>[\w-]+(?: [\w-]+)?) "
    r"(?:up |down |over |out |back )*(?:to|into|onto)\b|"
    r"(?:^|[,，把])(?:我们?|咱们?)?(?P<zh>[^，,。把我咱]{2,6}?)(?:被)?[搬挪移](?:到|去|进|至)",
    re.IGNORECASE,
)
"""Tells that a thing was moved."""


def _moves_what_it_is_named_after(claim: Claim, sentence: Sentence) -> bool:
    """Return whether a sentence moves what a claim's own thing is only named after: a router, and its manual stays."""
    moved = _MOVED.search(sentence.text)
    if moved is None:
        return False
    head = _head_of(claim.text)
    return bool(head) and not head <= sentence.words and words_of(moved["en"] or moved["zh"]) <= words_of(claim.text)


@lru_cache(maxsize=_REMEMBERED)
def _head_of(claim: str) -> frozenset[str]:
    """Return the words of the last word of what a claim is about, none where that is the user or cannot be told."""
    found = _ABOUT.match(claim)
    return frozenset() if found is None else words_of(found["en"] or found["zh"])


_SIBLING = Expression(
    r"\b(?P<en>daughter|son|sister|brother|cousin|niece|nephew|grandson|granddaughter|aunt|uncle)(?:['’]s name)?"
    r"(?: is| was)?(?: called| named)?,? (?P<name>(?-i:[A-Z])[a-z]+)\b|"
    r"(?P<zh>女儿|儿子|妹妹|弟弟|姐姐|哥哥|侄子|侄女|外甥)(?:的?名字)?叫(?P<han>[\u4e00-\u9fff]{1,3})",
    re.IGNORECASE,
)
"""Names one of those of whom somebody may have several."""


def _is_of_a_sibling(claim: Claim, sentence: Sentence) -> bool:
    """Return whether a sentence names another daughter than a claim does, and says of nothing that it is no more."""
    now = _SIBLING.search(sentence.text)
    then = None if now is None else _SIBLING.search(claim.text)
    if now is None or then is None or sentence.changes or says_instead(sentence.text):
        return False
    same = (now["en"] or now["zh"] or "").lower() == (then["en"] or then["zh"] or "").lower()
    return same and (now["name"] or now["han"]) != (then["name"] or then["han"])


def _has_happened(claim: Claim, sentence: Sentence, said: date) -> bool:
    """Return whether a claim is of what has happened, an event by a day, and no word of change takes that back."""
    if claim.item.type == "knowledge":
        return _HAPPENED.search(claim.text) is not None
    if claim.item.type != "events":
        return False
    day = str(value_of(claim.item).get("date", ""))
    return bool(day) and day < said.isoformat() and not sentence.changes and not says_instead(sentence.text)


def _is_of_another_thing(claim: Claim, text: str) -> bool:
    """Return whether both are of a thing, or for a service, of a name, and neither speaks of the other's."""
    value = value_of(claim.item)
    told = claim.text.removeprefix(str(value.get("name") or value.get("topic") or "")).lstrip()
    for of in (subject_in, scope_in):
        now, then = of(text), of(told)
        if now and then and now not in told.lower() and then not in text.lower():
            return True
    return False


_OFTEN = r"(?:一般|也|都|还|从来|从|平时|平常|现在|绝对|坚决|是|基本上?){0,3}"
_REFUSAL = Expression(
    r"(?:and |also |oh |btw ){0,2}i (?:also |really |just ){0,2}(?:don['’]t|do not|never|can['’]t|cannot|won['’]t) "
    r"(?:ever |also )?(?:eat|drink) "
    r"(?P<en>[\w'’ -]{2,30}?)(?: either| at all| too)?\W*|"
    rf"(?:我|俺|本人){_OFTEN}不(?:能|爱|喜欢)?[吃喝碰沾抽](?P<zh>[^,，。了的]{{1,8}})\W*|"
    rf"(?P<first>[^,，。我]{{1,8}})(?:我|俺|本人){_OFTEN}不(?:能|爱|喜欢)?[吃喝碰沾抽](?:的)?\W*",
    re.IGNORECASE,
)
"""Says of one thing that it is not eaten or drunk, and no more: without a word that it is so from now on."""


def _refuses_something_else(claim: Claim, text: str) -> bool:
    """Return whether a claim and a sentence are each of a thing that is not eaten: who dislikes two dislikes both."""
    now = _REFUSAL.fullmatch(text.strip())
    told = str(value_of(claim.item).get("value", "")).strip()
    then = None if now is None else _REFUSAL.fullmatch(told)
    if now is None or then is None:
        return False
    said, held = (each["en"] or each["zh"] or each["first"] for each in (now, then))
    return said.lower() not in held.lower() and held.lower() not in said.lower()


def _applies_elsewhere(sentence: Sentence, claim: str) -> bool:
    """Return whether a sentence is of a sort of things of which a rule is not: comments; it is for mails, or all."""
    now, then = applied_to(sentence.text), applied_to(claim)
    return bool(now) and now != then and (bool(then) or not sentence.changes)


def _leaves_what_is_vital(sentence: Sentence, claim: Claim) -> bool:
    if _FOR_NOW.match(sentence.text) or not sentence.changes:
        return True
    return all(len(word) == 1 for word in sentence.words & words_of(claim.text))


_PLACES = frozenset({"home", "employer", "role"})
"""Facts of where the user lives or works, or as what."""


def _said_again(claim: Claim, sentence: Sentence) -> bool:
    """Return whether a sentence has all that is held of where the user lives or works, or as what, and no change."""
    fact = claim.fact
    if fact is None or fact["k"] not in _PLACES or sentence.changes or _PARTED.search(sentence.text):
        return False
    return words_of(str(fact["v"])) <= sentence.words
