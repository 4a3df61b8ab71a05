"""What a long tool output tells in short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain_core.text.excerpt import excerpt

_PASS = "".join(f"PASS src/part{number}.test.ts ({number} ms)\n" for number in range(200))


@pytest.mark.parametrize(
    ("log", "wanted"),
    [
        (f"{_PASS}FAIL src/cart.test.ts\n  Expected: 3\n{_PASS}Tests: 1 failed, 400 passed", "FAIL src/cart.test.ts"),
        (f"{_PASS}src/a.ts(3,7): error TS2322: no number\n{_PASS}Found 1 error.", "TS2322"),
        (f"{_PASS}[ERROR] 编译失败：找不到符号 Cart\n{_PASS}BUILD FAILURE", "找不到符号"),
        (f"{_PASS}done in 3 s", "done in 3 s"),
    ],
)
def test_it_has_what_failed_and_how_it_ended(log: str, wanted: str) -> None:
    short = excerpt(log, 300)
    assert wanted in short
    assert log.splitlines()[-1] in short
    assert len(short) <= 300
    assert "…" in short


def test_what_says_that_nothing_failed_is_no_failure() -> None:
    log = f"0 errors, 0 warnings\n{_PASS}TypeError: x is undefined\n{_PASS}没有错误\nok"
    assert "TypeError" in excerpt(log, 120)


def test_a_short_one_is_whole() -> None:
    assert excerpt("a\n\nb", 10) == "a\n\nb"


@given(st.text(max_size=400), st.integers(1, 200))
def test_it_is_never_too_long_and_says_what_stands_there(text: str, longest: int) -> None:
    short = excerpt(text, longest)
    assert len(short) <= longest
    if len(text) > longest:
        for line in short.splitlines():
            assert line.removesuffix("…").strip() in text or not line.strip("…")
