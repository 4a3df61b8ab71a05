"""Who may ask, of what type a body is, how long a client waits: what the headers of a request decide."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping

from brain_core.errors import InvalidArgument, require
from brain_server.http.refusals import Forbidden, UnsupportedType
from brain_server.http.routes import Route

JSON, JSON_LINES = "application/json", "application/x-ndjson"

_HOST = re.compile(r"(\[[^\]]*\]|[^:]*)(?::\d*)?")
_TIMEOUT = re.compile(r"(\d{1,8})([HMSmun])")
_SECONDS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_MOST_SECONDS = 1e9  # 30 years; gRPC takes what is far beyond for a deadline that has passed
_OF_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_UNTOLD = ("", "application/octet-stream")

Headers = Mapping[str, str]


def check_sender(headers: Headers) -> None:
    """Refuse what a page in a browser may have sent: it sends an Origin with whatever can write. Raises Forbidden."""
    for header in ("origin", "sec-fetch-site"):
        said = headers.get(header, "none" if header == "sec-fetch-site" else "")
        if said not in ("", "none"):
            raise Forbidden(f"{header}: pages in a browser are not served", field=header, value=said)


def check_host(headers: Headers, listens: str) -> None:
    """Refuse a name that a page in a browser may have made to mean this machine. Raises Forbidden.

    listens: the host of the address that is served.
    """
    host = headers.get("host", "")
    match = _HOST.fullmatch(host)
    name = match[1].lower().rstrip(".") if match else ""
    if name != listens.lower() and name != "localhost" and not name.endswith(".localhost") and not _is_ip(name):
        limit = f"{listens}, localhost or an IP address"
        words = f"host: {host!r} is no name of this server (limit: {limit})"
        raise Forbidden(words, field="host", value=host, limit=limit)


def check_body(route: Route, headers: Headers) -> None:
    """Refuse a body of a type that the route does not read. Raises UnsupportedType, or InvalidArgument for any body."""
    if not route.body:
        none = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
        require(none, "body", "a body", "no body", f"{route.http_method} takes query parameters")
        return
    encoding, said = headers.get("content-encoding", "identity"), media_type(headers)
    if encoding != "identity":
        raise _unsupported("content-encoding", encoding, "identity")
    if route.raw:
        if said in _OF_FORMS:
            raise _unsupported("content-type", said, "the document's own, or application/octet-stream to have it told")
        return
    expected = JSON_LINES if route.call.client_streaming else JSON
    if said != expected:
        raise _unsupported("content-type", said, expected)


def media_type(headers: Headers) -> str:
    """Return the media type of the body without parameters, in lower case; empty if there is none."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def document_type(headers: Headers) -> str:
    """Return the media type that a document is said to be of; empty if that is to be told from its content."""
    said = media_type(headers)
    return "" if said in _UNTOLD else said


def timeout_seconds(headers: Headers) -> float | None:
    """Return how long the client waits, by its Grpc-Timeout, such as 500m for half a second; None means for ever."""
    said = headers.get("grpc-timeout")
    if said is None:
        return None
    match = _TIMEOUT.fullmatch(said)
    if match is None:
        limit = "1 to 8 digits and H, M, S, m (ms), u or n"
        words = f"grpc-timeout: is no time (got {said!r}, limit: {limit})"
        raise InvalidArgument(words, reason="MALFORMED", field="grpc-timeout", value=said, limit=limit)
    return min(int(match[1]) * _SECONDS[match[2]], _MOST_SECONDS)


def _unsupported(header: str, said: str, limit: str) -> UnsupportedType:
    words = f"{header}: is not read here (got {said!r}, limit: {limit})"
    return UnsupportedType(words, field=header, value=said, limit=limit)


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
