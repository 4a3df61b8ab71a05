"""Texts to fit the table on: only such whose licence lets a model made from them be shipped.

Never the evaluation sets that `shared/data/README.md` marks no: locomo, beam_100k, xquad, cmrc2018, cranfield. Manuals,
package descriptions and documentation are those of the machine this runs on, so a run elsewhere sees other ones.
"""

import gzip
import importlib.metadata
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.datasets import load_data
from benchmarks.quality.static.glosses import gloss_texts
from benchmarks.quality.static.python_docs import docstrings, functions, passages
from benchmarks.quality.static.sentences import sentences

_ROFF = re.compile(r"\\f[A-Z]|\\f\(\w\w|\\s[-+]?\d|\\&|\\\||\\/|\\,|\\c")
_SEED = 7


def sample(texts: Iterable[str], most: int) -> list[str]:
    """Return at most `most` different texts, the same ones on every run."""
    distinct = sorted({" ".join(text.split()) for text in texts} - {""})
    random.Random(_SEED).shuffle(distinct)
    return distinct[:most]


def _turns(folder: Path) -> Iterator[str]:
    for conversation in load_data(folder).conversations:
        for session in conversation.sessions:
            for turn in session.turns:
                yield turn.text


def chat_turns(data: Path) -> Iterator[str]:
    """Yield whole turns of RealMem and MemoryBank, and the questions RealMem asks."""
    yield from _turns(data / "realmem")
    yield from (question.text for question in load_data(data / "realmem").questions)
    yield from _turns(data / "memorybank_en")


def chat_sentences(data: Path) -> Iterator[str]:
    """Yield the sentences of those turns."""
    for turn in chat_turns(data):
        yield from sentences(turn)


def code(data: Path) -> Iterator[str]:
    """Yield CoSQA's functions, as they stand."""
    yield from _turns(data / "cosqa")


def code_queries(data: Path) -> Iterator[str]:
    """Yield CoSQA's web queries; never which function answers which."""
    yield from (question.text for question in load_data(data / "cosqa").questions)


def wordnet(folder: Path) -> Iterator[str]:
    """Yield "word, word: definition" and the example sentences of WordNet 3.0 (Debian's wordnet-base, unpacked)."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
            if line.startswith("  ") or " | " not in line:
                continue
            head, gloss = line.split(" | ", 1)
            fields = head.split()
            words = [one.replace("_", " ").split("(")[0] for one in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]
            definition, *examples = gloss.split('; "')
            yield f"{', '.join(words[:3])}: {definition.strip()}"
            yield from (example.strip('" ;') for example in examples)


def manuals(folder: Path) -> Iterator[str]:
    """Yield one-line descriptions and sentences of the English manual pages under a man folder."""
    for page in sorted(folder.glob("man[1-8]/*.gz")):
        if page.name.startswith("gcloud"):  # 15,000 near-identical pages, where it is installed
            continue
        text = gzip.decompress(page.read_bytes()).decode("utf-8", "replace")
        paragraph: list[str] = []
        for line in [*text.splitlines(), "."]:
            if line.startswith((".", "'")) or not line.strip():
                yield from sentences(" ".join(paragraph))
                paragraph = []
            else:
                paragraph.append(_ROFF.sub("", line).replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\"))


def package_descriptions(available: Path) -> Iterator[str]:
    """Yield what packages say of themselves: `apt-cache dumpavail`'s short lines, and Python packages' READMEs."""
    for line in available.read_text("utf-8").splitlines():
        if line.startswith("Description: "):
            yield line.removeprefix("Description: ")
    for distribution in importlib.metadata.distributions():
        head, _, readme = (distribution.read_text("METADATA") or "").partition("\n\n")
        yield from (line.removeprefix("Summary: ") for line in head.splitlines() if line.startswith("Summary: "))
        yield from sentences(readme)


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the texts are."""

    data: Path  # evaluation data: realmem, memorybank_en and cosqa are read
    wordnet: Path  # data.noun, data.verb, … of WordNet 3.0
    packages: Path  # what `apt-cache dumpavail` prints
    manuals: Path  # man1 … man8


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of text."""

    texts: Callable[[], Iterator[str]]
    most: int  # texts to use
    times: int = 1  # what each of them counts


def sources(origins: Origins) -> dict[str, Source]:
    """Return the kinds of text by name.

    Short texts are the most by far: what a word means is clear there, where in a long turn it is one of many.
    """
    return {
        "code": Source(lambda: code(origins.data), 7_000, times=3),
        "code_queries": Source(lambda: code_queries(origins.data), 2_000, times=3),
        "functions": Source(functions, 2_000, times=3),
        "chat_turns": Source(lambda: chat_turns(origins.data), 4_000),
        "chat_sentences": Source(lambda: chat_sentences(origins.data), 50_000),
        "dictionary": Source(gloss_texts, 50_000),
        "wordnet": Source(lambda: wordnet(origins.wordnet), 120_000),
        "docstrings": Source(docstrings, 70_000),
        "passages": Source(passages, 5_000),
        "manuals": Source(lambda: manuals(origins.manuals), 20_000),
        "packages": Source(lambda: package_descriptions(origins.packages), 20_000),
    }
