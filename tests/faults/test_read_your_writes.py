"""A turn that was acknowledged is found by the next call, also on another connection."""

from tests.server.asking import commit, compose
from tests.serving import Server


def test_the_next_compose_on_another_connection_finds_the_turn(server: Server) -> None:
    found = 0
    with server.stubs() as writing, server.stubs() as reading:
        for number in range(300):
            word = "qz" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}") + "xk"
            said = f"The word of the hour is {word}, 第{number}个。"
            committed = writing.brain.CommitTurn(commit("next-call", "said here", said))
            answer = reading.brain.ComposeContext(compose("next-call", "asked there", f"What about {word}?"))
            assert answer.revision >= committed.revision
            found += any(said in evidence.snippet for evidence in answer.context.evidence)
    assert found == 300
