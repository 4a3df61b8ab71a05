"""`python -m benchmarks.quality.linear.intent [--folds N]`: fit what the planner weighs intents with, or judge it.

Everything it learns from was written for this project: `messages/{en,zh}.txt` beside this file, and of
`tests/planning/messages` the halves `open`, `fresh` and `more`. Signs were written to fit the halves `open` and
`fresh`, so these are given without what the signs say, and once more with it, at little weight; how far a sign is to be
believed is learned from the others above all. Words are weighed by a model of each language, their order by one of
both. Some minutes. Needs what `pip install -e '.[train]'` brings.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality.linear.convolution import Filtering, fit_convolution, scores_out_of_fold
from benchmarks.quality.linear.fit import Example, Fitting, fit, out_of_fold
from benchmarks.quality.linear.own import intended
from brain_core.compose.planner.intent import FILTERS, weighed, weights_of
from brain_core.compose.planner.read import listened
from brain_core.text.convolution import write_convolution
from brain_core.text.linear import write_linear

INTENTS = ("qa", "continue_task", "debug", "summarize", "research", "other")
_LABELLED = Path(__file__).parents[3] / "tests/planning/messages"
_FITTED_BY_SIGNS = ("open", "fresh")
_STRENGTH = 8.0
_LEAST = 3
_NEAR = 0.4
"""Weight of messages many of which were written because an earlier model took their like for another intent."""
_BELIEVED = 0.3
"""Weight of signs where they were written to be right."""


def examples(language: str) -> Iterator[Example]:
    """Yield what is learned from, in one language."""
    for half in (*_FITTED_BY_SIGNS, "more"):
        for line in (_LABELLED / f"{language}_{half}.jsonl").read_text("utf-8").splitlines():
            message: dict[str, Any] = json.loads(line)
            wanted = message["intent"]
            labels = tuple(wanted) if isinstance(wanted, list) else (wanted,)
            one = _example(message["message"], labels)
            if half in _FITTED_BY_SIGNS:
                yield replace(one, named=(), weight=1 - _BELIEVED)
                one = replace(one, weight=_BELIEVED)
            yield one
    for intent, line in intended(language):
        yield _example(line, (intent,))
    for intent, line in intended(f"{language}_near"):
        yield replace(_example(line, (intent,)), weight=_NEAR)


def _example(message: str, labels: tuple[str, ...]) -> Example:
    text, named, _, _ = weighed(*listened(message))
    return Example(text, labels, named, group=message)


def judge(texts: dict[str, list[Example]], words: Fitting, order: Filtering, folds: int) -> None:
    """Print by language how many are right by the words alone, and with their order."""
    every = list(chain.from_iterable(texts.values()))
    beside = dict(zip(texts, np.split(scores_out_of_fold(every, order, folds), [len(texts["en"])]), strict=True))
    for language, some in texts.items():
        alone = np.log(out_of_fold(some, words, folds))
        for what, scores in (("words", alone), ("and order", alone + beside[language])):
            best = scores.argmax(axis=1).tolist()
            right = [INTENTS[label] in one.labels for label, one in zip(best, some, strict=True)]
            signed = [mark for mark, one in zip(right, some, strict=True) if one.named and one.weight == 1]
            shares = f"{np.mean(right):.3f} of {len(some)}, {np.mean(signed):.3f} of those new to the signs"
            print(f"{language}, {what}: {shares}")


def main() -> None:
    """Write the weights of both languages, or with --folds say how they do on what they have not seen."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.linear.intent", description=__doc__)
    parser.add_argument("--folds", type=int, default=0, metavar="N", help="judge by cross-validation and write nothing")
    chosen = parser.parse_args()
    words = Fitting(INTENTS, strength=_STRENGTH, least=_LEAST)
    order = Filtering(INTENTS)
    texts = {language: list(examples(language)) for language in ("en", "zh")}
    if chosen.folds:
        judge(texts, words, order, chosen.folds)
        return
    for language, some in texts.items():
        write_linear(fit(some, words), weights_of(language))
    write_convolution(fit_convolution(list(chain.from_iterable(texts.values())), order), FILTERS)


if __name__ == "__main__":
    main()
