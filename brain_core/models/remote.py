"""Any endpoint that speaks OpenAI's `POST /v1/chat/completions` (Ollama, llama.cpp, vLLM, …): asked for an object.

The answer is data from outside: all but its form is for others to check.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from brain_core.env import Watch
from brain_core.errors import ModelUnavailable, UnusableAnswer
from brain_core.models.endpoint import JsonEndpoint, Unanswered, Unfinished, Unwanted, one_line
from brain_core.text.tokens import ApproxCounter

Schema = Mapping[str, Any]
"""A JSON schema."""

_NOT_TAKEN = (400, 413, 422)
_BYTES_PER_TOKEN = 32
_SPARE_BYTES = 1 << 16
_STARTS_TRIED = 16
_FRAME_TOKENS = 64
_MARKED_THOUGHT = "</think>"

_counter = ApproxCounter()


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Where answers come from. url: up to and without /chat/completions. timeout_seconds: of one request.

    section: of the policy that names it.
    """

    url: str
    model: str
    timeout_seconds: float
    answer_tokens: int
    api_key: str = field(default="", repr=False)
    section: str = "llm"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question whose answer is one JSON object. name: of the schema. wanted: the field that the object must have."""

    name: str
    system: str
    said: Mapping[str, Any]
    schema: Schema
    wanted: str

    @property
    def content(self) -> str:
        """What is said, as the endpoint gets it."""
        return json.dumps(self.said, ensure_ascii=False)

    @property
    def tokens(self) -> int:
        """Estimated tokens of asking."""
        return _counter.count(self.system) + _counter.count(self.content) + _FRAME_TOKENS


@dataclass(frozen=True, slots=True)
class Reply:
    """The object, and the tokens that asking and answering took, as the endpoint says within what can be."""

    value: dict[str, Any]
    tokens: int


class ChatModel:
    """One model behind an endpoint. A call is one request: who asks decides on tries and pauses."""

    def __init__(self, endpoint: ChatEndpoint) -> None:
        """Connect to nothing yet."""
        self._endpoint = endpoint
        self._server = JsonEndpoint(endpoint.url, endpoint.api_key, endpoint.timeout_seconds)
        self._takes_schema = True

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._endpoint.model

    @property
    def answer_tokens(self) -> int:
        """Most tokens of an answer."""
        return self._endpoint.answer_tokens

    def ask(self, prompt: Prompt, watch: Watch | None = None) -> Reply:
        """Return the object. Raises ModelUnavailable, or UnusableAnswer if another question may do better.

        watch: ends the wait, and it raises Unwanted. An endpoint that does not take the request with a schema is asked
        without one the next time.
        """
        most = self.answer_tokens * _BYTES_PER_TOKEN + _SPARE_BYTES
        try:
            body = self._server.post("chat/completions", self._request(prompt), most, tries=1, watch=watch)
        except Unwanted:
            raise
        except Unanswered as failed:
            refused = failed.status in _NOT_TAKEN
            if refused:
                self._takes_schema = not self._takes_schema
            raise self._failure(str(failed), unusable=refused or isinstance(failed, Unfinished)) from failed
        whole = _decoded(body.decode(errors="replace"))
        content = self._content(whole, body)
        found = _object(content, prompt.wanted)
        if found is None:
            raise self._failure(f"gave no object with {prompt.wanted!r}: {one_line(content)}", unusable=True)
        return Reply(found, self._used(whole, prompt))

    def close(self) -> None:
        """Close the connection; a call under way fails at once, and so do later ones."""
        self._server.close()

    def _request(self, prompt: Prompt) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.content},
            ],
            "temperature": 0,
            "max_tokens": self.answer_tokens,
            "stream": False,
        }
        if self._takes_schema:
            named = {"name": prompt.name, "schema": prompt.schema}
            request["response_format"] = {"type": "json_schema", "json_schema": named}
        return request

    def _content(self, whole: Any, body: bytes) -> str:  # noqa: ANN401  whatever JSON may be
        try:
            choice = whole["choices"][0]
            content, ended = choice["message"]["content"], choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            words = one_line(body.decode(errors="replace"))
            raise self._failure(f"gave no chat completion: {words}", unusable=True) from error
        if ended == "length":
            raise self._failure(f"was cut off at {self.answer_tokens} tokens", unusable=True)
        if not isinstance(content, str):
            raise self._failure("gave no text", unusable=True)
        return content

    def _used(self, whole: object, prompt: Prompt) -> int:
        usage = whole.get("usage") if isinstance(whole, dict) else None
        said = usage.get("total_tokens") if isinstance(usage, dict) else None
        most = 2 * prompt.tokens + self.answer_tokens
        return min(max(said, 1), most) if isinstance(said, int) else prompt.tokens + self.answer_tokens

    def _failure(self, why: str, *, unusable: bool = False) -> ModelUnavailable:
        kind, field = UnusableAnswer if unusable else ModelUnavailable, f"{self._endpoint.section}.url"
        failed = kind(
            f"{field}: {self._endpoint.url} {why}",
            field=field,
            value=self._endpoint.url,
            limit=f"an answer within {self._endpoint.timeout_seconds:g} s",
            hint=f"check the endpoint, {field}, model, answer_tokens and api_key_file",
        )
        failed.why = why
        return failed


def _decoded(text: str) -> object:
    """Return what a JSON text says, None if it is none, holds NaN or infinity, or is nested beyond reason."""
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _object(content: str, wanted: str) -> dict[str, Any] | None:
    """Return the first JSON object in a text that has a field, whatever stands around it: a server may ignore schemas.

    What a model thinks aloud is left out.
    """
    said = content.rpartition(_MARKED_THOUGHT)[2]
    for candidate in _candidates(said):
        if isinstance(candidate, dict) and wanted in candidate:
            return candidate
    return None


def _candidates(text: str) -> Iterator[object]:
    yield _decoded(text)
    decoder = json.JSONDecoder(parse_constant=_refused)
    start = text.find("{")
    for _ in range(_STARTS_TRIED):
        if start < 0:
            return
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield found
        start = text.find("{", end)
