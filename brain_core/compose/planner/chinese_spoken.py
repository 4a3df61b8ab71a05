"""Chinese as it is spoken and written elsewhere, in the words that the planner's patterns know.

Cantonese and Sichuanese words of grammar as those of Mandarin. Every character stays one character, so places in the
text returned are places in the text.
"""

from __future__ import annotations

import re

from brain_core.extract.chinese.spoken import CANTONESE

_LETTERS = "咪别 係系"
_TABLE = {ord(pair[0]): ord(pair[1]) for pair in _LETTERS.split()} | CANTONESE
_WORDS = {
    "几多": "多少",
    "乜嘢": "什么",
    "咩嘢": "什么",
    "点解": "为何",
    "点样": "怎样",
    "点算": "咋办",
    "几时": "何时",
    "啥子": "什么",
    "咋个": "怎么",
    "唔该晒": "谢谢啦",
    "边个": "哪位",
    "咩": "啥",
    "边度": "哪里",
    "边": "哪",
    "係": "是",
    "话": "说",
    "琴日": "昨日",
    "寻日": "昨日",
    "琴晚": "昨晚",
    "寻晚": "昨晚",
    "今朝": "今早",
    "旧年": "去年",
    "听日": "明日",
    "噚日": "昨日",
    "噚晚": "昨晚",
    "前日": "前天",
    "头先": "刚才",
    "啱啱": "刚刚",
    "啱先": "刚才",
    "近排": "最近",
    "呢排": "近来",
    "呢": "这",
    "今个": "这个",
}
_NOT_A_SIDE = r"(?<![一两旁这那四左右上下里外前后身对周岸路海河湖手街东南西北半])"
_SPOKEN = re.compile(
    r"琴[日晚]|(?<!追)寻[日晚](?![出落照期本])|(?<!看)今朝(?!有酒)|旧年(?![历俗货])|听日(?![语剧本歌])|噚[日晚]|"
    r"(?<![目天])前日(?!本|[子期语])|头先(?=[我你佢])|啱[啱先]|[近呢]排(?![名行列队骨放污练版卡座])|呢(?=个(?:月|"
    r"星期|礼拜|年)|[几两]日)|今个(?=月|星期|礼拜|年)|几多|[乜咩]嘢|几时|啥子|咋个|唔该晒|"
    r"(?<=[叫做有食饮买咗过讲要想])咩|咩(?=[名事人料色])|"
    r"(?<![一优缺特重有个那这])点(?:解(?!决|除|读|析|锁|答)|样(?!本|品|式)|算)|"
    rf"{_NOT_A_SIDE}边(?:个(?![一-鿿]{{0,4}}[好平抵快])|度|(?=[个位款间家只类种条份日几]))|"
    r"(?<![关联干])係(?![数统列])|(?<=[我你佢])话(?![题剧音说费筒里没还多少别])"
)


def as_written(text: str) -> str:
    """Return a text whose characters are folded (text/script.py) in written Mandarin, of the same length."""
    return _SPOKEN.sub(lambda match: _WORDS[match[0]], text).translate(_TABLE)
