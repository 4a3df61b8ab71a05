"""Fits what is read beside a linear classifier: small filters over token vectors (`brain_core/text/convolution.py`).

They are fitted by themselves, on the words alone, and added to the linear scores: fitted to what the linear model of
the same texts had left over, they learned nothing. Reproducible: one thread, one seed for everything. Needs torch,
which `pip install -e '.[train]'` brings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from benchmarks.quality.linear.fit import Example, folds_of
from brain_core.models.static import built_in
from brain_core.models.table import quantise
from brain_core.text.convolution import Convolution, Fitted, heard
from brain_core.text.linear import Link

_ALIKE = 20
"""Batches whose texts are put in order of length, so that little of a batch is padding."""


@dataclass(frozen=True, slots=True)
class Filtering:
    """How filters are fitted. dimension: numbers of a token's vector. filters: of each width, 1 to `widths` tokens.

    least: texts that have a token of which something is learned. unheard: share of tokens, dim: of a token's numbers,
    idle: of filters, that are left out of a step at random. smooth: share of a label's certainty that goes to all.
    counts: what the scores count beside the linear ones.
    """

    labels: tuple[str, ...]
    link: Link = "one"
    dimension: int = 48
    filters: int = 64
    widths: int = 3
    least: int = 3
    unheard: float = 0.1
    dim: float = 0.3
    idle: float = 0.4
    smooth: float = 0.05
    rounds: int = 10
    batch: int = 64
    speed: float = 2e-3
    counts: float = 0.4
    seed: int = 0


def fit_convolution(examples: Sequence[Example], how: Filtering) -> Fitted:
    """Fit filters. With link "one" a text of several right labels counts as a part of a text for each."""
    torch.set_num_threads(1)
    torch.manual_seed(how.seed)
    words = [[-2, *heard(built_in().tokens(one.text)), -1] for one in examples]
    often = Counter(chain.from_iterable(map(set, words)))
    met = sorted(often)  # the two ends of a text, below 0, come first
    place = {token: number for number, token in enumerate(met, start=1)}  # 0 is padding
    texts = [torch.tensor([place[token] for token in each]) for each in words]
    vectors = built_in().token_vectors(np.eye(built_in().dimension, dtype=np.float32))
    known = torch.zeros(len(met) + 1, vectors.shape[1])
    known[3:] = torch.from_numpy(vectors[met[2:]])
    learns = torch.tensor([0.0, *(float(often[token] >= how.least) for token in met)])[:, None]
    net = _Net(known, learns, how)
    _train(net, texts, examples, how)
    return _fitted(net, [len(vectors) + 2 + token if token < 0 else token for token in met], how)


def scores_out_of_fold(examples: Sequence[Example], how: Filtering, folds: int) -> NDArray[np.float32]:
    """Return float32[texts, labels]: scores of each text by filters that were fitted without its group."""
    folded = folds_of(examples, folds)
    found = np.zeros((len(examples), len(how.labels)), np.float32)
    for fold in range(folds):
        fitted = fit_convolution([one for one, its in zip(examples, folded, strict=True) if its != fold], how)
        rows = np.flatnonzero(folded == fold)
        texts = [built_in().tokens(examples[row].text) for row in rows.tolist()]
        found[rows] = Convolution(fitted, built_in().token_vectors).scores(texts)
    return found


class _Net:
    """Filters in training. known: float[tokens + 1, dimension of the table]. learns: float[tokens + 1, 1], 0 or 1."""

    def __init__(self, known: Tensor, learns: Tensor, how: Filtering) -> None:
        self.known, self.learns, self.how = known, learns, how
        size = how.filters * how.widths
        self.onto = _random((known.shape[1], how.dimension), known.shape[1] ** -0.5)
        self.learned = _random((len(known), how.dimension), 0.05)
        self.filters = [_random((how.filters, how.dimension, w), (how.dimension * w) ** -0.5 / 2) for w in self.widths]
        self.bias = [_random((how.filters,), 0.05) for _ in self.widths]
        self.head = _random((size, len(how.labels)), size**-0.5 / 2)
        self.base = _random((len(how.labels),), 0.0)

    @property
    def widths(self) -> range:
        return range(1, self.how.widths + 1)

    def parameters(self) -> list[Tensor]:
        return [self.onto, self.learned, *self.filters, *self.bias, self.head, self.base]

    def scores(self, texts: Tensor) -> Tensor:
        """Return float[texts, labels] of int[texts, longest], with tokens and filters left out at random."""
        heard = ((texts > 0) & (torch.rand(texts.shape) >= self.how.unheard)).float()[..., None]
        tokens = (self.known[texts] @ self.onto + self.learned[texts] * self.learns[texts]) * heard
        tokens = functional.dropout(tokens, self.how.dim)
        ahead = functional.pad(tokens.transpose(1, 2), (0, self.how.widths))  # as the kernel: zeros behind the last
        answers = [
            functional.relu(functional.conv1d(ahead, filters, bias)).amax(2)
            for filters, bias in zip(self.filters, self.bias, strict=True)
        ]
        return functional.dropout(torch.cat(answers, 1), self.how.idle) @ self.head + self.base


def _random(shape: tuple[int, ...], size: float) -> Tensor:
    return (torch.randn(shape) * size).requires_grad_()


def _train(net: _Net, texts: Sequence[Tensor], examples: Sequence[Example], how: Filtering) -> None:
    right = torch.zeros(len(examples), len(how.labels))
    told = torch.ones(len(examples), len(how.labels))
    for row, one in enumerate(examples):
        for label in one.labels:
            right[row, how.labels.index(label)] = 1 / len(one.labels) if how.link == "one" else 1
        for label in one.unknown:
            told[row, how.labels.index(label)] = 0
    right = right * (1 - how.smooth) + how.smooth / (len(how.labels) if how.link == "one" else 2)
    weights = torch.tensor([one.weight for one in examples])[:, None]
    steps = how.rounds * -(-len(texts) // how.batch)
    rule = torch.optim.AdamW(net.parameters(), lr=how.speed, weight_decay=0.0)
    course = torch.optim.lr_scheduler.OneCycleLR(rule, how.speed, total_steps=steps, pct_start=0.1)
    random = np.random.default_rng(how.seed)
    for _ in range(how.rounds):
        for rows in _batches(texts, how.batch, random):
            padded = torch.nn.utils.rnn.pad_sequence([texts[row] for row in rows], batch_first=True)
            scores = net.scores(padded)
            if how.link == "one":
                each = -functional.log_softmax(scores, 1) * right[rows]
            else:
                each = functional.binary_cross_entropy_with_logits(scores, right[rows], reduction="none") * told[rows]
            loss = (each * weights[rows]).sum() / weights[rows].sum()
            rule.zero_grad()
            loss.backward()
            rule.step()
            course.step()


def _batches(texts: Sequence[Tensor], size: int, random: np.random.Generator) -> Iterator[list[int]]:
    """Yield the numbers of texts, each once, in batches of texts of like length."""
    order = random.permutation(len(texts)).tolist()
    batches: list[list[int]] = []
    for start in range(0, len(order), size * _ALIKE):
        some = sorted(order[start : start + size * _ALIKE], key=lambda row: len(texts[row]))
        batches += [some[at : at + size] for at in range(0, len(some), size)]
    random.shuffle(batches)
    yield from batches


def _fitted(net: _Net, tokens: list[int], how: Filtering) -> Fitted:
    kept = np.flatnonzero(net.learns.numpy()[1:, 0])
    learned = quantise(net.learned.detach().numpy()[1:][kept])
    by_width = [each.detach().permute(2, 1, 0).reshape(-1, how.filters).numpy() for each in net.filters]
    return Fitted(
        how.labels,
        net.onto.detach().numpy().astype(np.float16),
        np.array(tokens, np.uint32)[kept],
        learned.rows,
        learned.scales,
        np.concatenate(by_width).astype(np.float16),
        torch.cat(net.bias).detach().numpy(),
        how.counts * net.head.detach().numpy(),
        how.counts * net.base.detach().numpy(),
    )
