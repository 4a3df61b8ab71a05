"""By what a client is known to its server, and the server to it: a token, and files in PEM.

gRPC sends call credentials over encrypted channels alone, so the token is metadata of each call; it is refused where it
would leave the machine in the clear.
"""

import ipaddress
import re
import ssl
from collections.abc import Callable
from functools import partial
from os import fspath
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import grpc
from grpc import aio

from smartbrain.errors import InvalidArgument

File = Path | str
Channel = TypeVar("Channel", grpc.Channel, aio.Channel)

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/=-]{16,1024}")
_TOKEN_LIMIT: Final = "16 to 1024 letters, digits and . _ ~ + / = - (as of: openssl rand -hex 32)"


class Access:
    """How one server is reached: encrypted or not, with which token.

    It is encrypted if `tls` is set or any file is named. `ca` is of the authorities that may have signed the server's
    certificate, None for those that gRPC trusts. `certificate` and `key` are shown to a server that asks for them.
    """

    def __init__(
        self,
        target: str,
        *,
        token: str | None = None,
        tls: bool = False,
        ca: File | None = None,
        certificate: File | None = None,
        key: File | None = None,
    ) -> None:
        """Read the files. Raises InvalidArgument for one of no use, and for a token that would go in the clear."""
        encrypted = bool(tls or ca or certificate or key)
        if encrypted and target.startswith(("unix:", "unix-abstract:")):
            words = "tls: a unix socket is not encrypted; leave tls, ca, certificate and key out"
            raise InvalidArgument(words, reason="FIELD_INVALID", metadata={"field": "tls", "value": target})
        if token is not None and not encrypted and not is_local(target):
            raise InvalidArgument(
                f"token: would go to {target} unencrypted, for all on the way to read",
                reason="FIELD_INVALID",
                metadata={"field": "token", "hint": "let the server have server.tls, and name its ca= (brain --ca)"},
            )
        self.metadata = () if token is None else (("authorization", f"Bearer {checked_token('token', token)}"),)
        self.credentials = _credentials(ca, certificate, key) if encrypted else None

    def open(
        self, secure: Callable[..., Channel], insecure: Callable[..., Channel], target: str, options: object
    ) -> Channel:
        """Make a channel by gRPC's functions for one, synchronous or asynchronous."""
        return insecure(target, options) if self.credentials is None else secure(target, self.credentials, options)

    def carried(self, channel: Channel) -> Channel:
        """Give what stubs are made of: a channel whose calls carry the token.

        gRPC sends call credentials over encrypted channels alone, and a server on this machine needs no encryption.
        """
        return cast("Channel", _Carrying(channel, self.metadata)) if self.metadata else channel


class _Carrying:
    """Makes the calls of a channel, each with the same metadata."""

    def __init__(self, channel: Any, metadata: tuple[tuple[str, str], ...]) -> None:  # noqa: ANN401  of either kind
        self._channel = channel
        self._metadata = metadata

    def unary_unary(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401  as gRPC has it
        return partial(self._channel.unary_unary(*given, **named), metadata=self._metadata)

    def unary_stream(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401  as gRPC has it
        return partial(self._channel.unary_stream(*given, **named), metadata=self._metadata)

    def stream_unary(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401  as gRPC has it
        return partial(self._channel.stream_unary(*given, **named), metadata=self._metadata)

    def stream_stream(self, *given: Any, **named: Any) -> Any:  # noqa: ANN401  as gRPC has it
        return partial(self._channel.stream_stream(*given, **named), metadata=self._metadata)


def is_local(target: str) -> bool:
    """Say whether an address is reached without leaving this machine. False where that cannot be told."""
    if target.startswith(("unix:", "unix-abstract:")):
        return True
    place = re.sub(r"^(?:dns|ipv4|ipv6):(?:///?)?", "", target)
    host = place.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def checked_token(field: str, token: str) -> str:
    """Give a token as it is. Raises InvalidArgument, which does not show it, for what is none."""
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        metadata = {"field": field, "limit": _TOKEN_LIMIT}
        raise InvalidArgument(
            f"{field}: is no token; it must be {_TOKEN_LIMIT}", reason="FIELD_INVALID", metadata=metadata
        )
    return token


def token_of(field: str, path: File) -> str:
    """Give the token that a file holds, without the blanks around it. Raises InvalidArgument that names the file."""
    return checked_token(f"{field}: {fspath(path)}", _read(field, path).decode("utf-8-sig", "replace").strip())


def read_pem(field: str, path: File) -> bytes:
    """Give the content of a file in PEM. Raises InvalidArgument that names the file."""
    content = _read(field, path)
    if b"-----BEGIN " not in content:
        raise _unusable(field, path, "is no file in PEM (with -----BEGIN)")
    return content


def check_authorities(field: str, path: File) -> None:
    """Check that a file holds certificates. Raises InvalidArgument that names it."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except (ssl.SSLError, OSError) as error:
        raise _unusable(field, path, "holds no certificate that can be read") from error


def load_pair(context: ssl.SSLContext, certificate: tuple[str, File], key: tuple[str, File]) -> None:
    """Give a context a certificate and its key, each a field and its file. Raises InvalidArgument that names one."""
    check_authorities(*certificate)

    def asked() -> str:
        raise _unusable(*key, "has a password; write one without: openssl pkey -in KEY -out NEW")

    try:
        context.load_cert_chain(certificate[1], key[1], asked)
    except ssl.SSLError as error:
        other = error.reason == "KEY_VALUES_MISMATCH"
        why = f"is not the key of {fspath(certificate[1])}" if other else "holds no private key that can be read"
        raise _unusable(*key, why) from error


def _credentials(ca: File | None, certificate: File | None, key: File | None) -> grpc.ChannelCredentials:
    roots = chain = private = None
    if ca:
        roots = read_pem("ca", ca)
        check_authorities("ca", ca)
    if certificate or key:
        if not (certificate and key):
            missing, there = ("key", "certificate") if certificate else ("certificate", "key")
            words = f"{missing}: is missing; the {there} beside it needs it"
            raise InvalidArgument(words, reason="FIELD_REQUIRED", metadata={"field": missing})
        chain, private = read_pem("certificate", certificate), read_pem("key", key)
        load_pair(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), ("certificate", certificate), ("key", key))
    return grpc.ssl_channel_credentials(roots, private, chain)


def _read(field: str, path: File) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise _unusable(field, path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _unusable(field: str, path: File, why: str) -> InvalidArgument:
    facts = {"field": field, "value": fspath(path)}
    return InvalidArgument(f"{field}: {fspath(path)} {why}", reason="FIELD_INVALID", metadata=facts)
