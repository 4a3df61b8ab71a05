"""Cantonese as it is written down, in the words of written Mandarin that the rules and the judge know.

Every character stays one character, so places in a text returned are places in the text.
"""

from __future__ import annotations

import re

from brain_core.text.script import fold

_CHARACTERS = """
唔不 嘅的 咗了 喺在 畀给 俾给 搵找 睇看 冇没 佢他 哋们 嗰那 咁这 啲些 嚟来 攰累 瞓睡 諗想 谂想 嬲气
"""
CANTONESE = {ord(pair[0]): ord(pair[1]) for pair in _CHARACTERS.split()}
"""Characters that Mandarin has not, folded, and what says the same in it: a table for str.translate."""

_WORDS = {
    "係": "是",
    "返工": "上班",
    "收工": "下班",
    "放工": "下班",
    "返学": "上学",
    "屋企": "家里",
    "钟意": "喜欢",
    "老细": "老板",
    "细佬": "弟弟",
    "家姐": "姐姐",
    "大佬": "哥哥",
    "阿妈": "妈妈",
    "阿爸": "爸爸",
    "阿嫲": "奶奶",
    "个仔": "儿子",
    "个女": "女儿",
    "成日": "经常",
    "而家": "现在",
    "依家": "现在",
    "啱啱": "刚刚",
    "一齐": "一起",
    "今日": "今天",
    "听日": "明天",
    "寻日": "昨天",
    "琴日": "昨天",
    "上昼": "上午",
    "下昼": "下午",
    "晏昼": "中午",
    "朝早": "早上",
    "揸车": "开车",
    "识": "会",
    "食": "吃",
    "饮": "喝",
    "返": "回",
    "咗去": "到了",
    "喇": "了",
    "紧": "着",
}
_OVER = r"喇(?=[,，。!！?？~～\s]|$)"
_DOING = r"(?<=[用做食饮睇住学读写玩追等搵])紧(?![张急要密跟接随])"
_REACTS = r"(?:对|[食吃饮喝])[^,，。对]{1,8}?(?:会)?敏感(?![度词性期肌])"
_IS = r"(?<![关联干体])係(?![数统列])"
_SIGN = re.compile(
    rf"[{''.join(pair[0] for pair in _CHARACTERS.split())}]|{_IS}|嘢|啱啱|屋企|钟意|老细|细佬|阿嫲|[我佢]个[仔女]|"
    rf"[上下晏]昼|[听寻琴]日(?=[上下晏朝我要去])|{_OVER}|{_DOING}|食(?:完|到|唔)"
)
"""What says that a text is Cantonese: its other words are Mandarin ones of another sense (返工, 识)."""
_SPOKEN = re.compile(
    rf"{_IS}|返[工学]|[收放]工|屋企|钟意|老细|细佬|家姐|大佬|阿[妈爸嫲]|(?<=[我佢])个[仔女]|成日|[而依]家|啱啱|一齐|[今听寻琴]日|"
    r"[上下晏]昼|朝早|揸车|(?<![认知见常意赏学胆])识(?![别字趣])|(?<![零美素饮粮主甜熟副速膳伙])食(?![物堂品谱材欲量指用疗宿])|"
    r"(?<![冷热餐])饮(?![料食用水品])|返(?![还修])|"
    rf"咗去|{_OVER}|{_DOING}"
)


def as_mandarin(text: str) -> str:
    """Return a text folded (script.py), and where it is Cantonese, with the words of Mandarin; of the same length."""
    folded = fold(text)
    if _SIGN.search(folded) is None:
        return folded
    reacts = _ALLERGIC.sub(lambda match: match[0].removesuffix("敏感") + "过敏", folded)
    return _SPOKEN.sub(lambda match: _WORDS[match[0]], reacts).translate(CANTONESE)


_ALLERGIC = re.compile(_REACTS)
"""In Cantonese one is 敏感 to what one is allergic to."""
