"""`python -m benchmarks.quality --data DIR … --system NAME … --out DIR`: see benchmarks/README.md."""

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import grpc
from smartbrain.conversations import ConversationError
from tqdm import tqdm

from benchmarks.arguments import positive
from benchmarks.machine import describe_machine, in_one_line
from benchmarks.quality.answers import Answer, read_answers, write_answers
from benchmarks.quality.baseline import Baseline, Index
from benchmarks.quality.bm25 import Bm25
from benchmarks.quality.counting import Rendered, WordPieces
from benchmarks.quality.datasets import DataError, DataSet, load_data
from benchmarks.quality.dense import Dense, Semantic, StaticModel
from benchmarks.quality.fusion import Rrf
from benchmarks.quality.replay import Replay
from benchmarks.quality.report import markdown, plot
from benchmarks.quality.scoring import Scores, score
from benchmarks.quality.smartbrain_system import SmartBrain
from benchmarks.quality.systems import System
from benchmarks.quality.words import Words
from benchmarks.server import ServerError, running_server
from brain_core.text.tokens import ApproxCounter

_ROOT = Path(__file__).resolve().parents[2]
_MODEL = _ROOT / "brain_core/models/static-minilm-384"
_SERVED = "smartbrain"
_RENDERED = "-rendered"
_OWN, _OTHER = "question", "question_other"
_SYSTEMS = (_SERVED, "bm25", "dense", "rrf", f"bm25{_RENDERED}", f"rrf{_RENDERED}")


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark; 1 with a message when data, model or server cannot be used."""
    chosen = _parser().parse_args(arguments)
    names: list[str] = list(dict.fromkeys(chosen.system or _SYSTEMS))
    excluded = chosen.exclude_category if chosen.exclude_category is not None else ["adversarial"]
    try:
        data_sets = [
            load_data(folder, chosen.limit, _OTHER if chosen.other_language else _OWN) for folder in chosen.data
        ]
        _refuse_same_names(data_sets)
        with _open_systems(names, chosen.server, chosen.model) as systems:
            run = f":{time.time_ns():x}" if chosen.server else ""
            counters = _replay_all(data_sets, systems, run, chosen.amid, chosen.out)
    except (OSError, DataError, ConversationError, ServerError, grpc.RpcError) as error:
        print(f"benchmarks.quality: {error}", file=sys.stderr)
        return 1
    scores = score(read_answers(chosen.out / "answers.jsonl"), data_sets, excluded)
    _write_reports(chosen.out, scores, counters, sys.argv[1:] if arguments is None else arguments)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help="folder; repeatable")
    parser.add_argument(
        "--system", action="append", choices=_SYSTEMS, metavar="NAME", help=f"{', '.join(_SYSTEMS)}; default: all"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N questions of each data set")
    parser.add_argument("--server", metavar="TARGET", help="a running server; default: one is started and stopped")
    parser.add_argument("--model", type=Path, metavar="DIR", help=f"static embedding model; default: {_MODEL.name}")
    parser.add_argument(
        "--amid", action="store_true", help="ask in the session that goes on, where the data tells what was said in it"
    )
    parser.add_argument(
        "--other-language", action="store_true", help=f"ask in the other language, where the data has {_OTHER}"
    )
    parser.add_argument(
        "--exclude-category", action="append", metavar="NAME", help="not in the headline (default: adversarial)"
    )
    return parser


def _refuse_same_names(data_sets: Sequence[DataSet]) -> None:
    names = [data.name for data in data_sets]
    if len(set(names)) < len(names):
        raise DataError(f"two data folders have the same name: {', '.join(names)}")


@contextlib.contextmanager
def _open_systems(names: Sequence[str], target: str | None, model_folder: Path | None) -> Iterator[list[System]]:
    """Open the systems by name. A server is started only for smartbrain without a target; a model is read if used."""
    words = Words()
    model = StaticModel(model_folder or _MODEL) if set(names) - {_SERVED} else None
    rendered = Rendered(ApproxCounter().weigh)
    systems: list[System] = []
    with contextlib.ExitStack() as stack:
        for name in names:
            if model is None or name == _SERVED:
                address = target or stack.enter_context(running_server()).target
                smartbrain = SmartBrain(address)
                stack.callback(smartbrain.close)
                systems.append(smartbrain)
            else:
                counting = rendered if name.endswith(_RENDERED) else WordPieces(model.word_pieces)
                systems.append(Baseline(name, _index_of(name.removesuffix(_RENDERED), words, model), counting))
        yield systems


def _index_of(name: str, words: Words, model: StaticModel) -> Callable[[], Index]:
    if name == "bm25":
        return lambda: Bm25(words)
    if name == "dense":
        return lambda: Semantic(model)
    return lambda: Rrf(Bm25(words), Dense(model))


def _replay_all(
    data_sets: Sequence[DataSet], systems: Sequence[System], run: str, amid: bool, out: Path
) -> dict[str, str]:
    """Write answers.jsonl; return how each system counts tokens."""
    out.mkdir(parents=True, exist_ok=True)
    for _ in write_answers(out / "answers.jsonl", _answers(data_sets, systems, run, amid)):
        pass
    return {system.name: system.counter for system in systems}


def _answers(data_sets: Sequence[DataSet], systems: Sequence[System], run: str, amid: bool) -> Iterator[Answer]:
    for data in data_sets:
        turns = sum(len(session.turns) for one in data.conversations for session in one.sessions)
        for system in systems:
            title = f"{data.name} · {system.name}"
            with tqdm(total=turns + len(data.questions), desc=title, unit="", disable=None) as bar:
                for answer in Replay(data, system, run and f"{run}:{system.name}", amid).answers(on_turn=bar.update):
                    bar.update()
                    yield answer


def _write_reports(out: Path, scores: list[Scores], counters: dict[str, str], arguments: Sequence[str]) -> None:
    machine = describe_machine()
    metrics = {"machine": machine, "arguments": list(arguments), "token_counters": counters, "results": scores}
    (out / "metrics.json").write_text(json.dumps(metrics, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(markdown(scores, counters, in_one_line(machine)), encoding="utf-8")
    plot(scores, out / "plot.png")
    print(f"written to {out}: table.md, metrics.json, answers.jsonl, plot.png")


if __name__ == "__main__":
    sys.exit(main())
