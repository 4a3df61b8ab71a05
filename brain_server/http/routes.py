"""Which request is which call: read from the contracts' google.api.http options, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from google.api import annotations_pb2
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from brain_core.errors import InvalidArgument, shorten
from brain_server.http.refusals import MethodNotAllowed, NoRoute

_FIELD = re.compile(r"\{([\w.]+)\}")


@dataclass(frozen=True, slots=True)
class Route:
    """One way to make a call over HTTP. template: its path. body: field that the body is; "*" is all, "" is none."""

    call: Any  # a MethodDescriptor: upb's class has no stub
    http_method: str
    template: str
    body: str

    @property
    def name(self) -> str:
        """The call's name, as metrics and logs have it."""
        name: str = self.call.input_type.name
        return name.removesuffix("Request")

    @property
    def path(self) -> str:
        """The path of the call in gRPC."""
        return f"/{self.call.containing_service.full_name}/{self.call.name}"

    @property
    def request(self) -> type[Message]:
        """What a request is."""
        return GetMessageClass(self.call.input_type)

    @property
    def answer(self) -> type[Message]:
        """What an answer is."""
        return GetMessageClass(self.call.output_type)

    @property
    def raw(self) -> bool:
        """Whether the body is bytes as they are and not JSON."""
        field = self.call.input_type.fields_by_name.get(self.body)
        return field is not None and field.type == FieldDescriptor.TYPE_BYTES


class Routes:
    """The routes of some services."""

    def __init__(self, services: Sequence[str]) -> None:
        """services: full names. Their stubs must have been imported."""
        found: dict[str, dict[str, Route]] = {}
        for route in _routes(services):
            found.setdefault(route.template, {})[route.http_method] = route
        # The one that spells out most comes first, so that an unescaped `:diff` at the end of a path is the verb.
        ordered = sorted(found, key=lambda template: -len(_FIELD.sub("", template)))
        self._places = [(_pattern(template), found[template]) for template in ordered]

    def __iter__(self) -> Iterator[Route]:
        for _, by_method in self._places:
            yield from by_method.values()

    def find(self, http_method: str, path: str) -> tuple[Route, dict[str, str]]:
        """Return the route of a request and the fields that its path gives, by the last part of their names, decoded.

        path: percent-encoded, so that %2F and %3A in a field are its own and part no path.
        Raises NoRoute, MethodNotAllowed, and InvalidArgument for a field that is not UTF-8.
        """
        for pattern, by_method in self._places:
            match = pattern.fullmatch(path)
            if match is None:
                continue
            route = by_method.get(http_method)
            if route is None:
                allowed = ", ".join(sorted(by_method))
                words = f"{http_method} {shorten(path)}: is served by {allowed}"
                raise MethodNotAllowed(words, field="method", value=http_method, limit=allowed)
            names = [name.rpartition(".")[2] for name in _FIELD.findall(route.template)]
            return route, {name: _decoded(name, text) for name, text in zip(names, match.groups(), strict=True)}
        raise NoRoute(f"{shorten(path)}: nothing is served under this path", field="path", value=path)


def _routes(services: Sequence[str]) -> Iterator[Route]:
    for service in services:
        for call in descriptor_pool.Default().FindServiceByName(service).methods:
            rule = call.GetOptions().Extensions[annotations_pb2.http]
            for each in (rule, *rule.additional_bindings):
                http_method = each.WhichOneof("pattern")
                if http_method:
                    yield Route(call, http_method.upper(), getattr(each, http_method), each.body)


def _pattern(template: str) -> re.Pattern[str]:
    literals = _FIELD.sub("\0", template).split("\0")
    return re.compile("([^/]+)".join(map(re.escape, literals)))


def _decoded(name: str, text: str) -> str:
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError as error:
        words = f"{name}: is not UTF-8 (got {shorten(text)})"
        raise InvalidArgument(words, reason="MALFORMED", field=name, value=text, limit="UTF-8") from error
