"""Messages that the user asks not to remember: "…, don't store it", 「…，别记」. They teach nothing, nor are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from smartbrain.v1.event_pb2 import Message

from brain_core.extract.chinese.spoken import as_mandarin
from brain_core.text.expression import Expression
from brain_core.text.remembered import remembered
from brain_core.text.words import terms

_NOT = (
    r"(?:(?:please|pls|just|and|but|so|also) ){0,3}"
    r"(?:don['’]?t|do not|never|you (?:don['’]t|do not) (?:need|have) to|no need to)"
)
_THIS = (
    r"(?:any of )?(?:this|that|these|those|the above|what i(?:['’]ve)? (?:just )?(?:said|told you|wrote))"
    r"(?: (?:one|part|bit|message|conversation|chat))?"
)
_KEEP = r"(?:save|store|record|log|note(?: down)?|write down|keep (?:a )?(?:note|record) of|make a note of)"
_AT_ALL = (
    r"(?: (?:down|anywhere|please|pls|though|ok(?:ay)?|for (?:later|good|me)|(?:in|to) (?:your |the )?"
    r"(?:memory|notes|profile|records?|logs?)))*[ ]*(?=[.!?,;:)\n–—]| - |$)"
)
_ASKED = Expression(
    rf"(?:^|[.,;:!?(\n–—]|[ ]-|\b(?:please|pls|and|but|so))[ ]*(?<!sorry, )(?<!\bno, ){_NOT} (?:ever )?"
    rf"(?:(?:remember|memori[sz]e) (?:{_THIS}|it)|(?P<kept>{_KEEP}) {_THIS}|write (?:this|that) down){_AT_ALL}|"
    rf"[,.;!–—-] *{_NOT} (?P<kept2>{_KEEP}) it{_AT_ALL}|"
    r"\bkeep (?:this|that|it) out of (?:your|the) (?:memory|notes|records?)\b|"
    r"^[ ]*(?:this is |strictly )?off the record\b(?=[,:.! –—-])|"
    r"[,.;–—-] *(?:this is |that['’]s |strictly )?off the record[.!]*$|"
    r"(?:^|[,，。;；:：!！?？\s(（])(?:这(?:个|条|些|件事|段|句)?|那(?:个|条|些)?|它|上面的?|刚才说?的|你|请|麻烦|千万|也|就|都|先|再){0,4}"
    r"(?:别|不要|不用|不必|勿|无需|无须)(?:给我|帮我|再){0,2}"
    r"(?:记(?:住|录|下来?|在(?:记忆|心)里?)?|(?P<kept3>保存|存(?:下来?|起来|档|储)?|留(?:底|存))|写进(?:你的)?(?:记忆|档案))"
    r"(?:了|哈|啊|哦|吧|它|这个|这些){0,2}(?=$|[,，。;；:：!！?？)）~～\s])|"
    r"(?:别|不要)把(?:这|它|刚才|上面)[^,，。;；!！?？]{0,8}?(?:记|存|写进)",
)
_OF_CODE = Expression(
    r"\b(?:headers?|cookies?|tokens?|database|db|caches?|columns?|s3|bucket|payload|api|variables?|stdout)\b|"
    r"数据库|缓存|字段|接口|函数|变量|代码"
)
"""What a program keeps or does not: "the id comes from the header, don't store it" asks nothing of a memory."""


_VERBS = ("remember", "memor", "save", "store", "record", "log", "note", "write", "记", "記", "存", "留", "写", "寫")
_NEGATIONS = ("n't", "n’t", "dont", "not", "never", "no need", "out of", "record", "别", "別", "不", "勿", "无", "無")
_ANSWERING = ("user", "assistant", "tool")


@remembered(1024)
def is_unkept(text: str) -> bool:
    """Return whether a message asks that what it says is not remembered.

    One that says nothing else speaks of what was said before it.
    """
    small = text.lower()
    if not (any(word in small for word in _VERBS) and any(word in small for word in _NEGATIONS)):
        return False
    folded = as_mandarin(small)
    asked = _ASKED.search(folded)
    if asked is None:
        return False
    may_be_of_a_program = asked["kept"] or asked["kept2"] or asked["kept3"]
    if may_be_of_a_program and _OF_CODE.search(folded) is not None:
        return False
    return bool(terms(folded[: asked.start()] + " " + folded[asked.end() :]))


def kept(messages: Iterable[Message]) -> Iterator[tuple[int, Message]]:
    """Yield the place and the message of those of a turn that may be learned from and found.

    That is each but a user's that asks for the opposite, and what is answered to it: an answer says it again.
    """
    asked = False
    for place, message in enumerate(messages):
        if message.role == "user":
            asked = is_unkept(message.content)
        if not asked or message.role not in _ANSWERING:
            yield place, message


REASON = "the user asks not to remember it: nothing is learned of it, and it is not found"
"""What is told of such a message."""
