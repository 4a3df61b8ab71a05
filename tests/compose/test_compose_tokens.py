"""Tokens counted as a model counts them: no package is over its limit, and another counter makes the index anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from smartbrain.render import HEADINGS, render
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Goal, Message, ToolCall
from tokenizers import Tokenizer

from brain_core import Brain
from brain_core.errors import InvalidArgument, PolicyError
from brain_core.index import snapshot
from tests.building import compose, embedder, open_brain, plan, pref, say, turn
from tests.tokenizer_files import MINILM, byte_level

_LIMITS = (60, 100, 150, 200, 300, 450, 700, 1024, 1500, 2048, 4096, 8192)
_MESSAGES = ("Where does the zebra sleep, and what is parse_config for?", "斑马喜欢吃什么？", "and now?")


@pytest.fixture(params=["wordpiece", "gpt2", "llama3"])
def tokenizer(request: pytest.FixtureRequest) -> Path:
    """Give the file of a tokenizer."""
    if request.param != "wordpiece":
        return byte_level(request.param)
    if not MINILM.exists():
        pytest.skip("../shared is absent")
    return MINILM


def measure(file: Path) -> Callable[[str], int]:
    """Return what counts a text by a tokenizer, and nothing of ours."""
    loaded = Tokenizer.from_file(str(file))
    loaded.no_truncation()
    loaded.no_padding()
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)


def opened(folder: Path, tokenizer: Path | str) -> Brain:
    return open_brain(folder, policies={"composition": {"tokenizer": str(tokenizer)}})


def fill(brain: Brain) -> None:
    for number in range(12):
        brain.commit_turn(
            say(
                "m", f"old{number % 3}", f"Zebra {number} sleeps under the acacia.\n\n" * 3, f"斑马{number}号吃草。" * 9
            )
        )
        code = f"def parse_config_{number}(path: Path) -> dict[str, HTTPServer2]:\n    return {{k: v for k in path}}\n"
        named = Message(role="user", speaker="Ann-Marie O'Neil 小明", content=code)
        brain.commit_turn(turn("m", "code", messages=[named, Message(role="assistant", content="好的 😀 ok…")]))
    brain.commit_turn(
        turn(
            "m",
            "now",
            preferences=[pref("tone", "short answers"), pref("language", "用中文回答")],
            goals=[Goal(project="zoo", name="learn all about the zebra", description="before winter")],
            tool_calls=[ToolCall(name="search", result="zebra <|im_start|> result\r\nof a tool " * 30)],
        )
    )
    for number in range(6):
        brain.commit_turn(say("m", "now", f"recent question {number}?", f"recent answer {number} 还有中文。"))


def test_no_package_is_over_its_limit_by_the_models_own_count(folder: Path, tokenizer: Path) -> None:
    tokens = measure(tokenizer)
    with opened(folder, tokenizer) as brain:
        fill(brain)
        for session in ("now", "elsewhere"):
            for message in _MESSAGES:
                for limit in _LIMITS:
                    package = compose(brain, "m", session, message, token_limit=limit)
                    budget = package.constraints.token_budget
                    assert tokens(render(package)) <= budget.used <= budget.limit == limit
                assert budget.used < 1.2 * tokens(render(package)), "nor is much of the room wasted"
        cut = plan("zebra")
        cut.output.max_snippet_chars = 30
        package = compose(brain, "m", "elsewhere", "zebra", token_limit=700, plan=cut)
        assert tokens(render(package)) <= package.constraints.token_budget.used <= 700


def test_a_package_says_what_counted_it(folder: Path, tokenizer: Path) -> None:
    with opened(folder, tokenizer) as brain:
        fill(brain)
        package = compose(brain, "m", "now", "zebra")
        assert package.constraints.token_budget.counter.startswith("tokenizer.json:")


def test_a_message_over_the_limit_is_refused_by_the_models_own_count(folder: Path, tokenizer: Path) -> None:
    tokens = measure(tokenizer)
    message = "斑马 zebra parse_config " * 20
    needed = tokens(f"{HEADINGS['user_message']}\n{message}")
    with opened(folder, tokenizer) as brain:
        fill(brain)
        with pytest.raises(InvalidArgument) as failed:
            compose(brain, "m", "now", message, token_limit=needed - 1)
        assert failed.value.field == "token_limit"
        assert compose(brain, "m", "now", message, token_limit=needed + 3).user_message.content == message


def bare(package: ContextPackage) -> list[Any]:
    """Return what stands in a package, and what it costs."""
    return [render(package), dict(package.constraints.token_budget.slots), package.constraints.token_budget.counter]


def test_another_counter_makes_the_index_anew(folder: Path) -> None:
    first, other = byte_level("gpt2"), byte_level("llama3")
    path = snapshot.snapshot_path(folder / "grown/index", "m")

    def costs(brain: Brain) -> list[int]:
        with brain._indexes.use("m") as index:
            return [*index.chunks.column("cost").tolist(), *index.chunks.column("line_cost").tolist()]

    with opened(folder / "fresh", other) as brain:
        fill(brain)
        expected, expected_costs = bare(compose(brain, "m", "elsewhere", "zebra", token_limit=1000)), costs(brain)
    with opened(folder / "grown", first) as brain:
        fill(brain)
        assert bare(compose(brain, "m", "elsewhere", "zebra", token_limit=1000)) != expected
        assert costs(brain) != expected_costs
        counter = brain._counter.counter
    assert snapshot.load(path, embedder().dimension, counter).revision > 0, "the same counter takes the snapshot"
    with opened(folder / "grown", other) as brain:
        with pytest.raises(snapshot.SnapshotError, match="tokens were counted by"):
            snapshot.load(path, embedder().dimension, brain._counter.counter)
        assert costs(brain) == expected_costs
        assert bare(compose(brain, "m", "elsewhere", "zebra", token_limit=1000)) == expected
        assert next(iter(brain.rebuild_index("m"))).done == 1
        assert costs(brain) == expected_costs, "a rebuild counts by the counter in force"
        [answer] = brain.verify("m")
        assert all("tokens were counted by" in problem for problem in answer.problems)


@pytest.mark.parametrize("content", [None, b"", b'{"model": 3}', b"\xff\xfe"])
def test_a_bad_tokenizer_is_refused_at_open_by_name_and_nothing_is_held(folder: Path, content: bytes | None) -> None:
    file = folder / "tokenizer.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(PolicyError, match=r"policies\.composition\.tokenizer: .*tokenizer\.json") as failed:
        opened(folder / "brain", file)
    assert failed.value.field == "policies.composition.tokenizer"
    assert failed.value.value == str(file)
    with opened(folder / "brain", "approx") as brain:
        brain.commit_turn(say("m", "s", "the folder is free"))
