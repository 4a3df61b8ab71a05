"""Texts that say nothing by themselves, in English and Chinese: assents, thanks, greetings, words that only point.

"yes go ahead" answers what was said before it, 「好的，周老板。」 closes it: beside that they are worth a
line, else none. The word lists are closed classes. A name or a number is content: "Tuesday" may be the whole answer.
"""

from __future__ import annotations

import re
import unicodedata

from brain_core.text.expression import Expression
from brain_core.text.words import STOP_WORDS, is_cjk, pieces

_LONGEST = 80
"""Characters from which on a text is taken to say something."""

_WORDS = STOP_WORDS | frozenset(
    (  # noqa: SIM905  as a list of literals it would fill two screens
        # assent, denial
        "ok okay okey okie k kk yes yeah yea yep yup ya aye nah nope sure surely certainly absolutely definitely "
        "indeed exactly precisely right correct true agreed alright deal done noted understood roger fair enough "
        "course "
        # praise and thanks
        "great good fine nice lovely perfect excellent wonderful brilliant fantastic awesome amazing marvellous super "
        "cool neat sweet grand better best thanks thank thankyou thx ty tysm cheers ta please pls plz kind appreciate "
        "appreciated helpful sorry welcome pleasure glad worries worry problem sounds sound makes make sense bad idea "
        "plan point luck bless likewise "
        # greetings and interjections
        "hi hello hey hiya howdy bye goodbye cya later goodnight oh ah aha hmm hm mm mmm uh um er well wow whoa ouch "
        "oops lol lmao haha hahaha hehe ha phew yay hooray dear darling mate buddy pal folks friend everyone sir madam "
        # what the rest of such a sentence is made of
        "about again all already also always any anyone anything anytime else ever every everything few first from go "
        "going ahead got get gonna hear here hope isn aren wasn weren didn doesn couldn wouldn shouldn "
        "won haven hasn hadn just know let little lot lots many may maybe might more most much must never "
        "next nothing now off one only or out over perhaps quite really same say see shall since so some someone "
        "something soon still tell think though too totally up very way were whatever without yet "
        "both because been ok'd tho u ur thats im ill ive dont didnt cant"
    ).split()
)

_PHRASES = re.compile(
    r"\b(?:good (?:morning|afternoon|evening|night|day)|"
    r"(?:have|enjoy) (?:you )?(?:a|an|the|your) (?:\w+ )?(?:day|morning|afternoon|evening|night|weekend|rest|time)|"
    r"take care|in (?:touch|mind)|(?:you|u) bet|no doubt|by all means|for (?:sure|real)|(?:the )?same here|as well|"
    r"at all|"
    r"i(?:'d| would)? (?:like|love) (?:it|that|this|to)|(?:happy|glad) to (?:help|hear)|(?:any|next|last) time|"
    r"in (?:a|no) (?:moment|minute|sec|time))\b"
)
"""Several words that are a courtesy, though one of them alone is not."""

_TITLE = (
    r"(?:老师|老師|老板|老闆|老大|师傅|師傅|医生|醫生|大夫|同学|同學|先生|小姐|女士|太太|经理|經理|主任|总|總|哥|姐|叔|姨|"
    r"阿姨|爷|奶奶|妈|爸|媽|亲|親|亲爱的|朋友|宝|大家)"
)
_CALLED = rf"[一-鿿]{{0,3}}{_TITLE}"
_SAID = (
    r"好|[嗯哦噢喔啊哈呵嘿嘻哎唉诶欸哇呀哟唔呃额呜啦吧呢吗嗎么嘛呗喽咯哒的了滴]|行|成|中|可以|能|没问题|沒問題|没事儿?|沒事|没关系|沒關係|"
    r"不客气|不客氣|[谢謝]|多[谢謝]|感[谢謝]|辛苦|麻[烦煩]|[对對]|是|没[错錯]|沒錯|不[错錯]|有道理|"
    r"明白|知道|懂|了解|收到|记住|記住|记下|記下|记着|听到|聽到|主意|太|真|很|挺|非常|特别|特別|十分|超|這麼|那麼|"
    r"棒|厉害|厲害|完美|赞|讚|妙|必须|必須|当然|當然|同意|贊成|放心|理解|不|[没沒](?!有)|[没沒]有事?|需要|要|用|必|急|先|暂时|暫時|还|還|"
    r"再|就|都|也|又|才|只|那|这|這|它|个|個|样|樣|你|您|我|咱|自己|原来|原來|如此|所以|然后|然後|因为|因為|但|"
    r"不过|不過|早安?|午安|晚安|早上好|上午好|中午好|下午好|晚上好|再见|再見|拜|回见|回头见|慢走|保重|加油|一下|一点|一點|"
    r"什么|什麼|怎么|怎麼|为什么|為什麼|为啥|咋|谁|誰|哪里?|哪儿|啥|有事|有什么|随时|隨時|说|說|讲|講|问|問|找|叫|喊|告诉|告訴|"
    r"听|聽|[来來去]吧|继续|繼續|照做|[办辦定]|觉得|覺得|时|時|"
    r"祝(?:你|您|你们|大家|一切|都)*(?:顺利|順利|愉快|好运|好運|成功|开心|開心|平安|健康)+"
)
_RUN = Expression(rf"(?:(?<![一-鿿]){_CALLED}(?=好)|{_SAID})+(?:(?<=[谢謝苦的好嗯]){_CALLED})?")
_NAMED = Expression(_CALLED)


def is_contentless(text: str) -> bool:
    """Return whether a text has no word that says something by itself; a question "where?" has none either."""
    if len(text) > _LONGEST:
        return False
    lower = _PHRASES.sub(" ", unicodedata.normalize("NFKC", text).lower().replace("’", "'"))
    called = said = False
    for piece in pieces(lower):
        if not is_cjk(piece):
            if not all(word in _WORDS for word in piece.replace("-", "'").split("'") if word):
                return False
            said = True
        elif _RUN.fullmatch(piece):
            said = True
        elif _NAMED.fullmatch(piece):
            called = True
        else:
            return False
    return said or not called
