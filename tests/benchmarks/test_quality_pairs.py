"""The sentences that Chinese words are fitted on."""

from pathlib import Path

import pytest

from brain_core.models.chinese import HAN

FILES = sorted(Path("benchmarks/quality/static/pairs").glob("*.tsv"))


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_each_line_is_a_chinese_sentence_and_its_english_one(file: Path) -> None:
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        chinese, english = line.split("\t")
        assert HAN.search(chinese), (number, line)
        assert english.strip() and not HAN.search(english), (number, line)


def test_no_pair_stands_twice() -> None:
    lines = [line for file in FILES for line in file.read_text("utf-8").splitlines()]
    assert len(lines) == len(set(lines)) > 3000
