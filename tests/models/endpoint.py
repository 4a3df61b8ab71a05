"""An embeddings endpoint on loopback that speaks OpenAI's protocol, and can misbehave."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

import numpy as np

from tests.models.loopback import served

MODEL = "stub-embedder"
DIMENSION = 64
_DROP_SECONDS = 0.1


def vector(text: str) -> list[float]:
    """Return the sum of its words' vectors: texts that share words are near each other, and no length is 1."""
    total = np.full(DIMENSION, 1e-3)
    for word in re.findall(r"[a-z0-9]+|[一-鿿]", text.casefold()):
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        total += np.random.default_rng(seed).standard_normal(DIMENSION)
    return cast("list[float]", total.tolist())


@dataclass
class Behaviour:
    """How the next requests are answered, and what came in.

    mode: good, or a way to be bad. longest: texts with more characters are refused with 400. failing: so many requests
    are answered by 503 first. seconds: what a slow answer takes. nothing: a text with this in it gets zeros.
    """

    mode: str = "good"
    longest: int = 10**9
    failing: int = 0
    seconds: float = 3.0
    nothing: str = "\0"
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


@dataclass(frozen=True)
class Stub:
    """A running endpoint."""

    url: str
    behaviour: Behaviour
    port: int

    @property
    def policy(self) -> dict[str, Any]:
        """The section of brain.yml that names it."""
        return {"kind": "openai", "url": self.url, "model": MODEL, "dimension": DIMENSION, "timeout_seconds": 5.0}


def body_of(mode: str, rows: list[dict[str, Any]]) -> str:
    """Return an answer's body, good or spoilt."""
    if mode == "reordered":
        rows = rows[::-1]
    elif mode == "without_index":
        rows = [{"embedding": row["embedding"]} for row in rows]
    elif mode == "short_list":
        rows = rows[:-1]
    elif mode == "same_index":
        rows = [{**row, "index": 0} for row in rows]
    elif mode == "wrong_dimension":
        rows = [{**row, "embedding": row["embedding"][:-1]} for row in rows]
    elif mode == "ragged":
        rows[-1]["embedding"] = rows[-1]["embedding"][:3]
    elif mode in {"nan", "infinity", "words", "null", "huge"}:
        odd: dict[str, object] = {
            "nan": float("nan"), "infinity": float("inf"), "words": "x", "null": None, "huge": 10**400
        }  # fmt: skip
        rows[-1]["embedding"][0] = odd[mode]
    whole = json.dumps({"object": "list", "model": MODEL, "data": rows})
    others = {"bad_json": whole[: len(whole) // 2], "no_data": '{"error": "none"}', "a_list": "[1, 2]", "empty": ""}
    return others.get(mode, whole)


STATUSES = {"500": 500, "401": 401, "404": 404, "429": 429, "redirect": 307, "refusing": 400}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        behaviour: Behaviour = cast("Any", self.server).behaviour
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        behaviour.requests.append({"path": self.path, **request})
        behaviour.keys.append(self.headers["Authorization"])
        texts: list[str] = request["input"]
        status = STATUSES.get(behaviour.mode, 200)
        if behaviour.failing:
            behaviour.failing, status = behaviour.failing - 1, 503
        elif any(len(text) > behaviour.longest for text in texts):
            status = 400
        if behaviour.mode == "slow":
            time.sleep(behaviour.seconds)
        if behaviour.mode == "hang_up":
            self.close_connection = True
            return
        vectors = [[0.0] * DIMENSION if behaviour.nothing in text else vector(text) for text in texts]
        rows = [{"object": "embedding", "index": place, "embedding": each} for place, each in enumerate(vectors)]
        content = (body_of(behaviour.mode, rows) if status == 200 else '{"error": "stub says no"}').encode()
        with contextlib.suppress(OSError):
            self._send(status, content, drop_by_drop=behaviour.mode == "drops", seconds=behaviour.seconds)

    def _send(self, status: int, content: bytes, *, drop_by_drop: bool, seconds: float) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if drop_by_drop:
            for drop in content[: int(seconds / _DROP_SECONDS)]:
                self.wfile.write(bytes([drop]))
                self.wfile.flush()
                time.sleep(_DROP_SECONDS)
        else:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def endpoint(behaviour: Behaviour | None = None, port: int = 0) -> Iterator[Stub]:
    """Give a running endpoint on a port, free by default."""
    behaviour = behaviour or Behaviour()
    with served(_Handler, behaviour, port) as (url, there):
        yield Stub(url, behaviour, there)
