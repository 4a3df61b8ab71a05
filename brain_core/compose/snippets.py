"""What a plan wants to be shown of an evidence's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smartbrain.v1.evidence_pb2 import Evidence
from smartbrain.v1.plan_pb2 import PlanOutput

from brain_core.compose.search import Candidates
from brain_core.index.derive import shown_text
from brain_core.index.records import Records
from brain_core.once import Once
from brain_core.text.best_window import best_window, cut_beginning
from brain_core.text.windows import summary_of
from brain_core.text.words import terms

_SUMMARY_CHARS = 200

WHOLE = "l2"
"""The policy that a text follows which is shown as far as there is room."""

SHORTER = ("l0", "l1")
"""Snippet policies under which a piece is one text, the title or the summary of its first."""


class Snippets:
    """Texts by the snippet_policy of a plan, none over its max_snippet_chars. searched: what its queries found."""

    def __init__(self, output: PlanOutput, searched: Sequence[Candidates]) -> None:
        self._output = output
        self._worth = Once(lambda: _worth_of(searched))
        self._windows: dict[tuple[str, int], str] = {}  # what is counted is shown later
        self._texts: dict[int, tuple[str, str]] = {}

    def of(self, evidence: Evidence) -> tuple[str, str]:
        """Return (what is wanted of an evidence's text, the policy that this follows: l0, l1 or l2)."""
        return self.shown(evidence.snippet, evidence.title)

    def shown(self, text: str, title: str) -> tuple[str, str]:
        """Return the same of a text under a title."""
        policy = self._output.snippet_policy
        if not self._output.include_snippets:
            return "", ""
        if policy == "l0":
            return self.title(title), "l0"
        if policy == "l1":
            return self.summary(text), "l1"
        return self.full(text, self._output.max_snippet_chars), WHOLE

    def text_of(self, row: int, records: Records) -> tuple[str, str]:
        """Return the text of a row as contexts show it, whole, and its title."""
        known = self._texts.get(row)
        if known is None:
            known = self._texts[row] = records.text_and_title(row)
        return known

    def title(self, text: str) -> str:
        """Return a title as it may be shown."""
        return cut_beginning(text, self._output.max_snippet_chars)

    def summary(self, text: str) -> str:
        """Return the first sentences of a text."""
        return summary_of(text, min(_SUMMARY_CHARS, self._output.max_snippet_chars))

    def full(self, text: str, longest: int) -> str:
        """Return a text; of one over `longest` characters its beginning, in policy auto what has most of the words."""
        if self._output.snippet_policy != "auto" or len(text) <= longest:
            return cut_beginning(text, longest)
        if (text, longest) not in self._windows:
            self._windows[text, longest] = best_window(text, self._worth(), longest)
        return self._windows[text, longest]

    def as_shown(self, evidence: Evidence) -> Evidence:
        """Return what a package shows of an evidence, as far as it costs tokens."""
        return Evidence(
            kind=evidence.kind,
            title=evidence.title,
            source_uri=evidence.source_uri,
            snippet=self.shown(shown_text(evidence), evidence.title)[0],
            status=evidence.status,
        )


def _worth_of(searched: Sequence[Candidates]) -> Mapping[str, float]:
    """Return what the words of queries weigh, and those of like meaning as far as they are like."""
    worth: dict[str, float] = {}
    for one in searched:
        lexical = one.lexical
        weights = lexical.weights.tolist()
        # A query that is not sought by its words has them all the same.
        own = dict(zip(lexical.terms, weights, strict=True)) or dict.fromkeys(terms(one.query.text), 1.0)
        mean = sum(own.values()) / max(len(own), 1)
        alike = {term: share * mean for term, share in lexical.similar.items()}
        for term, weight in (alike | own).items():
            worth[term] = max(worth.get(term, 0.0), weight * one.query.weight)
    return worth
