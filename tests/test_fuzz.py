"""`make fuzz` draws ten times as many examples, and others each time, wherever it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

@pytest.mark.parametrize("name", ["first", "second"])
@settings(max_examples=6)
@given(st.integers())
def test_function(name, number):
    print("\\ndrawn", name, number)

class Machine(RuleBasedStateMachine):
    @rule(number=st.integers())
    def step(self, number):
        pass

    def teardown(self):
        print("\\ndrawn machine")

Machine.TestCase.settings = settings(max_examples=4, stateful_step_count=2)
TestMachine = Machine.TestCase
"""


def drawn(folder: Path, *options: str) -> list[str]:
    """Return what such tests draw where CI is set."""
    (folder / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-s", "-p", "tests.conftest", "-p", "no:cacheprovider", *options]
    ended = subprocess.run(
        [*command, "--rootdir", str(folder), str(folder)],
        cwd=ROOT,
        env={**os.environ, "CI": "true"},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    return [line for line in ended.stdout.splitlines() if line.startswith("drawn")]


def test_nightly_examples_are_ten_times_as_many_and_new_each_time(tmp_path: Path) -> None:
    usual, again = drawn(tmp_path), drawn(tmp_path)
    nightly, other = (drawn(tmp_path, "-m", "hypothesis", "--hypothesis-profile", "nightly") for _ in range(2))
    kinds = ("first", "second", "machine")
    assert [sum(kind in line for line in usual) for kind in kinds] == [6, 6, 4]
    assert [sum(kind in line for line in nightly) for kind in kinds] == [60, 60, 40]
    assert usual == again
    assert nightly != other
