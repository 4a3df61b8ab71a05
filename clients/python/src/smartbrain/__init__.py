"""Client of SmartBrain, the local-first memory runtime for AI agents.

    with Client() as brain:
        brain.commit("chat-1", [{"role": "user", "content": "I moved to Lisbon."}])
        context = brain.compose("chat-1", "Where do I live?").context
        messages = render_messages(context)

The contracts are in `smartbrain.v1`. Clients and errors load their module when first used, so that a program that wants
only the contracts or the rendering does not load gRPC.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from smartbrain.render import render, render_messages

if TYPE_CHECKING:
    from smartbrain.aio import AsyncClient
    from smartbrain.chat import read_chat
    from smartbrain.client import Client
    from smartbrain.errors import (
        AlreadyExists,
        DataLoss,
        DeadlineExceeded,
        FailedPrecondition,
        Internal,
        InvalidArgument,
        NotFound,
        PermissionDenied,
        ResourceExhausted,
        SmartBrainError,
        Unauthenticated,
        Unavailable,
        Unimplemented,
    )

__all__ = [
    "AlreadyExists",
    "AsyncClient",
    "Client",
    "DataLoss",
    "DeadlineExceeded",
    "FailedPrecondition",
    "Internal",
    "InvalidArgument",
    "NotFound",
    "PermissionDenied",
    "ResourceExhausted",
    "SmartBrainError",
    "Unauthenticated",
    "Unavailable",
    "Unimplemented",
    "read_chat",
    "render",
    "render_messages",
]

_ELSEWHERE = {
    "AsyncClient": "smartbrain.aio",
    "Client": "smartbrain.client",
    "read_chat": "smartbrain.chat",
}


def __getattr__(name: str) -> object:
    """Load the module that holds `name`; the errors' unless listed."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ELSEWHERE.get(name, "smartbrain.errors")), name)


def __dir__() -> list[str]:
    return __all__
