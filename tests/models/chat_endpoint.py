"""A chat endpoint on loopback that speaks OpenAI's protocol, and can misbehave."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

from tests.models.loopback import served

MODEL = "stub-chat"
Answer = Callable[[dict[str, Any]], dict[str, Any]]
"""From what is said (the JSON of a prompt) to the object answered."""


def nothing(_: dict[str, Any]) -> dict[str, Any]:
    """Answer both questions with nothing."""
    return {"items": [], "goals": [], "decisions": [], "tasks": [], "key_references": [], "open_questions": []}


@dataclass
class ChatBehaviour:
    """How the next requests are answered, and what came in.

    answer: what a good answer holds. mode: good, or a way to be bad. failing: so many requests are answered by 503
    first. seconds: what a slow answer takes. gate: cleared, answers wait until it is set.
    """

    answer: Answer = nothing
    mode: str = "good"
    failing: int = 0
    seconds: float = 3.0
    usage: object = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)
    entered: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    @property
    def said(self) -> list[dict[str, Any]]:
        """What each request said, as an object."""
        return [json.loads(request["messages"][1]["content"]) for request in self.requests]


@dataclass(frozen=True)
class ChatStub:
    """A running endpoint."""

    url: str
    behaviour: ChatBehaviour
    port: int

    @property
    def policy(self) -> dict[str, Any]:
        """The section of brain.yml that names it."""
        return {"url": self.url, "model": MODEL, "timeout_seconds": 5.0}


STATUSES = {"500": 500, "401": 401, "404": 404, "429": 429, "redirect": 307, "refusing": 400}
_DEEP = '{"items": ' + "[" * 20_000


def content_of(mode: str, good: str) -> object:
    """Return the content of a message, good or spoilt."""
    return {
        "half": good[: len(good) // 2],
        "words": "I found nothing to remember, sorry!",
        "another_object": '{"answer": 42}',
        "a_list": "[1, 2]",
        "none": None,
        "a_number": 17,
        "empty": "",
        "deep": _DEEP,
        "nan": '{"items": NaN}',
        "fenced": f"Sure! Here it is:\n```json\n{good}\n```\nAnything else?",
        "thinking": f'<think>Perhaps {{"items": "none"}}? No.</think>\n{good}',
        "many_braces": "{" * 50_000,
    }.get(mode, good)


def body_of(mode: str, good: str, usage: object) -> str:
    """Return an answer's body, good or spoilt."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content_of(mode, good)},
        "finish_reason": "length" if mode == "cut_off" else "stop",
    }
    whole = json.dumps({"object": "chat.completion", "model": MODEL, "choices": [choice], "usage": usage})
    others = {
        "bad_json": whole[: len(whole) // 2],
        "no_choices": '{"error": "none"}',
        "empty_choices": '{"choices": []}',
        "bare_list": "[1, 2]",
        "bare_empty": "",
        "choices_words": '{"choices": ["x"]}',
        "message_words": '{"choices": [{"message": "x"}]}',
        "stream": f"data: {whole}\n\ndata: [DONE]\n\n",
        "html": "<html>502 Bad Gateway</html>",
        "deep_body": "[" * 100_000,
    }
    return others.get(mode, whole)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        behaviour: ChatBehaviour = cast("Any", self.server).behaviour
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        behaviour.requests.append({"path": self.path, **request})
        behaviour.keys.append(self.headers["Authorization"])
        behaviour.entered.set()
        behaviour.gate.wait(30)
        mode = behaviour.mode
        status = STATUSES.get(mode, 200)
        if behaviour.failing:
            behaviour.failing, status = behaviour.failing - 1, 503
        elif mode == "no_schema" and "response_format" in request:
            status = 400
        if mode == "slow":
            time.sleep(behaviour.seconds)
        if mode == "hang_up":
            self.close_connection = True
            return
        with contextlib.suppress(OSError):
            if mode in {"endless", "drops"}:
                self._send_without_end(mode, behaviour.seconds)
            else:
                said = json.loads(request["messages"][1]["content"])
                good = json.dumps(behaviour.answer(said), ensure_ascii=False) if status == 200 else ""
                self._send(
                    status, body_of(mode, good, behaviour.usage) if status == 200 else '{"error": "stub says no"}'
                )

    def _send(self, status: int, content: str) -> None:
        body = content.encode("utf-8", "surrogatepass")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_without_end(self, mode: str, seconds: float) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.wfile.write(b" " * 65536 if mode == "endless" else b" ")
            self.wfile.flush()
            if mode == "drops":
                time.sleep(0.05)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def chat_endpoint(behaviour: ChatBehaviour | None = None, port: int = 0) -> Iterator[ChatStub]:
    """Give a running endpoint on a port, free by default."""
    behaviour = behaviour or ChatBehaviour()
    with served(_Handler, behaviour, port) as (url, there):
        try:
            yield ChatStub(url, behaviour, there)
        finally:
            behaviour.gate.set()
