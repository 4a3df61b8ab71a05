"""`python -m benchmarks.peers.lexical --data DIR … --out DIR`: see benchmarks/README.md."""

import argparse
import importlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from smartbrain.conversations import ConversationError
from tqdm import tqdm

from benchmarks.arguments import positive
from benchmarks.machine import describe_machine, in_one_line
from benchmarks.peers.corpus import Source
from benchmarks.peers.lexical.engine import Document, Engine
from benchmarks.peers.lexical.reference import Reference, Verdict, judge
from benchmarks.peers.lexical.report import Analysis, Row, markdown
from benchmarks.quality.metrics import percentile
from brain_core.text.words import terms

ENGINES = sorted(path.stem for path in (Path(__file__).parent / "engines").glob("[!_]*.py"))
_ROUNDS = 4  # over all queries; the first is warm-up and not counted
_MOST_ADDS = 100
_SECONDS_OF_ADDS = 5.0
_LONGEST_QUERY = 8  # distinct terms; in longer ones SmartBrain weighs rare terms more, which the other engines do not


def main(arguments: list[str] | None = None) -> int:
    """Measure the engines; 1 with a message when the data cannot be used."""
    chosen = _parser().parse_args(arguments)
    names: list[str] = list(dict.fromkeys(chosen.engine or ENGINES))
    rows: list[Row] = []
    analyses: list[Analysis] = []
    left_out: list[tuple[str, str]] = []
    try:
        source = Source(chosen.data)
        with tqdm(total=len(chosen.memories) * len(names), desc="engines", disable=None) as bar:
            for size in chosen.memories:
                asked = _Asked(source, size)
                analyses.append(asked.analysis)
                for name in names:
                    try:
                        module = importlib.import_module(f"benchmarks.peers.lexical.engines.{name}")
                    except ImportError as error:
                        left_out.append((name, f"not installed: {error}"))
                    else:
                        rows.append(_measure(name, module.open_engine(), asked))
                    bar.update()
    except (OSError, ValueError, ConversationError) as error:
        print(f"benchmarks.peers.lexical: {error}", file=sys.stderr)
        return 1
    chosen.out.mkdir(parents=True, exist_ok=True)
    machine = describe_machine()
    results = {"machine": machine, "rows": rows, "analyses": analyses, "left_out": left_out}
    (chosen.out / "lexical.json").write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    table = markdown(rows, analyses, left_out, in_one_line(machine))
    (chosen.out / "lexical.md").write_text(table, encoding="utf-8")
    print(f"written to {chosen.out}: lexical.md, lexical.json")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.lexical", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help="folder; repeatable")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument("--memories", type=positive, nargs="+", default=[10_000, 100_000], metavar="N", help="sizes")
    parser.add_argument(
        "--engine", action="append", choices=ENGINES, metavar="NAME", help=f"{', '.join(ENGINES)}; default: all"
    )
    return parser


class _Asked:
    """Documents, queries and their scores by the reference, at one size."""

    def __init__(self, source: Source, size: int) -> None:
        *texts, extra = source.texts(size + 1)
        self.documents, document_ms = _analysed(texts)
        queries, query_ms = _analysed(source.queries)
        self.queries = [query for query in queries if len(set(query.terms)) <= _LONGEST_QUERY]
        if not self.queries:
            raise ValueError(f"no query has at most {_LONGEST_QUERY} distinct terms")
        self.extra = Document(extra, terms(extra))
        self.analysis = Analysis(documents=size, document_ms=round(document_ms, 4), query_ms=round(query_ms, 4))
        known = [document.terms for document in self.documents]
        self._exact, self._quantised = Reference(known), Reference(known, quantised=True)

    def verdicts(self, answers: Sequence[Sequence[int]]) -> Counter[Verdict]:
        """Count the verdicts on an engine's answers to the queries."""
        return Counter(
            judge(rows, self._exact.scores(query.terms), self._quantised.scores(query.terms))
            for query, rows in zip(self.queries, answers, strict=True)
        )


def _analysed(texts: Sequence[str]) -> tuple[list[Document], float]:
    """Return documents, and the median time of analysis in milliseconds."""
    documents, times = [], []
    for text in tqdm(texts, desc="analyse", unit="", leave=False, disable=None):
        began = time.perf_counter()
        found = terms(text)
        times.append(1e3 * (time.perf_counter() - began))
        documents.append(Document(text, found))
    return documents, percentile(times, 0.5)


def _measure(name: str, engine: Engine, asked: _Asked) -> Row:
    began = time.perf_counter()
    engine.build(asked.documents)
    build_ms = 1e3 * (time.perf_counter() - began)
    rounds: list[list[float]] = []
    for _ in tqdm(range(_ROUNDS), desc=f"{name}: search", unit="", leave=False, disable=None):
        answers, latencies = _search(engine, asked.queries)
        rounds.append(latencies)
    verdicts = asked.verdicts(answers)
    return Row(
        engine=name,
        documents=len(asked.documents),
        queries=len(asked.queries),
        same=verdicts["same"],
        same_by_quantised_lengths=verdicts["same by quantised lengths"],
        different=verdicts["different"],
        build_ms=round(build_ms, 1),
        p50_ms=round(percentile([percentile(one, 0.50) for one in rounds[1:]], 0.5), 4),
        p95_ms=round(percentile([percentile(one, 0.95) for one in rounds[1:]], 0.5), 4),
        add_ms=round(_add(engine, asked.extra), 4),
        told=engine.told,
    )


def _search(engine: Engine, queries: Iterable[Document]) -> tuple[list[list[int]], list[float]]:
    answers, latencies = [], []
    for query in queries:
        began = time.perf_counter()
        answers.append(engine.top(query))
        latencies.append(1e3 * (time.perf_counter() - began))
    return answers, latencies


def _add(engine: Engine, document: Document) -> float:
    """Return the median milliseconds of one add, each with a word of its own. Raises ValueError if it is not found."""
    took: list[float] = []
    give_up = time.perf_counter() + _SECONDS_OF_ADDS
    while len(took) < _MOST_ADDS and time.perf_counter() < give_up:
        mark = f"zyx{len(took)}wvu"
        added = Document(f"{document.text} {mark}", [*document.terms, *terms(mark)])
        began = time.perf_counter()
        engine.add(added)
        took.append(1e3 * (time.perf_counter() - began))
        if not engine.top(Document(mark, terms(mark))):
            raise ValueError(f"{engine.told}: an added document is not found")
    return percentile(took, 0.5)


if __name__ == "__main__":
    sys.exit(main())
