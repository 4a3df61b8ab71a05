"""Requests over HTTP, on connections of their own."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from tests.serving import Server

JSON = "application/json"
LINES = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. headers: by name in lower case."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401
        assert self.headers["content-type"] == JSON, self.content
        return json.loads(self.content)

    @property
    def lines(self) -> list[Any]:
        assert self.headers["content-type"] == LINES, self.content
        return [json.loads(line) for line in self.content.splitlines()]

    @property
    def fault(self) -> tuple[int, str, str]:
        """What the body says went wrong: the HTTP status, which must be the answer's, the code's name, the field."""
        error = self.json["error"]
        assert error["code"] == self.status
        facts = error["details"][0]["metadata"] if error["details"] else {}
        return error["code"], error["status"], facts.get("field", "")


@dataclass(frozen=True, slots=True)
class Http:
    """An address that answers over HTTP."""

    host: str
    port: int

    @classmethod
    def of(cls, server: Server) -> Http:
        """Return the one of a server."""
        host, _, port = str(server.listening()["http"]).removeprefix("http://").rpartition(":")
        return cls(host.strip("[]"), int(port))

    @contextmanager
    def connection(self) -> Iterator[http.client.HTTPConnection]:
        with closing(http.client.HTTPConnection(self.host, self.port, timeout=60)) as opened:
            yield opened

    def __call__(
        self,
        method: str,
        path: str,
        body: bytes | str | dict[str, Any] | Iterable[bytes] | None = None,
        content_type: str = JSON,
        **headers: str,
    ) -> Answer:
        """Ask. body: a dict goes as JSON. headers: with _ for -."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        content = json.dumps(body) if isinstance(body, dict) else body
        if body is not None and content_type:
            sent["Content-Type"] = content_type
        with self.connection() as connection:
            connection.request(method, path, content.encode() if isinstance(content, str) else content, sent)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())

    def get(self, path: str, **headers: str) -> Answer:
        return self("GET", path, **headers)

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Answer:
        return self("POST", path, body, **headers)


def turn(*contents: str) -> dict[str, Any]:
    """Return the body of a commit of what the user said."""
    return {"turn": {"messages": [{"role": "user", "content": content} for content in contents]}}
