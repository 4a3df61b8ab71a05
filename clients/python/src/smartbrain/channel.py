"""How a client reaches its server: options of the gRPC channel, retries among them."""

import json
from typing import Final

from smartbrain.fields import unfit

MAX_RETRIES: Final = 4
"""gRPC makes at most five attempts of a call."""

# A page of turns may hold many long messages; gRPC's own limit is 4 MiB.
_MAX_ANSWER_BYTES: Final = 64 << 20

_LAST_PORT: Final = 65_535

_SERVICES: Final = ("BrainService", "MemoryService", "RetrievalService", "ResourceService", "AdminService")


def address(target: str) -> str:
    """Give the target as it is. Raises InvalidArgument for what is no text, none at all, or has no such port."""
    if not isinstance(target, str) or not target or not target.isprintable():
        raise unfit("target", target, "host:port or unix:/path")
    port = "" if target.startswith("unix") else target.rpartition(":")[2]
    # gRPC would take another port for one that there is not.
    if port.isdecimal() and (len(port) > len(str(_LAST_PORT)) or int(port) > _LAST_PORT):
        raise unfit("target", target, f"host:port with a port of at most {_LAST_PORT}")
    return target


def channel_options(retries: int) -> list[tuple[str, str | int]]:
    """Give the channel's options; calls that meet UNAVAILABLE are made up to `retries` more times.

    The waits between them are 0.2, 0.4, 0.8 and 1.6 seconds, each varied by chance. A lost connection is tried again
    soon enough for a server that restarts on the same machine. Raises ValueError unless 0 ≤ retries ≤ MAX_RETRIES.
    """
    if not isinstance(retries, int) or not 0 <= retries <= MAX_RETRIES:
        raise ValueError(f"retries is {retries!r}; it must be 0 to {MAX_RETRIES}")
    options: list[tuple[str, str | int]] = [
        ("grpc.max_receive_message_length", _MAX_ANSWER_BYTES),
        ("grpc.enable_http_proxy", 0),  # gRPC would ask http_proxy even for this machine
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2000),
    ]
    if retries:
        options.append(("grpc.service_config", json.dumps(_service_config(retries))))
    return options


def _service_config(retries: int) -> dict[str, object]:
    """Give gRPC's service config.

    Every call is safe to repeat: writes carry a request_id, a document that comes again is unchanged, the rest only
    read. gRPC keeps 256 KiB of a call to repeat it: a stream that is cut off past that is an error.
    """
    return {
        "methodConfig": [
            {
                "name": [{"service": f"smartbrain.v1.{service}"} for service in _SERVICES],
                "retryPolicy": {
                    "maxAttempts": retries + 1,
                    "initialBackoff": "0.2s",
                    "maxBackoff": "2s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ]
    }
