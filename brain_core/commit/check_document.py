"""Is this a document that can be taken in, or out? Decided before any work starts."""

from __future__ import annotations

import re

from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, DocumentHeader

from brain_core.check import check_count, check_id, check_size, check_time, check_word
from brain_core.errors import require
from brain_core.policy import Limits

SOURCE_TYPES = ("url", "file", "manual", "memory_snapshot")
_LABELS = 100
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LANGUAGE = re.compile(r"[a-z]{2}")


def check_header(header: DocumentHeader, limits: Limits) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit."""
    check_id("header.memory_id", header.memory_id, limits.id_bytes)
    named = bool(header.source_uri)
    check_id("header.source_uri", header.source_uri, limits.uri_bytes, required=False)
    scheme = _SCHEME.match(header.source_uri)
    require(scheme is not None or not named, "header.source_uri", header.source_uri, "scheme:…", "has no scheme")
    check_id("header.document_id", header.document_id, limits.id_bytes, required=not named)
    require(":" not in header.document_id, "header.document_id", header.document_id, "no colon", "has a colon")
    check_word("header.source_type", header.source_type, SOURCE_TYPES)
    check_size("header.title", len(header.title.encode()), limits.uri_bytes)
    check_id("header.media_type", header.media_type, limits.id_bytes, required=False)
    two_letters = not header.language or _LANGUAGE.fullmatch(header.language) is not None
    require(
        two_letters, "header.language", header.language, "two lower-case letters (ISO 639-1)", "is no language code"
    )
    for name in ("tag_ids", "topic_ids"):
        labels = getattr(header, name)
        check_count(f"header.{name}", len(labels), _LABELS)
        for number, label in enumerate(labels):
            check_id(f"header.{name}[{number}]", label, limits.id_bytes)
    check_time("header.changed_at", header.changed_at)


def check_delete(request: DeleteDocumentRequest, limits: Limits) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("document_id", request.document_id, limits.uri_bytes)
    check_id("request_id", request.request_id, limits.id_bytes, required=False)
