"""An endpoint that is well is asked in batches; one that is not fails by name, in time, and costs no more than that."""

from __future__ import annotations

import socket
import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from brain_core.errors import EmbedderUnavailable
from brain_core.models.openai import Endpoint, OpenAIEmbedder
from tests.models.endpoint import DIMENSION, MODEL, Stub, vector

_LATE_SECONDS = 20.0
"""When a bad endpoint has answered; nobody waits for that."""

TEXTS = ["the cat sat", "a dog ran far", "猫喜欢鱼", "tea", "coffee at noon"]


def embedder_of(stub: Stub, *, batch: int = 32, timeout_seconds: float = 1.0, api_key: str = "") -> OpenAIEmbedder:
    return OpenAIEmbedder(Endpoint(stub.url, MODEL, DIMENSION, timeout_seconds, api_key), batch)


def wanted(texts: list[str]) -> NDArray[np.float32]:
    rows = np.array([vector(text) for text in texts])
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.mark.parametrize("mode", ["good", "reordered", "without_index"])
def test_vectors_come_in_batches_in_order_and_of_unit_length(stub: Stub, mode: str) -> None:
    stub.behaviour.mode = mode
    embedder = embedder_of(stub, batch=2, api_key="secret-key")
    for vectors in (embedder.embed_documents(TEXTS), embedder.embed(TEXTS)):
        assert vectors.dtype == np.float32
        assert np.allclose(vectors, wanted(TEXTS), atol=1e-6)
    assert [len(request["input"]) for request in stub.behaviour.requests] == [2, 2, 1] * 2
    assert {request["path"] for request in stub.behaviour.requests} == {"/v1/embeddings"}
    assert {request["model"] for request in stub.behaviour.requests} == {MODEL}
    assert set(stub.behaviour.keys) == {"Bearer secret-key"}


def test_without_a_key_none_is_sent_and_it_is_never_shown(stub: Stub) -> None:
    embedder_of(stub).embed(["tea"])
    assert stub.behaviour.keys == [None]
    assert "secret" not in repr(Endpoint(stub.url, MODEL, DIMENSION, 1.0, "secret"))


def test_blank_texts_are_not_sent_and_fresh_documents_wait_for_no_one(stub: Stub) -> None:
    embedder = embedder_of(stub)
    vectors = embedder.embed_documents(["", "tea", " \n"])
    assert not vectors[[0, 2]].any()
    assert np.allclose(vectors[1], wanted(["tea"])[0], atol=1e-6)
    assert embedder.embed_documents([]).shape == (0, DIMENSION)
    assert not embedder.embed_fresh(TEXTS).any()
    assert [request["input"] for request in stub.behaviour.requests] == [["tea"]]


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("500", "answered 500"),
        ("429", "answered 429"),
        ("401", "answered 401"),
        ("404", "answered 404"),
        ("redirect", "answered 307"),
        ("refusing", "answered 400"),
        ("bad_json", "answered no embeddings"),
        ("no_data", "answered no embeddings"),
        ("a_list", "answered no embeddings"),
        ("empty", "answered no embeddings"),
        ("ragged", "answered no embeddings"),
        ("words", "answered no embeddings"),
        ("null", "NaN or infinity"),
        ("nan", "NaN or infinity"),
        ("infinity", "NaN or infinity"),
        ("huge", "answered no embeddings"),
        ("short_list", "answered 4 vectors"),
        ("same_index", "for 5 texts"),
        ("wrong_dimension", f"{DIMENSION - 1}-d vectors, not {DIMENSION}-d"),
        ("hang_up", "cannot be reached"),
        ("slow", "no answer within 0.5 s"),
        ("drops", "no answer within 0.5 s"),
    ],
)
def test_each_way_to_be_bad_fails_by_name_and_leaves_a_query_without_a_vector(stub: Stub, mode: str, says: str) -> None:
    stub.behaviour.mode, stub.behaviour.seconds = mode, _LATE_SECONDS
    waits = "0.5 s" in says
    embedder = embedder_of(stub, timeout_seconds=0.5 if waits else 30.0)
    with pytest.raises(EmbedderUnavailable) as failed:
        embedder.embed_documents(TEXTS)
    assert says in str(failed.value)
    assert stub.url in str(failed.value)
    assert failed.value.field in {"embedder.url", "embedder.dimension"}
    assert failed.value.value
    assert failed.value.hint
    assert "\n" not in str(failed.value)
    began = time.monotonic()
    assert not embedder.embed(TEXTS).any()
    assert time.monotonic() - began < _LATE_SECONDS, "waited for the answer, not for the timeout"


def test_zeros_for_every_text_are_no_vectors(stub: Stub) -> None:
    """They were taken for good: documents were never found by meaning, and the status said that all was done."""
    stub.behaviour.nothing = ""
    with pytest.raises(EmbedderUnavailable, match="answers vectors of zeros") as failed:
        embedder_of(stub).embed_documents(TEXTS)
    assert failed.value.field == "embedder.url"
    assert not embedder_of(stub).embed(TEXTS).any()


def test_a_text_that_is_answered_with_zeros_is_asked_for_once_more_and_holds_up_no_other(stub: Stub) -> None:
    stub.behaviour.nothing = "猫"
    vectors = embedder_of(stub).embed_documents(TEXTS)
    assert [bool(vector.any()) for vector in vectors] == [True, True, False, True, True]
    assert np.allclose(vectors[[0, 1, 3, 4]], wanted([TEXTS[row] for row in (0, 1, 3, 4)]), atol=1e-6)
    assert [len(request["input"]) for request in stub.behaviour.requests] == [5, 1, 1]
    assert not embedder_of(stub).embed_documents(["猫"]).any()
    assert embedder_of(stub).embed_documents(["", "  "]).shape == (2, DIMENSION)


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    embedder = OpenAIEmbedder(Endpoint(f"http://127.0.0.1:{port}/v1", MODEL, DIMENSION, 1.0), 8)
    with pytest.raises(EmbedderUnavailable, match="cannot be reached"):
        embedder.embed_documents(TEXTS)
    assert not embedder.embed(TEXTS).any()


@pytest.mark.parametrize("url", ["http://name.invalid/v1", "http://[/v1", "http://127.0.0.1:99999/v1"])
def test_an_address_that_cannot_be_is_named(url: str) -> None:
    embedder = OpenAIEmbedder(Endpoint(url, MODEL, DIMENSION, 1.0), 8)
    with pytest.raises(EmbedderUnavailable, match=r"embedder\.url: http://"):
        embedder.embed_documents(TEXTS)


def test_a_passing_failure_is_tried_again_and_not_for_ever(stub: Stub) -> None:
    stub.behaviour.failing = 2
    assert embedder_of(stub, timeout_seconds=5).embed(["tea"]).any()
    assert len(stub.behaviour.requests) == 3
    stub.behaviour.failing = 100
    with pytest.raises(EmbedderUnavailable, match="answered 503"):
        embedder_of(stub, timeout_seconds=5).embed_documents(["tea"])
    assert len(stub.behaviour.requests) == 6


def test_after_a_failure_queries_leave_the_endpoint_alone_for_a_while(stub: Stub) -> None:
    stub.behaviour.mode = "401"
    embedder = embedder_of(stub, timeout_seconds=0.5)
    for _ in range(5):
        assert not embedder.embed(["tea"]).any()
    assert len(stub.behaviour.requests) == 1
    stub.behaviour.mode = "good"
    time.sleep(0.6)
    assert embedder.embed(["tea"]).any()


def test_a_text_that_is_too_long_is_cut_and_takes_no_other_with_it(stub: Stub) -> None:
    stub.behaviour.longest = 100
    long = "word " * 60
    vectors = embedder_of(stub).embed_documents([*TEXTS, long])
    assert np.allclose(vectors[: len(TEXTS)], wanted(TEXTS), atol=1e-6)
    assert np.allclose(vectors[-1], wanted([long[:75].strip()])[0], atol=1e-2)


def test_the_model_and_its_dimension_are_the_space_and_not_the_address(stub: Stub) -> None:
    here = Endpoint(stub.url, MODEL, DIMENSION, 1.0)
    embedder = OpenAIEmbedder(here, 8)
    moved = OpenAIEmbedder(replace(here, url="http://elsewhere/v1"), 8)
    assert (embedder.name, embedder.dimension) == (MODEL, DIMENSION)
    assert embedder.fingerprint == moved.fingerprint == embedder.encoder
    for other in (replace(here, model="x"), replace(here, dimension=8)):
        assert OpenAIEmbedder(other, 8).fingerprint != embedder.fingerprint
