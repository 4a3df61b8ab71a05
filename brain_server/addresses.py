"""Where a server listens: checked before it is taken, so that two servers never share one address."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import grpc

from brain_core.policy.serving import LAST_PORT

_UNIX = "unix:"
_UNIX_PATH_BYTES = 107
_OWNER_ONLY = 0o600


class AddressError(Exception):
    """An address cannot be listened on."""


def listen(server: grpc.Server, address: str, credentials: grpc.ServerCredentials | None = None) -> str:
    """Take an address, HOST:PORT or unix:PATH, and return it as taken (a port 0 as the port it became).

    credentials: what encrypts it; a unix socket, which its owner alone may open, is not.
    Raises AddressError, with the reason, if it is malformed or in use.
    """
    if address.startswith(_UNIX):
        return _listen_unix(server, address)
    host, port = host_and_port("--listen", address, " or unix:PATH")
    # Tried first: gRPC would say on standard error that it cannot, and not why.
    with taking("--listen", address):
        bound(host, port).close()
    try:
        taken = server.add_secure_port(address, credentials) if credentials else server.add_insecure_port(address)
    except RuntimeError as error:
        raise AddressError(f"--listen {address}: {error}") from error
    return f"{address.rpartition(':')[0]}:{taken}"


def host_and_port(option: str, address: str, otherwise: str = "") -> tuple[str, int]:
    """Return the parts of HOST:PORT, an IPv6 host without its brackets.

    option: on whose behalf AddressError is raised. otherwise: what else the option takes, for the error.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > LAST_PORT:
        raise AddressError(f"{option} {address}: expected HOST:PORT{otherwise}")
    return host.strip("[]"), int(port)


@contextlib.contextmanager
def taking(option: str, address: str) -> Iterator[None]:
    """Raise AddressError, on behalf of an option, if an address cannot be taken within."""
    try:
        yield
    except OSError as error:
        raise AddressError(f"{option} {address}: {error.strerror}") from error
    except UnicodeError as error:  # IDNA has no form for it
        raise AddressError(f"{option} {address}: this is no name of a host") from error


def bound(host: str, port: int) -> socket.socket:
    """Return a socket of an address that does not listen yet. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, place = found[0]
    taken = socket.socket(family, kind, protocol)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(place)
    except OSError:
        taken.close()
        raise
    return taken


def _listen_unix(server: grpc.Server, address: str) -> str:
    path = Path(address.removeprefix(_UNIX).removeprefix("//"))
    if not path.parent.is_dir():
        raise AddressError(f"--listen {address}: the folder {path.parent} does not exist")
    if len(os.fsencode(path.absolute())) > _UNIX_PATH_BYTES:
        raise AddressError(f"--listen {address}: a socket's path has at most {_UNIX_PATH_BYTES} bytes")
    if path.exists() and not path.is_socket():
        raise AddressError(f"--listen {address}: there is a file that is not a socket")
    # gRPC removes a socket file that it finds, also one that another server listens on.
    if path.exists() and _answers(path):
        raise AddressError(f"--listen {address}: another process listens there")
    try:
        server.add_insecure_port(f"{_UNIX}{path.absolute()}")
    except RuntimeError as error:
        raise AddressError(f"--listen {address}: {error}") from error
    path.chmod(_OWNER_ONLY)
    return f"{_UNIX}{path}"


def _answers(path: Path) -> bool:
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe:
        try:
            probe.connect(str(path))
        except OSError as error:
            return error.errno not in {errno.ECONNREFUSED, errno.ENOENT}
    return True
