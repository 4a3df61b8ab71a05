"""The file of words of like meaning: what it says, and that a wrong one is refused by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from brain_core.models.static import built_in
from brain_core.models.thesaurus import FILE, Neighbours, built_in_thesaurus, read_neighbours, write_neighbours

SMALL = Neighbours(
    english=["car", "auto"],
    starts=np.array([0, 2, 3, 4], dtype=np.int32),
    targets=np.array([0, 1, 2], dtype=np.int32),
    others=np.array([1, 2, 0, 0], dtype=np.uint16),
    likeness=np.array([200, 150, 200, 150], dtype=np.uint8),
)
"""Two English words, and a lexicon of one."""


def others(text: str, *, translated: bool) -> set[str]:
    found = built_in_thesaurus().alike(text)
    return {"".join(terms) for one in found if one.translated == translated for terms, _ in one.others}


def test_words_have_those_like_them_in_both_languages() -> None:
    assert {"bought", "purchas"} <= others("buy", translated=False)
    assert "购买" in others("buy", translated=True)
    assert {"doctor", "physician"} <= others("医生", translated=True)
    assert not others("医生", translated=False)
    assert not built_in_thesaurus().alike("Xqzzt blorptang")
    assert not built_in_thesaurus().alike("")


def test_the_likest_come_first_and_none_is_the_word_itself() -> None:
    for one in built_in_thesaurus().alike("Which restaurant did the doctor recommend? 医生推荐了哪家餐厅？"):
        likeness = [how for _, how in one.others]
        assert likeness == sorted(likeness, reverse=True)
        assert 0.39 <= likeness[-1] <= likeness[0] <= 1
        assert all(set(terms) != set(one.terms) for terms, _ in one.others)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_neighbours(SMALL, tmp_path / "alike.safetensors")
    read = read_neighbours(tmp_path / "alike.safetensors", 1)
    assert read.english == SMALL.english
    for name in ("starts", "targets", "others", "likeness"):
        np.testing.assert_array_equal(getattr(read, name), getattr(SMALL, name))


@pytest.mark.parametrize(
    ("damaged", "lexicon", "named"),
    [
        (SMALL, 2, "made for another lexicon"),
        (replace(SMALL, likeness=SMALL.likeness[:3]), 1, "do not belong together"),
        (replace(SMALL, others=SMALL.others + np.uint16(9)), 1, "names words that it has not"),
        (replace(SMALL, targets=np.array([0, 1, 7], dtype=np.int32)), 1, "made for another lexicon"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, damaged: Neighbours, lexicon: int, named: str) -> None:
    file = tmp_path / "alike.safetensors"
    write_neighbours(damaged, file)
    with pytest.raises(ValueError, match=named) as refused:
        read_neighbours(file, lexicon)
    assert str(file) in str(refused.value)


def test_a_torn_or_missing_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "alike.safetensors"
    with pytest.raises(ValueError, match="not a readable thesaurus"):
        read_neighbours(file, 1)
    file.write_bytes(FILE.read_bytes()[:1000])
    with pytest.raises(ValueError, match="not a readable thesaurus"):
        read_neighbours(file, 1)


def test_the_shipped_file_fits_the_shipped_words() -> None:
    chinese = built_in().chinese
    assert chinese is not None
    assert len(read_neighbours(FILE, len(chinese)).english) > 20_000
