"""By which certificate this server is known, and whose certificates it asks for."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import grpc
from smartbrain.access import check_authorities, load_pair, read_pem
from smartbrain.errors import SmartBrainError

from brain_core.errors import PolicyError
from brain_core.policy import TlsPolicy

_FIELD = "server.tls"


@dataclass(frozen=True, slots=True)
class Tls:
    """What encrypts an address: gRPC's credentials, and a context for sockets of our own."""

    credentials: grpc.ServerCredentials
    context: ssl.SSLContext


def load_tls(policy: TlsPolicy) -> Tls | None:
    """Read the files of a policy; None where it names none. Raises PolicyError that names field and file."""
    if not policy.certificate:
        return None
    with of_policy():
        certificate = read_pem(f"{_FIELD}.certificate", policy.certificate)
        key = read_pem(f"{_FIELD}.key", policy.key)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        load_pair(context, (f"{_FIELD}.certificate", policy.certificate), (f"{_FIELD}.key", policy.key))
        asked = None
        if policy.client_ca:
            asked = read_pem(f"{_FIELD}.client_ca", policy.client_ca)
            check_authorities(f"{_FIELD}.client_ca", policy.client_ca)
            context.load_verify_locations(policy.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
    context.set_alpn_protocols(["http/1.1"])
    credentials = grpc.ssl_server_credentials([(key, certificate)], asked, require_client_auth=asked is not None)
    return Tls(credentials, context)


@contextmanager
def of_policy(place: str = "") -> Iterator[None]:
    """Raise PolicyError for what of a policy cannot be used. place: put before the field's name."""
    try:
        yield
    except SmartBrainError as error:
        words = f"brain.yml: {place}{error.message}"
        raise PolicyError(words, field=f"{place}{error.field}", value=error.value, hint=error.hint) from error
