"""Text to search terms for the keyword baseline: stemmed words, CJK bigrams, no stop words.

Written for the benchmark and independent of the product's own analysis, so that the two can disagree.
"""

import re

import Stemmer

# The Snowball project's English stop words (https://snowballstem.org/algorithms/english/stop.txt), without their
# contractions: apostrophes end a word here, and what they leave behind ("don", "ll", "s") is listed at the end.
_STOP_LIST = """
    i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
    it its itself they them their theirs themselves what which who whom this that these those am is are was were be been
    being have has had having do does did doing will would shall should can could may might must ought a an the and but
    if or because as until while of at by for with about against between into through during before after above below
    to from up down in out on off over under again further then once here there when where why how all any both each few
    more most other some such no nor not only own same so than too very
    s t d m ll re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn shan shouldn couldn mustn
"""
STOP_WORDS = frozenset(_STOP_LIST.split())

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_RUNS = re.compile(f"([{_CJK}]+)|([^\\W_{_CJK}]+)")


class Words:
    """Turns texts into terms. Keeps a stemmer, whose cache makes repeated words cheap; not for several threads."""

    def __init__(self) -> None:
        self._stemmer = Stemmer.Stemmer("english")

    def terms(self, text: str) -> list[str]:
        """Cut a text into terms, in its order.

        Each word lower-cased and stemmed unless it is a stop word; each run of CJK characters as its bigrams, a run of
        one character as itself.
        """
        terms: list[str] = []
        for cjk, word in _RUNS.findall(text.lower()):
            if cjk:
                terms.extend([cjk[i : i + 2] for i in range(len(cjk) - 1)] or [cjk])
            elif word not in STOP_WORDS:
                terms.append(self._stemmer.stemWord(word))
        return terms
