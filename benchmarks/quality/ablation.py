"""`python -m benchmarks.quality.ablation --data DIR … --out DIR`: what each group of the ranker's features is worth.

Each question is asked of one brain in process, once with all features and once without each group: both its weights
(`ranking.weights` and `.scattered`) are 0 then. Candidates, caps and packages are made as ever.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from smartbrain.conversations import ConversationError, Session, Turn
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ComposeContextResponse
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse
from tqdm import tqdm

from benchmarks.arguments import positive
from benchmarks.machine import describe_machine, in_one_line
from benchmarks.quality.answers import Answer
from benchmarks.quality.datasets import DataError, DataSet, load_data
from benchmarks.quality.replay import KEPT, Replay
from benchmarks.quality.scoring import Row, Scores, score
from benchmarks.quality.smartbrain_system import commit_of, hybrid_plan, turns_in, turns_of
from benchmarks.quality.systems import ALONE, Package, Ranking, Setting
from benchmarks.tables import table
from brain_core import Brain, Policy, load_policy
from brain_core.composer import Composer

ALL = "nothing"
GROUPS: dict[str, tuple[str, ...]] = {
    ALL: (),
    "lexical": ("lexical",),
    "semantic": ("semantic",),
    "session_semantic": ("session_semantic",),
    "session_lexical": ("session_lexical",),
    "both session features": ("session_semantic", "session_lexical"),
    "before, after": ("before", "after"),
    "around": ("around",),
    "before, after, around": ("before", "after", "around"),
    "speaker": ("speaker",),
    "concise": ("concise",),
    "first_person": ("first_person",),
    "recency, priority, confidence": ("recency", "priority", "confidence"),
}
"""Which features are off, by the name of the row."""

_LIMIT = 2048
_EXCLUDED = ("adversarial",)
_SHOWN = ("recall@10", "ndcg@10", f"package@{_LIMIT}")


class Ablated:
    """One brain in process, asked with and without each group. Open it in a `with` of the brain."""

    name = ALL
    counter = "as the brain counts them"

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._composers = {name: _composer(brain, _policy(features)) for name, features in GROUPS.items()}

    def open(self, memory_id: str) -> "AblatedMemory":
        """Name a memory, which the brain makes at its first commit."""
        return AblatedMemory(memory_id, self._brain, self._composers)


class AblatedMemory:
    """One memory."""

    def __init__(self, memory_id: str, brain: Brain, composers: dict[str, Composer]) -> None:
        self._memory_id = memory_id
        self._brain = brain
        self._composers = composers

    def add(self, session: Session, turn: Turn) -> None:
        """Commit the turn."""
        self._brain.commit_turn(commit_of(self._memory_id, session, turn), sync=False)

    def retrieve(self, question: str, setting: Setting = ALONE) -> Ranking:
        """Answer with all features; in a new session alone, as `package`."""
        assert setting is ALONE
        return Ranking(self.ranked(self._composers[ALL], question), 0.0)

    def package(self, question: str, token_limit: int, setting: Setting = ALONE) -> Package:
        """Answer with all features."""
        assert setting is ALONE
        return Package(self.packed(self._composers[ALL], question, token_limit), 0, 0.0)

    def ranked(self, composer: Composer, question: str) -> list[str]:
        """Return the turns that a composer finds, best first."""
        request = RetrieveRequest(memory_id=self._memory_id, plan=hybrid_plan(question))
        return turns_of(RetrieveResponse.FromString(composer.retrieve(request, None, "", None)).pack)

    def packed(self, composer: Composer, question: str, token_limit: int) -> list[str]:
        """Return the turns of a composer's package."""
        request = ComposeContextRequest(
            memory_id=self._memory_id, session_id="benchmark-question", user_message=question, token_limit=token_limit
        )
        return turns_in(ComposeContextResponse.FromString(composer.compose(request, None, None, None)).context)

    def without_each(self) -> Iterator[tuple[str, Composer]]:
        """Yield the name of each group with the composer that goes without it."""
        yield from self._composers.items()


def main(arguments: list[str] | None = None) -> int:
    """Run it; 1 with a message when data cannot be used."""
    chosen = _parser().parse_args(arguments)
    try:
        chosen.out.mkdir(parents=True, exist_ok=True)
        data_sets = [load_data(folder, chosen.limit) for folder in chosen.data]
        scores: list[Scores] = []
        for data in data_sets:
            scores += score(list(_answers(data)), data_sets, _EXCLUDED)
            _write(chosen.out, scores)
    except (OSError, DataError, ConversationError) as error:
        print(f"benchmarks.quality.ablation: {error}", file=sys.stderr)
        return 1
    print(f"written to {chosen.out}: table.md, metrics.json")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.ablation", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help="folder; repeatable")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results are written")
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N questions of each data set")
    return parser


def _policy(features: Sequence[str]) -> Policy:
    off = dict.fromkeys(features, 0.0)
    ranking = {"weights": off, "scattered": off} if features else {}
    observing = {"store_contexts": False, "trace": False}
    return load_policy(
        {
            "store": {"durability": "process"},
            "policies": {"ranking": ranking, "observability": observing},
        }
    )


def _composer(brain: Brain, policy: Policy) -> Composer:
    """Return a composer of a brain's memories under another policy."""
    given = brain._composer
    return Composer(
        given._kv, given._indexes, given._contexts, policy, given._embedder, given._env, given._kinds, given._counter,
        given._executors, None,
    )  # fmt: skip


def _answers(data: DataSet) -> Iterator[Answer]:
    wanted = sum(question.category not in _EXCLUDED for question in data.questions)
    with (
        tempfile.TemporaryDirectory(prefix="sb-ablation-") as folder,
        Brain.open(Path(folder) / "data", _policy(())) as brain,
        tqdm(total=wanted, desc=data.name, unit="", disable=None) as bar,
    ):
        for memory, question, _ in Replay(data, Ablated(brain)).asked():
            if question.category in _EXCLUDED:
                continue
            assert isinstance(memory, AblatedMemory), "Ablated opens no others"
            for name, composer in memory.without_each():
                yield Answer(
                    data=data.name,
                    question_id=question.id,
                    system=name,
                    retrieved=memory.ranked(composer, question.text)[:KEPT],
                    package={str(_LIMIT): memory.packed(composer, question.text, _LIMIT)},
                    retrieve_ms=0.0,
                    compose_ms={},
                    tokens={},
                )
            bar.update()


def _write(out: Path, scores: Sequence[Scores]) -> None:
    machine = describe_machine()
    levels = [
        {
            "data": one["data"],
            "without": one["system"],
            "turn": one["turn"]["overall"],
            "session": one["session"]["overall"],
        }
        for one in scores
    ]
    text = json.dumps({"machine": machine, "groups": GROUPS, "results": levels}, ensure_ascii=False, indent=1)
    (out / "metrics.json").write_text(text + "\n", encoding="utf-8")
    rows = {(one["data"], one["system"]): one["turn"]["overall"] for one in scores}
    sessions = {
        (f"{one['data']}, sessions", one["system"]): one["session"]["overall"]
        for one in scores
        if one["data"] == "realmem"
    }
    head = ["# What each group of features is worth", in_one_line(machine), str(__doc__).partition("\n\n")[2].strip()]
    parts = [f"## {name}\n\n{_table(rows | sessions, name)}" for name in _SHOWN]
    (out / "table.md").write_text("\n\n".join([*head, *parts]) + "\n", encoding="utf-8")


def _table(rows: dict[tuple[str, str], Row], name: str) -> str:
    data = list(dict.fromkeys(each for each, _ in rows))
    return table(
        ["off", *data],
        [[group, *(f"{rows[each, group][name]:.3f}" for each in data)] for group in GROUPS],
    )


if __name__ == "__main__":
    sys.exit(main())
