"""A server's metrics, read as a monitoring system reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prometheus_client.openmetrics.parser import text_string_to_metric_families
from smartbrain.v1.admin_service_pb2 import GetMetricsRequest

from tests.serving import Stubs


@dataclass(frozen=True, slots=True)
class Scraped:
    """Samples by name and labels."""

    samples: dict[tuple[str, frozenset[tuple[str, str]]], float]

    def __call__(self, name: str, **labels: str) -> float:
        """Return the value of a series of ours, 0 where it has not begun."""
        return self.samples.get((f"smartbrain_{name}", frozenset(labels.items())), 0.0)

    def by(self, name: str, *labels: str) -> dict[tuple[str, ...], float]:
        """Return the values other than 0 of all series of a name, by the values of these labels."""
        found = ((dict(rest), value) for (each, rest), value in self.samples.items() if each == f"smartbrain_{name}")
        return {tuple(rest[label] for label in labels): value for rest, value in found if value}

    def names(self) -> set[str]:
        return {name for name, _ in self.samples}


def parsed(text: str) -> Scraped:
    """Read a page; fails if it is no OpenMetrics."""
    samples: dict[tuple[str, frozenset[tuple[str, str]]], float] = {}
    for name, labels, value in _samples(text):
        assert (name, labels) not in samples
        samples[name, labels] = value
    return Scraped(samples)


def scraped(stubs: Stubs) -> Scraped:
    """Ask a server for its metrics."""
    return parsed(stubs.admin.GetMetrics(GetMetricsRequest()).text)


def _samples(text: str) -> Iterator[tuple[str, frozenset[tuple[str, str]], float]]:
    for family in text_string_to_metric_families(text):  # type: ignore[no-untyped-call]
        for sample in family.samples:
            yield sample.name, frozenset(sample.labels.items()), sample.value
