"""From the policy to its embedder."""

from __future__ import annotations

from pathlib import Path

from brain_core.errors import PolicyError
from brain_core.extract.secrets import shown_by
from brain_core.models.embedder import Embedder
from brain_core.models.onnx import OnnxEmbedder
from brain_core.models.openai import Endpoint, OpenAIEmbedder
from brain_core.models.static import StaticEmbedder, built_in
from brain_core.policy import Policy

_KEY_BYTES = 4096


def make_embedder(policy: Policy) -> Embedder:
    """Load the embedder that the policy names.

    Raises PolicyError if what it names is not there or does not fit. An endpoint is not asked yet.
    """
    wanted = policy.embedder
    if wanted.kind == "openai":
        key = read_api_key("embedder.api_key_file", wanted.api_key_file)
        endpoint = Endpoint(wanted.url, wanted.model, wanted.dimension, wanted.timeout_seconds, key)
        return OpenAIEmbedder(endpoint, wanted.batch, shown_by(policy.policies.retention.secrets))
    if wanted.kind == "onnx":
        return OnnxEmbedder(Path(wanted.folder), built_in(), wanted.batch)
    return _table(Path(wanted.folder)) if wanted.folder else built_in()


def _table(folder: Path) -> StaticEmbedder:
    try:
        return StaticEmbedder(folder)
    except ValueError as error:
        raise PolicyError(
            f"embedder.folder: {folder}: {' '.join(str(error).split())[:200]}",
            field="embedder.folder",
            value=folder,
            limit="a table in model2vec's format",
            hint='"" is the built-in table',
        ) from error


def read_api_key(field: str, path: str) -> str:
    """Return the key in the file that a field of the policy names, "" if it names none. Raises PolicyError."""
    if not path:
        return ""
    file = Path(path)
    try:
        key = file.read_text("utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise _bad_key(field, file, f"cannot be read: {error}") from error
    if not key.isascii() or not key.isprintable() or not 0 < len(key) <= _KEY_BYTES:
        raise _bad_key(field, file, "does not hold one key")
    return key


def _bad_key(field: str, file: Path, why: str) -> PolicyError:
    return PolicyError(
        f"{field}: {file} {why}",
        field=field,
        value=file,
        limit=f"a file with nothing but the key, up to {_KEY_BYTES} characters",
        hint='"" sends no key',
    )
