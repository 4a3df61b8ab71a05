"""A long message is read in time that grows with its length: what is looked for in all of it is looked for once."""

from __future__ import annotations

import re
from datetime import date

from brain_core.extract.hits import applies
from brain_core.extract.language import Clause, Scene, SkipRule
from brain_core.text.expression import Expression
from tests.extraction.reading import Held


class _Counting(Expression):
    """An expression that counts how often it is looked for."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern)
        self.searched = 0
        self.search = self._search

    def _search(self, text: str) -> re.Match[str] | None:
        self.searched += 1
        return re.search(self.pattern, text)


def test_what_skips_a_whole_message_is_looked_for_once_and_not_for_each_clause() -> None:
    expression = _Counting("once upon a time|从前")
    skip = SkipRule("fiction", "made up", expression, scope="message")
    for begins, skips in (("Today", False), ("Once upon a time", False), ("once upon a time", True), ("从前", True)):
        message = f"{begins} I live in Rome. " * 50
        expression.searched = 0
        clauses = [Clause("I live in Rome", start, "I live in Rome.") for start in range(50)]
        assert {applies(skip, Scene(one, date(2024, 5, 1), Held(), message)) for one in clauses} == {skips}
        assert expression.searched == 1
