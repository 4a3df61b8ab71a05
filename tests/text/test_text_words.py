"""Index terms of English, Chinese, identifiers, and of all of them in one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.text.script import fold
from brain_core.text.words import STOP_WORDS, Phrase, phrases, terms


def test_inflected_forms_share_a_stem() -> None:
    assert terms("walk walks walked walking") == ["walk"] * 4
    assert terms("Cats cat CAT") == ["cat"] * 3


def test_stop_words_are_dropped_whatever_their_case() -> None:
    assert terms("The cat AND the Dog") == ["cat", "dog"]
    assert terms(" ".join(sorted(STOP_WORDS))) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't", []),
        ("I'll go, they've gone", ["go", "gone"]),
        ("Anna's book", ["anna", "book"]),
        ("Anna’s book", ["anna", "book"]),
        ("the users' files", ["user", "file"]),
    ],
)
def test_contractions_and_possessives_leave_the_word(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("parse_config_file", ["pars", "config", "file"]),
        ("parseConfigFile", ["pars", "config", "file"]),
        ("HTTPServerError", ["http", "server", "error"]),
        ("numpy.random.shuffle", ["numpi", "random", "shuffl"]),
        ("/etc/nginx/nginx.conf", ["etc", "nginx", "conf"]),
        ("https://example.com/docs/intro", ["https", "exampl", "com", "doc", "intro"]),
        ("user@example.com", ["user", "exampl", "com"]),
        ("v1.2.3", ["v1", "2", "3"]),
        ("gpt-4o-mini", ["gpt", "4o", "mini"]),
    ],
)
def test_identifiers_are_found_whole_and_by_their_parts(identifier: str, parts: list[str]) -> None:
    found = terms(identifier)
    assert set(parts) <= set(found)
    assert set(terms(f"({identifier})")) == set(found), "punctuation around it changes nothing"
    whole = [word for word in found if len(word) > max(map(len, parts))]
    assert len(whole) == 1, "the whole is a term too"


def test_full_width_and_half_width_are_one() -> None:
    assert terms("ＡＢＣ１２３") == terms("ABC123")
    assert terms("ａｂｃ，ｘ") == terms("abc,x") == ["abc", "x"]
    assert terms("ﾃｽﾄ") == terms("テスト")


def test_accents_keep_composed_and_decomposed_alike() -> None:
    assert terms("café") == terms("cafe\u0301")


def test_chinese_becomes_bigrams_and_characters() -> None:
    assert terms("我喜欢咖啡") == ["我喜", "喜欢", "欢咖", "咖啡", *"我喜欢咖啡"]
    assert terms("你好，世界") == ["你好", *"你好", "世界", *"世界"], "no bigram across punctuation"


def test_a_question_of_one_character_finds_a_longer_run() -> None:
    assert set(terms("猫")) & set(terms("我养了一只猫叫毛毛"))


def test_a_single_chinese_character_stands_for_itself() -> None:
    assert terms("猫") == ["猫"]
    assert terms("好。") == ["好"]


def test_mixed_text_keeps_its_order() -> None:
    assert terms("我用Python写代码") == ["我用", *"我用", "python", "写代", "代码", *"写代码"]
    assert terms("GPU 价格 rose") == ["gpu", "价格", *"价格", "rose"]


def test_japanese_korean_and_rare_characters_have_terms() -> None:
    assert terms("ありがとう") == ["あり", "りが", "がと", "とう", *"ありがとう"]
    assert terms("안녕하세요") == ["안녕", "녕하", "하세", "세요", *"안녕하세요"]
    assert terms("𠮷野家") == ["𠮷野", "野家", *"𠮷野家"]


def test_nothing_gives_nothing() -> None:
    for text in ("", " \n\t", "!?…—", "，。！", "😀"):
        assert terms(text) == []


def test_a_term_is_bounded() -> None:
    assert terms("x" * 65) == []
    assert len(terms("x" * 64)) == 1


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_terms_that_a_snapshot_can_hold(text: str) -> None:
    for term in terms(text):
        assert term
        assert "\n" not in term


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab _.-'’AB01你好世"), max_size=60))
def test_case_changes_no_plain_word(text: str) -> None:
    assert set(terms(text.lower())) <= set(terms(text)), "a hump adds terms, it takes none away"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('find "black cat" now', ["black cat"]),
        ("“黑色的猫”和「白猫」与『狗』", ["黑色的猫", "白猫", "狗"]),
        ('"one" and "two"', ["one", "two"]),
        ('"" and "  "', []),
        ('an open "quote', []),
        ("no quote", []),
    ],
)
def test_phrases_stand_in_double_quotes(query: str, expected: list[str]) -> None:
    assert phrases(query) == expected


@pytest.mark.parametrize(
    ("phrase", "text", "holds"),
    [
        ("black cat", "Two BLACK cats.", True),
        ("black cat", "a black and a cat", False),
        ("to be or not", "to be, or not to be", True),
        ("to be or not", "not to be", False),
        ("cat black", "wildcat blackbird", False),
        ("色的", "黑色的猫", True),
        ("的", "黑色的猫", True),
        ("黑的", "黑色的猫", False),
        ("用Python写", "我用 Python写代码", False),
        ("用Python写", "我用ｐｙｔｈｏｎ写代码", True),
        ("parse config", "the parse_config_file", True),
        ("!?", "anything", True),
        ("bar.py", "see src/foo/bar.py", True),
        ("foo/bar.py", "see src/foo/bar.py", True),
        ("src/foo", "see src/foo/bar.py", True),
        ("example.com", "at https://example.com/docs/page", True),
        ("v1.2.3", "tagged v1.2.3-rc1", True),
        ("commit_many", "call client.commit_many()", True),
        ("user_id", "the column user_id_hash", True),
        ("README.md 文件", "打开 docs/README.md 文件", True),
        ("ar.py", "see src/foo/bar.py", False),
        ("foo.py", "see src/foo/bar.py", False),
        ("v1.2.3", "tagged v1.2.30", False),
        ("v1.2.4", "tagged v1.2.3-rc1", False),
        ("user_id", "the user has an id", False),
    ],
)
def test_a_phrase_stands_word_for_word(phrase: str, text: str, *, holds: bool) -> None:
    assert Phrase(phrase).is_in(text) is holds


_PIECES = (
    "bar.py",
    "src/foo/bar.py",
    "don't",
    "Mei's",
    "中文",
    "用RocksDB存",
    "fooBar_baz",
    "the",
    "Ｔｏｍ",
    "x" * 70,
    "한국",
    "v1.2",
)


@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=6), st.data())
def test_a_text_that_holds_a_phrase_has_the_sure_ones_of_its_terms(pieces: list[str], data: st.DataObject) -> None:
    text = " ".join(pieces)
    start = data.draw(st.integers(0, len(text) - 1))
    quoted = text[start : data.draw(st.integers(start + 1, len(text)))]
    phrase = Phrase(quoted)
    if phrase.has_words and phrase.is_in(text):
        assert phrase.sure_terms & set(terms(quoted)) <= set(terms(text))


@given(st.text(alphabet="aZ9_.-/':@ ,!?\n\t", max_size=120))
def test_what_is_beside_it_changes_no_ascii_text(text: str) -> None:
    assert terms(text) == terms(f"{text} ，")


@given(st.text(alphabet=st.sampled_from("a。，龍龙ＡＺ！\u3000\ud800\U0001f44d鱷鱸鳳飢乾"), max_size=40))
def test_folding_goes_by_the_character(text: str) -> None:
    assert fold(text) == "".join(map(fold, text))
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)
