"""`python -m benchmarks.quality.lists --data DIR …`: how much of what a question asks for stands in a package's words.

In process, with the server's defaults. A folder is one of `lives`: its questions say beside the gold turns in which
words each piece of the answer is told (`says`, one of several forms of each), and a piece is inside where one of them
is shown. Text that is cut counts as far as it is shown.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from smartbrain.conversations import load_conversations
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.context_pb2 import ContextPackage

from benchmarks.quality.smartbrain_system import commit_of
from benchmarks.tables import table
from brain_core import Brain, load_policy

LIVES = Path(__file__).parent / "lives"
TOKEN_LIMITS = (512, 1024, 2048)


class Asked(NamedTuple):
    """A question of a life. category: list or single. shares: of its pieces inside, by token limit."""

    life: str
    category: str
    shares: dict[int, float]


def asked_of(folder: Path, limits: Sequence[int] = TOKEN_LIMITS) -> Iterator[Asked]:
    """Commit a life to a brain of its own and ask it everything, each question in a session without turns."""
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    with (
        tempfile.TemporaryDirectory(prefix="sb-lists-") as store,
        Brain.open(Path(store), load_policy({"store": {"durability": "process"}})) as brain,
    ):
        for life in load_conversations(folder / "conversations.jsonl"):
            for session in life.sessions:
                for turn in session.turns:
                    brain.commit_turn(commit_of(life.id, session, turn), sync=False)
        for question in map(json.loads, lines):
            yield Asked(
                folder.name,
                question["category"],
                {limit: _inside(_shown(brain, question, limit), question["says"]) for limit in limits},
            )


def _shown(brain: Brain, question: dict[str, str], limit: int) -> str:
    request = ComposeContextRequest(
        memory_id=question["conversation_id"],
        session_id="lists",
        user_message=question["question"],
        token_limit=limit,
    )
    return "\n".join(_texts(brain.compose_context(request).context)).casefold()


def _texts(package: ContextPackage) -> Iterator[str]:
    yield from (block.text for block in package.system_blocks)
    yield from (line for section in package.working_summary.sections for line in section.lines)
    yield from (evidence.snippet for evidence in package.evidence)


def _inside(shown: str, says: Sequence[Sequence[str]]) -> float:
    return sum(any(form.casefold() in shown for form in forms) for forms in says) / len(says)


def rows_of(asked: Sequence[Asked]) -> Iterator[list[str]]:
    """Yield a table's rows: mean share inside and how many are complete, by category, life and limit."""
    for category in sorted({one.category for one in asked}):
        for life in [*sorted({one.life for one in asked}), "all"]:
            ours = [one.shares for one in asked if one.category == category and life in (one.life, "all")]
            cells = [
                f"{sum(shares[limit] for shares in ours) / len(ours):.3f}, "
                f"{sum(shares[limit] == 1 for shares in ours)} of {len(ours)}"
                for limit in ours[0]
            ]
            yield [category, life, *cells]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.lists", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", metavar="DIR", help="a life; repeatable (default: all)")
    folders = parser.parse_args().data or sorted(one for one in LIVES.iterdir() if one.is_dir())
    rows = list(rows_of([asked for folder in folders for asked in asked_of(folder)]))
    print(table(["category", "life", *map(str, TOKEN_LIMITS)], rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
