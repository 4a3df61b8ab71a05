"""Whether a message stands inside something begun before it: a role play, a story told together, a text to work on.

What is said inside teaches nothing and ends nothing. It is worked out anew for each message from the user's messages
of the session before it, so that the same messages always give the same. A role play or a story ends by words
(`_ENDS`), or after so many messages. A text that was announced ("translate to German:") is the next message, and the
later ones are the user's own again unless they go on ("next: …").

What was left out is named by a verdict (`framed`), and what a language model finds is held to the same frames
(`commit/quoted.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from brain_core.extract.masks import masked, masks
from brain_core.kinds.draft import Draft, Skip
from brain_core.text.expression import Expression

EARLIER = 20
"""Messages of the user after which a role play is over, whatever was said."""
_STORY = 10  # messages after which a story told together is over
_LOOKED_AT = 600  # characters of a message; who begins or ends such a thing says so soon
_REMEMBERED = 1024  # messages, each of which is looked at again for those after it

Earlier = Callable[[], Sequence[str]]
"""Gives what the user said in the session before a message, oldest first; at most EARLIER are looked at."""


class Frame(NamedTuple):
    """Where in a message the words begin that are not meant as the user's own, and what they are."""

    start: int
    reason: str


_PLAY = "inside a role play"
_TALE = "inside a story"
_GIVEN = "a text to be translated or put in other words"

_TO_PLAY = (
    r"(?:^|(?<=[.!?\n,;:])\s{0,3})(?:(?:ok(?:ay)?|hey|hi|so|now|please|pls|and|then|yo|well|alright|"
    r"also)\b[, ]{0,3}){0,4}"
)
_PLAYS = Expression(
    rf"{_TO_PLAY}(?:(?:let['’]?s|let us|can we|could we|shall we|wanna|we could|how about(?: we)?|i(?:['’]d|"
    rf" would) like to|"
    r"i want to|i wanna|(?:can|could|would|will) you|time to|time for)\s+)?(?:(?:do|start|play|try|have|begin|"
    r"continue)\s+)?"
    r"(?:(?:a|an|the|some|our|another|this|quick|little|short|with me|with)\s+)*"
    r"role[- ]?play(?:ing)?\b(?! (?:games?|groups?|nights?|servers?|club|is|was|are|were|did|went)\b)|"
    rf"{_TO_PLAY}let['’]?s (?:all )?(?:play )?pretend\b|"
    r"\bpretend (?:that )?you(?:['’]re| are) .{2,60}? and i(?:['’]?m| am)\b|"
    rf"{_TO_PLAY}you (?:be|play|act) .{{2,40}}?(?:,| and|;) *(?:and )?i(?:['’]ll| will| get to)? (?:be|play|act)\b|"
    r"(?:^|[。！!？?\n，,；; ])(?:我们|咱们?|来|一起|跟我|陪我|继续|接着|开始|那|吧|[,， ]|可以|能不能|想){0,6}(?:来|"
    r"玩|"
    r"做|搞|开始|"
    r"进行)?"
    r"(?:一?[个场局次段下])?(?:角色扮演|cosplay)(?!游戏|[^，,。]{0,3}(?:过|课|社|群|很|真|挺|是))|"
    r"你(?:来)?(?:扮演?|演|[当做](?!我的))[^，,。！ ]{1,12}[，,。！ ]+(?:然后|那)?我(?:来)?(?:扮演?|演|[当做](?!你的))",
    re.IGNORECASE,
)
_TELLS = Expression(
    rf"{_TO_PLAY}(?:let['’]?s|let us|shall we|can we|could we) (?:all |both |together )*"
    r"(?:write|make up|create|tell|invent|do|start|continue|improvise) (?:a|an|some|our|the|this|another)?\s*"
    r"(?:[\w-]+ ){0,3}(?:story|tale|novel|fan ?fic(?:tion)?|text adventure|adventure)\b|"
    r"(?:^|[。！!\n，, ])(?:我们|咱们?|一起)(?:来|一起|接着)*(?:写|编|创作|续写)[^，,。！ ]{0,10}(?:小说|故事|同人|"
    r"剧本)|"
    r"(?:^|[。！!\n，, ])(?:来|帮我|给我|请|那)*(?:写|编|创作|续写)[^，,。！：: ]{0,8}(?:小说|故事|同人文?|"
    r"剧本)[吧呗啊]?[，,。！!： :]+"
    r"(?=(?:主角|你是|我是(?!想|说|要|在)|我叫|我演|我扮))",
    re.IGNORECASE,
)
_TRANSLATES = Expression(
    r"\b(?:translate|interpret) (?:everything|anything|whatever|all(?: the messages)?) (?:that )?(?:i|we) "
    r"(?:write|say|send|type|paste)\b|"
    r"我(?:接下来|之后|以后)?(?:[说发写讲]|输入)的?(?:什么|每一?句话?|所有|话|内容|东西)[^，,。]{0,6}[都就](?:帮我|给我)?(?:翻译|译)",
    re.IGNORECASE,
)
"""Asks to translate all that is said from then on; that it is asked is the user's own."""
_LABEL = Expression(
    r"\s*(?:(?:a|the|short|bedtime|horror|fantasy) )*(?:story|scene|fan ?fic(?:tion)?|fiction|screenplay|"
    r"monologue)\s*[:：]\s*(?!.{0,30}"
    r"(?:points?|as an? \w+,? i want))",
    re.IGNORECASE,
)
"""Before a story that is told in the one message."""

_ENDS = Expression(
    r"\b(?:stop|end|quit|exit|pause|leave|finish|enough (?:of|with)|done with|no more|out of|break) "
    r"(?:the |this |our |with the |all this )*(?:role-?\s?play(?:ing)?|rp|game|story|pretending|pretend|scene|"
    r"character|act)\b|"
    r"\bback to (?:reality|real life|normal|business|the real world|work)\b|\bout of character\b|(?:^|\W)ooc\b|"
    r"(?:^|[.!?\n,;]\s{0,3})(?:(?:ok(?:ay)?|but|no|now|and|alright|right|anyway|so)[, ]+)+(?:seriously|for real)\b|"
    r"\b(?:seriously|for real) (?:now|though|tho)\b|(?:^|[.!?\n]\s{0,3})(?:for real|real talk|on a serious note|irl|"
    r"in real life)\b|"
    r"\b(?:jok(?:es|ing)|kidding) aside\b|\b(?:game|story|role-?\s?play)(?:['’]s| is)? over\b|^\W*the end\b|"
    r"\blet['’]?s stop (?:here|now|there|playing|pretending)\b|\bdrop the act\b|\bthat was fun\b|"
    r"(?:^|[.!?\n]\s{0,3})(?:new topic|different topic|change of (?:topic|subject)|moving on|real question)\b|"
    r"不玩了|不演了|不扮了|不编了|不写了|(?:stop|no need to|don['’]t) translat(?:e|ing)\b|(?:别|不用|不要|"
    r"停止)(?:再)?翻译|[说讲聊谈问]点?回?正经|正经[的事话问说]|说真的|认真[说讲问]|言归正传|回到?现实|现实(?:中|里|生活)|"
    r"(?:停止|结束|退出|停下|别再?|不)(?:再)?(?:角色)?扮演|(?:游戏|故事|扮演|小说)(?:到此|就?到这|结束|先到这|完了)|出戏|跳出角色|"
    r"到此为止|先到这|换个话题",
    re.IGNORECASE,
)

_TONGUE = (
    r"(?:english|german|french|spanish|italian|portuguese|dutch|chinese|mandarin|cantonese|japanese|korean|polish|greek|"
    r"swedish|danish|norwegian|finnish|turkish|arabic|hindi|russian|ukrainian|czech|hebrew|latin|welsh|irish|thai|vietnamese)"
)
_WORKS = (
    r"(?:translate|rewrite|reword|rephrase|paraphrase|proof-?read|copy-?edit|correct|fix|edit|polish|shorten|"
    r"simplify|summari[sz]e)"
)
_ANNOUNCED = r"(?:the |my )?(?:following|next)\b|what(?:ever)? i (?:write|say|send|paste|type)(?: you)? next|this\b"
_POLITE = (
    r"\W*(?:(?:(?:can|could|would|will) you|please|pls|now|just|hey|hi|ok|so|also|help me|i need you to|"
    r"let['’]s)[, ]+)*"
)
_ZH_POLITE = r"\s*(?:请|麻烦|帮我|帮忙|你|再|把|给我|那|可以|能)*"
_ZH_ANNOUNCED = r"(?:下面|以下|下一?[句段条]|接下来|这)"
_ZH_WORKS = r"(?:翻译|译|润色|改写|修改|校对|缩写|扩写|精简|纠错|改错)(?:一?下)?"
_ANNOUNCES = Expression(
    rf"{_POLITE}(?:{_WORKS}\b[^:.?!\n]{{0,60}}[:：]|{_WORKS} (?:{_ANNOUNCED})[^:.?!\n]{{0,40}}[.?!]*|"
    rf"(?:turn|put) (?:{_ANNOUNCED})[^:.?!\n]{{0,20}} (?:in)?to {_TONGUE}[.?!]*|"
    rf"translate(?: (?:from {_TONGUE} )?(?:in)?to {_TONGUE})(?: please| pls)?[.?!]*|"
    rf"how (?:do|would|can|to)(?: i| you| we| one)? ?say(?: this)? in {_TONGUE}[:?]*)\s*$|"
    rf"{_ZH_POLITE}{_ZH_ANNOUNCED}[^：:。，,上刚]{{0,10}}{_ZH_WORKS}[^：:。，,上刚]{{0,8}}[：:。.!！]*\s*$|"
    rf"{_ZH_POLITE}{_ZH_WORKS}(?:{_ZH_ANNOUNCED}[^：:。，,]{{0,8}}[：:]?|[^：:。，,上刚那它]{{0,10}}[：:]|"
    r"(?:成|为|到)[^：:。，,上刚那它]{1,4}[文语话](?:吧|一下)?)[。.!！]*\s*$|"
    r"\s*(?:用)?[\u4e00-\u9fff]{1,2}[文语]怎么说[：:？?]*\s*$",
    re.IGNORECASE,
)
"""A whole message that asks for work on a text and does not have it."""
_HAS_TEXT = Expression(
    rf"{_POLITE}{_WORKS}\b[^:\n]{{0,60}}[:：]\s*\S|"
    r"\s*(?:请|麻烦|帮我|你|再|把)*(?:翻译|译|润色|改写|修改|校对)[^：:\n]{0,16}[：:]\s*\S",
    re.IGNORECASE,
)
"""A message that asks for it and has the text."""
_GOES_ON = Expression(
    r"\s*(?:and |now |then |ok |next |the next |another |one more )*(?:next(?: one)?|this(?: one)?|another(?: one)?|"
    r"one more|"
    r"sentence|line)\s*[:：]|\s*(?:再来|然后|接着)?(?:下一?[句段条个]|还有(?:一句)?|再来一句|这[句段条])[：:]",
    re.IGNORECASE,
)
"""Begins another text, right after one."""
_ANSWERS = Expression(
    r"\s*(?:thanks?|thank you|thx|ta|cheers|great|perfect|nice|cool|awesome|good|lovely|never ?mind|wait|btw|"
    r"by the way)\b|"
    r"\s*(?:谢谢|多谢|好的|好了|不错|可以了|辛苦|算了|不用了|等等|对了|顺便)",
    re.IGNORECASE,
)
"""Begins what is said to who has done the work, or instead of the text."""
_MAY_BEGIN = Expression(
    rf"play|interpret|\bturn\b|\bput\b|pretend|story|tale|novel|fic|adventure|\byou be\b|{_WORKS}|\bsay\b|扮|演|当|"
    rf"做|小说|故事|同人|"
    rf"剧本|译|"
    rf"润色|改|校对|写|纠|cosplay|怎么说",
    re.IGNORECASE,
)
"""Stands in all that may begin a frame: what has none of it is not looked at."""


_RUNS = re.compile(r"(\s)\s+")


def frame_of(text: str, earlier: Sequence[str]) -> Frame | None:
    """Return the frame in which a message of the user stands, or its end does. earlier: what he said before it."""
    told = [_opening(each[: 2 * _LOOKED_AT]) for each in earlier[-EARLIER:]]
    first = next((number for number, (_, may_begin) in enumerate(told) if may_begin), len(told))
    state = _Talk()
    for each, _ in told[first:]:
        state.hear(each)
    return state.hear(text[:_LOOKED_AT])


@lru_cache(maxsize=_REMEMBERED)
def _opening(text: str) -> tuple[str, bool]:
    """Return how a message begins, and whether that may begin a frame."""
    opening = _RUNS.sub(r"\1", text)[:_LOOKED_AT]
    return opening, _MAY_BEGIN.search(opening) is not None


class _Signs(NamedTuple):
    """What a message has, whatever was said before it. begins: the reason, how many messages it lasts, the frame."""

    announces: bool
    has_text: bool
    answers: bool
    goes_on: bool
    ends: bool
    begins: tuple[str, int, Frame] | None
    translates: bool
    is_labelled: bool


@lru_cache(maxsize=_REMEMBERED)
def _signs(text: str) -> _Signs:
    words = masked(text, masks(text))
    ended = max((found.end() for found in _ENDS.finditer(words)), default=-1)
    return _Signs(
        announces=_ANNOUNCES.match(words) is not None,
        has_text=_HAS_TEXT.match(text) is not None,
        answers=_ANSWERS.match(text) is not None,
        goes_on=_GOES_ON.match(text) is not None,
        ends=ended >= 0,
        begins=_begun(words, max(ended, 0)),
        translates=_TRANSLATES.search(words) is not None,
        is_labelled=_LABEL.match(words) is not None,
    )


def _begun(words: str, start: int) -> tuple[str, int, Frame] | None:
    for pattern, reason, lasts in ((_PLAYS, _PLAY, EARLIER), (_TELLS, _TALE, _STORY)):
        found = pattern.search(words, start)
        if found is not None:
            is_all = not words[: found.start()].strip()
            return reason, lasts, Frame(0 if is_all else found.start(), reason)
    return None


class _Talk:
    """What is going on in a session, message by message."""

    def __init__(self) -> None:
        self._playing = ""  # the reason
        self._left = 0  # messages until it is over
        self._expects = False  # the next message is the text
        self._had_text = False  # the message before was, or had one

    def hear(self, text: str) -> Frame | None:
        """Take in the next message; return where its words are not the user's own."""
        signs = _signs(text)
        if self._is_given(signs):
            return Frame(0, _GIVEN)
        if signs.ends:
            self._playing, self._left = "", 0
        if signs.begins is not None:
            self._playing, self._left, begun = signs.begins
            return begun
        if signs.translates:
            self._playing, self._left = _GIVEN, EARLIER
            return None
        self._left -= 1
        if self._playing and self._left >= 0:
            return Frame(0, self._playing)
        self._playing = ""
        return Frame(0, _TALE) if signs.is_labelled else None

    def _is_given(self, signs: _Signs) -> bool:
        """Return whether a message is a text to work on, and note whether one is announced."""
        expects, had = self._expects, self._had_text
        self._expects = signs.announces
        is_text = not self._expects and ((expects and not signs.answers) or (had and signs.goes_on))
        self._had_text = not self._expects and (signs.has_text or is_text)
        return is_text


def outside(found: Iterator[Draft | Skip], text: str, path: str, earlier: Earlier) -> Iterator[Draft | Skip]:
    """Yield what was read in a message, without the drafts of what stands in a frame: of them all one Skip."""
    frame: Frame | None = None
    looked = told = False
    for each in found:
        if isinstance(each, Skip) or each.span is None:
            yield each
            continue
        if not looked:
            frame, looked = frame_of(text, earlier()), True
        if frame is None or each.span[1] <= frame.start:
            yield each
        elif not told:
            told = True
            yield Skip(path, each.span, "framed", frame.reason)
