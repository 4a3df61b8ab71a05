"""Texts of a few words in charsets that nobody declares: told by their letters, and said to be guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readers.reading import begin

CHINESE = [
    "会议改到周五", "明天下午三点开会", "张三住在上海", "我喜欢喝茶", "服务器密码已更换", "预算是三万元", "周五",
    "你好", "备注：加急", "缓存失效", "生日快乐", "饕餮盛宴", "镕基", "航班取消了", "快递到了", "测试",
]  # fmt: skip
TRADITIONAL = ["繁體中文測試", "會議改到週五", "明天下午三點開會", "我喜歡喝茶", "預算三萬元", "謝謝"]
JAPANESE = ["会議室は二階", "明日は休みです", "東京タワー", "田中さんへ", "お疲れ様です", "データベース"]
KOREAN = ["회의는 금요일", "안녕하세요", "서울에 살아요", "김철수", "내일 오후 세 시", "서버 비밀번호 변경"]
RUSSIAN = ["Встреча в пятницу", "привет мир", "Бюджет 30 тысяч рублей", "Иван живёт в Москве"]
WESTERN = ["Café", "40 €", "30 £", "naïve résumé", "año nuevo", "Größe", "Tschüß", "It’s fine", "Noël", "œuvre", "ÉTÉ"]
TEXTS = {
    "gb18030": [*CHINESE, *TRADITIONAL[:2]],
    "big5": TRADITIONAL,
    "euc_jp": JAPANESE,
    "cp932": JAPANESE,
    "euc_kr": KOREAN,
    "koi8_r": RUSSIAN,
    "cp1251": RUSSIAN,
    "cp1252": WESTERN,
    "cp1250": ["zażółć gęślą jaźń i dalej jak zwykle w domu"],
    "cp1253": ["Καλημέρα κόσμε, τι κάνεις σήμερα"],
    "utf-16-le": ["会议改到周五，我们在上海开会。"],
    "utf-16-be": ["会议改到周五，我们在上海开会。"],
}


@pytest.mark.parametrize("name", ["a.txt", "a.log", "a.md", "a.c"])
@pytest.mark.parametrize(("encoding", "text"), [(encoding, text) for encoding in TEXTS for text in TEXTS[encoding]])
def test_a_few_words_are_read_in_the_charset_that_makes_words_of_them(
    folder: Path, encoding: str, text: str, name: str
) -> None:
    reading = begin(folder, text.encode(encoding), name)
    assert "".join(section.text for section in reading.sections) == text
    assert len(reading.warnings) == 1
    assert "(guessed)" in reading.warnings[0]


@pytest.mark.parametrize("text", CHINESE)
def test_chinese_among_code_and_in_tables_is_read_as_chinese(folder: Path, text: str) -> None:
    for name, around in {
        "a.c": "/* {} */\nint x = 1;\n",
        "a.csv": "name,note\nLi,{}\n",
        "a.log": "10:00 {} id=3",
    }.items():
        sections = begin(folder, around.format(text).encode("gbk"), name).sections
        assert text in "".join(section.text for section in sections)


def test_what_is_declared_or_sure_is_not_guessed(folder: Path) -> None:
    for content, media_type in (
        ("会议改到周五".encode("gbk"), "text/plain; charset=gbk"),
        ("会议改到周五".encode("gbk"), "; charset=gbk"),
        ("会议改到周五".encode(), ""),
        ("会议改到周五".encode("utf-16"), ""),
    ):
        reading = begin(folder, content, "a.txt", media_type)
        assert [section.text for section in reading.sections] == ["会议改到周五"]
        assert reading.warnings == []
