"""kill -9 amid the background pass: what it has done stays done, and it goes on."""

from __future__ import annotations

import time
from pathlib import Path

import yaml
from smartbrain.v1.admin_service_pb2 import GetStatusRequest, VerifyRequest

from tests.models.endpoint import Behaviour, endpoint
from tests.models.onnx_model import FOLDER, needs_model
from tests.server.asking import commit, missing, retrieve
from tests.serving import Server, Stubs, start_server

LINES = 30


def line(kill: int, number: int) -> tuple[str, str]:
    """Return a word that one line has and no other, and the line."""
    word = f"q{chr(97 + kill)}{chr(97 + number // 26)}{chr(97 + number % 26)}z"
    return word, f"The code word of door {number} is {word}."


def waiting(stubs: Stubs) -> int:
    return int(stubs.admin.GetStatus(GetStatusRequest()).chunks_to_refine)


def wait_until(stubs: Stubs, most: int) -> int:
    """Wait until no more than so many chunks wait; return how many do."""
    deadline = time.monotonic() + 60
    while (left := waiting(stubs)) > most:
        assert time.monotonic() < deadline, stubs.admin.GetStatus(GetStatusRequest())
        time.sleep(0.005)
    return left


def commit_lines(stubs: Stubs, kill: int) -> dict[str, str]:
    """Commit what is said before a kill; return it by word."""
    said = dict(line(kill, number) for number in range(LINES))
    for number, text in enumerate(said.values()):
        stubs.brain.CommitTurn(commit("m", f"s{number % 3}", text))
    return said


def killed_amid(folder: Path, embedder: dict[str, object], kills: int) -> tuple[Server, dict[str, str], int]:
    """Commit and kill amid the background pass, again and again.

    Return the server that did the rest, all that was said by word, and in how many kills chunks were waiting.
    """
    server = start_server(folder, config=yaml.safe_dump({"embedder": embedder}))
    said: dict[str, str] = {}
    amid = 0
    for kill in range(kills):
        with server.stubs() as stubs:
            said |= commit_lines(stubs, kill)
            left = wait_until(stubs, LINES // 2)
        server.kill()
        amid += left > 0
        server = start_server(folder, "--config", str(folder / "brain.yml"))
        with server.stubs() as stubs:
            assert waiting(stubs) <= left, f"kill {kill}: what was done was lost"
            assert [problem for answer in stubs.admin.Verify(VerifyRequest()) for problem in answer.problems] == []
            assert missing(stubs, "m", said) == []
    with server.stubs() as stubs:
        wait_until(stubs, 0)
        assert [problem for answer in stubs.admin.Verify(VerifyRequest()) for problem in answer.problems] == []
    return server, said, amid


def test_with_an_endpoint(folder: Path, kills: int) -> None:
    with endpoint(Behaviour(mode="slow", seconds=0.05)) as stub:
        server, said, amid = killed_amid(folder, {**stub.policy, "batch": 3}, max(1, kills // 2))
        assert amid
        with server.stubs() as stubs:
            for word, text in list(said.items())[::20]:
                request = retrieve("m", f"code word {word}", mode="semantic", k=1)
                assert stubs.retrieval.Retrieve(request).pack.evidences[0].snippet == text
        assert server.terminate() == 0


@needs_model
def test_with_the_model(folder: Path, kills: int) -> None:
    server, _, _ = killed_amid(folder, {"kind": "onnx", "folder": str(FOLDER), "batch": 1}, max(1, kills // 2))
    assert server.terminate() == 0
