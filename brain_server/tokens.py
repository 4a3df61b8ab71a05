"""Who calls, told by a bearer token, and what that one may do. Tokens are kept as hashes alone."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from google.protobuf.message import Message
from smartbrain.access import checked_token, token_of

from brain_core.browse_memories import EVERYWHERE, Reach
from brain_core.errors import BrainError, PolicyError
from brain_core.policy import TokenRow
from brain_server.tls import of_policy

HEADER = "authorization"
"""Key of gRPC's metadata, and of HTTP's headers in lower case, whose value is `Bearer TOKEN`."""

CHALLENGE = ("WWW-Authenticate", 'Bearer realm="smartbrain"')
"""Header of an HTTP answer to who is not known."""

READ, WRITE, ADMIN, ANY = "read", "write", "admin", "any"
"""ANY is no right: whoever has a token may."""

RIGHTS = {
    "CommitTurn": WRITE,
    "CommitTurns": WRITE,
    "ComposeContext": READ,
    "GetContext": READ,
    "ListContexts": READ,
    "Replay": READ,
    "ListMemories": READ,
    "ListSessions": READ,
    "GetSession": READ,
    "ListTurns": READ,
    "DeleteMemory": ADMIN,
    "DeleteSession": ADMIN,
    "DeleteTurn": ADMIN,
    "ListItems": READ,
    "GetItem": READ,
    "GetItemHistory": READ,
    "DiffItem": READ,
    "RollbackItem": WRITE,
    "GetCommit": READ,
    "Retrieve": READ,
    "IngestDocument": WRITE,
    "GetDocument": READ,
    "ListDocuments": READ,
    "DeleteDocument": WRITE,
    "GetStatus": READ,
    "GetMetrics": ANY,
    "Verify": ADMIN,
    "RebuildIndex": ADMIN,
    "Backup": ADMIN,
}
"""The right that each call needs, on the memory that it names, or on all where it names none and is not NARROWED."""

NARROWED = {"ListMemories"}
"""Calls that name no memory and tell of those alone that the caller reaches."""

_SCHEME = re.compile(r"Bearer +(\S+)", re.IGNORECASE)
_HINT = "send one: Client(token=…), brain --token-file FILE, or the header Authorization: Bearer TOKEN"
_IN_PARTS = {"CommitTurns": "turn", "IngestDocument": "header"}
"""Which field of a request of a stream names the memory."""


class Unauthenticated(BrainError):
    """Nobody who may call: no token came, or one that is not known."""

    reason = "TOKEN_UNKNOWN"


class PermissionDenied(BrainError):
    """The token does not reach so far."""

    reason = "TOKEN_RIGHT"


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose token came. memories: as the policy writes them. reach: which these are."""

    name: str
    rights: frozenset[str]
    memories: str
    reach: Reach

    def check(self, call: str, request: Message) -> None:
        """Raise PermissionDenied unless the caller may make a call with a request."""
        right = ADMIN if call == "DeleteDocument" and getattr(request, "purge", False) else RIGHTS[call]
        if right == ANY:
            return
        memory_id = _memory_of(call, request)
        if memory_id is None:
            return
        where = f"memory {memory_id!r}" if memory_id else "the whole server"
        if right not in self.rights:
            words = f"{call}: the token {self.name} has no right to {right} ({where})"
            raise PermissionDenied(words, limit=", ".join(sorted(self.rights)) or "none", hint=_ask(right))
        if call in NARROWED:
            return
        if self.reach is not EVERYWHERE and not (memory_id and self.reach.has(memory_id)):
            words = (
                f"memory_id: the token {self.name} does not reach {where} ({right} of {call}, limit: {self.memories})"
            )
            raise PermissionDenied(
                words, reason="TOKEN_MEMORY", field="memory_id", value=memory_id, limit=self.memories, hint=_ask(right)
            )


class Tokens:
    """The tokens of a policy."""

    def __init__(self, rows: Sequence[TokenRow]) -> None:
        """Read them. Raises PolicyError that names the row, and never shows a token."""
        self._callers: list[tuple[bytes, Caller]] = []
        for number, row in enumerate(rows):
            place = f"server.tokens.{number}"
            digest = _digest_of(row, place)
            for known, caller in self._callers:
                same = "token" if known == digest else "name" if caller.name == row.name else ""
                if same:
                    raise PolicyError(f"brain.yml: {place}: has the {same} of {caller.name}", field=place)
            self._callers.append((digest, _caller(row)))

    def __bool__(self) -> bool:
        return bool(self._callers)

    def caller(self, authorization: str | None) -> Caller:
        """Return who calls. authorization: value of HEADER. Raises Unauthenticated.

        Takes the same time whichever token is the right one, or none. Without tokens anybody may do all.
        """
        if not self._callers:
            return _ANYBODY
        if not authorization:
            raise Unauthenticated("a token is needed, and none came", reason="TOKEN_MISSING", hint=_HINT)
        match = _SCHEME.fullmatch(authorization)
        digest = _digest(match[1] if match else "")
        found = None
        for known, caller in self._callers:
            if hmac.compare_digest(known, digest):
                found = caller
        if found is None or match is None:
            raise Unauthenticated("the token is not one that this server knows", hint=_HINT)
        return found

    def guarding(self, application: WSGIApplication) -> WSGIApplication:
        """Return a WSGI application that asks for a token, of whatever rights, before another one."""

        def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            try:
                self.caller(environ.get("HTTP_AUTHORIZATION"))
            except Unauthenticated as error:
                start_response("401 Unauthorized", [("Content-Type", "text/plain; charset=utf-8"), CHALLENGE])
                return [f"{error}; {error.hint}\n".encode()]
            return application(environ, start_response)

        return serve

    def caller_of(self, metadata: Iterable[tuple[str, str | bytes]]) -> Caller:
        """Return who makes a call of gRPC. Raises Unauthenticated."""
        if not self._callers:
            return _ANYBODY
        values = [value for key, value in metadata if key == HEADER]
        return self.caller(values[0] if len(values) == 1 and isinstance(values[0], str) else None)


def _memory_of(call: str, request: Message) -> str | None:
    """Return the memory that a request names, empty for all; None for a later part of a stream that names it once."""
    part = _IN_PARTS.get(call)
    if part is None:
        return str(getattr(request, "memory_id", ""))
    if call == "IngestDocument" and not request.HasField(part):
        return None
    return str(getattr(request, part).memory_id)


def _caller(row: TokenRow) -> Caller:
    return Caller(row.name, frozenset(row.rights), ", ".join(row.memories) or "none", _reach(row.memories))


def _reach(globs: Sequence[str]) -> Reach:
    if "*" in globs:
        return EVERYWHERE
    written = "|".join(".*".join(map(re.escape, glob.split("*"))) for glob in globs)
    return Reach(tuple(glob.partition("*")[0] for glob in globs), re.compile(written or "(?!)", re.DOTALL).fullmatch)


_ANYBODY = Caller("", frozenset((READ, WRITE, ADMIN)), "*", EVERYWHERE)


def _digest_of(row: TokenRow, place: str) -> bytes:
    sources = [name for name in ("sha256", "file", "env") if getattr(row, name)]
    if len(sources) != 1:
        words = f"brain.yml: {place} ({row.name}): needs one of sha256, file, env"
        raise PolicyError(f"{words} (has {' and '.join(sources) or 'none'})", field=place)
    if row.sha256:
        return bytes.fromhex(row.sha256)
    with of_policy():
        if row.file:
            return _digest(token_of(f"{place}.file", row.file))
        if row.env not in os.environ:
            words = f"brain.yml: {place}.env: there is no variable {row.env}"
            raise PolicyError(words, field=f"{place}.env", value=row.env)
        return _digest(checked_token(f"{place}.env: {row.env}", os.environ[row.env].strip()))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _ask(right: str) -> str:
    return f"let server.tokens of brain.yml give it {right} there, or call with another token"
