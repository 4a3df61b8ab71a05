"""Who may ask this brain over a network, and whom it asks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from brain_core.policy.section import Section

LAST_PORT = 65_535


class TlsPolicy(Section):
    """Files in PEM by which a server is known, and the authority of whoever may connect."""

    certificate: str
    key: str
    client_ca: str

    @field_validator("key", "client_ca")
    @classmethod
    def _goes_with_certificate(cls, value: str, info: ValidationInfo) -> str:
        certificate = info.data.get("certificate")
        if certificate and info.field_name == "key" and not value:
            raise ValueError("the certificate beside it needs it")
        if value and not certificate:
            raise ValueError("without the certificate beside it, it is not read")
        return value


class TokenRow(Section):
    """Somebody who may call: by which token, which memories and what there."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]
    sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    file: str = ""
    env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    memories: Annotated[list[Annotated[str, Field(pattern=r"\S", max_length=128)]], Field(max_length=256)] = Field(
        default=["*"]
    )
    rights: list[Literal["read", "write", "admin"]] = Field(default=["read", "write"])


class ServerPolicy(Section):
    """How calls are served, and to whom; brain_core itself does not read it."""

    workers: Annotated[int, Field(ge=1, le=4096)]
    grace_seconds: Annotated[float, Field(ge=0, le=86_400)]
    metrics: str
    http: str
    tls: TlsPolicy
    tokens: Annotated[list[TokenRow], Field(max_length=256)]


class RemoteRow(Section):
    """Another server of RetrievalService that is asked, how long its answer is waited for, and how much it may bring.

    It is waited for no longer than timeout_ms, nor than deadline_share of what is left of the caller's deadline.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
    target: Annotated[str, Field(pattern=r"^(unix:\S+|(\[[0-9a-fA-F:.]+\]|[^\s:/]+):\d{1,5})$")]
    memory_id: Annotated[str, Field(max_length=128)] = ""
    timeout_ms: Annotated[int, Field(ge=1, le=60_000)] = 50
    deadline_share: Annotated[float, Field(gt=0, le=1)] = 0.5
    top_k: Annotated[int, Field(ge=1, le=100)] = 6
    when: Literal["documents", "always"] = "documents"
    tls: bool = False
    ca: str = ""
    certificate: str = ""
    key: str = ""
    token_file: str = ""

    @field_validator("target")
    @classmethod
    def _has_a_port(cls, value: str) -> str:
        port = "" if value.startswith("unix:") else value.rpartition(":")[2]
        if port and not 1 <= int(port) <= LAST_PORT:  # gRPC would ask another one
            raise ValueError(f"a port is 1 to {LAST_PORT}")
        return value


class Resources(Section):
    """Who is asked beside the memory itself."""

    remote: Annotated[list[RemoteRow], Field(max_length=16)]

    @field_validator("remote")
    @classmethod
    def _named_once(cls, rows: list[RemoteRow]) -> list[RemoteRow]:
        names = [row.name for row in rows]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"more than one is called {', '.join(twice)}")
        return rows
