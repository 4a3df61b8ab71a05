"""Names in texts: as words of their own."""

from __future__ import annotations

import pytest

from brain_core.text.naming import folded, occurrences


@pytest.mark.parametrize(
    ("name", "text", "starts"),
    [
        ("Mei", "Ask Mei's boss, not Meiling; MEI knows", [4, 29]),
        ("mei lin", "Mei  Lin, Mei Lin", [10]),
        ("林梅", "我问林梅了,林梅说好", [2, 6]),
        ("api", "用API写的api服务", [1, 6]),
        ("smart_rag", "acme/smart_rag and smart_rag2", [5]),
        ("ｍｅｉ", "mei", [0]),
        ("", "mei", []),
        ("mei", "", []),
        ("aa", "aaa aa", [4]),
    ],
)
def test_a_name_stands_where_it_is_a_word_of_its_own(name: str, text: str, starts: list[int]) -> None:
    assert list(occurrences(folded(name), folded(text))) == starts
