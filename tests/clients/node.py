"""The Node client in a process of Node, for tests that call it as they call the Python client."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parents[2] / "clients/node"


def needs_node() -> None:
    """Skip a test where Node is not, or what the client needs."""
    if shutil.which("node") is None:
        pytest.skip("there is no node")
    if not (PACKAGE / "node_modules/@grpc/grpc-js").exists():
        pytest.skip("the Node client's packages are not here: npm ci --prefix clients/node")


class NodeError(Exception):
    """What the Node client threw: its properties by name."""

    def __init__(self, told: dict[str, Any]) -> None:
        super().__init__(told["message"])
        self.told = told


class Bridge:
    """A process of Node that calls the client as it is told."""

    def __init__(self) -> None:
        command = ["node", str(Path(__file__).with_name("bridge.mjs"))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **request: object) -> Any:  # noqa: ANN401  JSON
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        if "error" in told:
            raise NodeError(told["error"])
        return told.get("answer")

    def open(self, target: str, **settings: object) -> Node:
        return Node(self, self.ask(open={"target": target, "settings": settings}))

    def close(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


class Node:
    """A client in it. Verbs have their names in JavaScript."""

    def __init__(self, bridge: Bridge, number: int) -> None:
        self._bridge, self._number = bridge, number

    def __call__(self, verb: str, *args: object, **options: object) -> Any:  # noqa: ANN401  JSON
        return self._bridge.ask(client=self._number, verb=verb, args=args, options=options)
