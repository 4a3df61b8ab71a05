"""Parts of addresses: readable in every script, and nothing in them ends a part."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain_core.addresses import address_part


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a b/c:d", "a%20b%2Fc%3Ad"),
        ("王小明", "王小明"),
        ("会 话/#?", "会%20话%2F%23%3F"),
        ("naïve_x.y~z-1", "naïve_x.y~z-1"),
        ("50% 折", "50%25%20折"),
        ("😀", "%F0%9F%98%80"),
        ("", ""),
    ],
)
def test_letters_and_digits_of_any_script_stand_as_they_are(text: str, part: str) -> None:
    assert address_part(text) == part


@given(st.text(), st.text())
def test_parts_come_apart_again(one: str, other: str) -> None:
    address = urlsplit(f"smartbrain://m/{address_part(one)}/{address_part(other)}")
    assert [unquote(part) for part in address.path.split("/")[1:]] == [one, other]
