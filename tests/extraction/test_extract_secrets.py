"""Secrets are found where they stand, and words about secrets are not."""

from __future__ import annotations

from itertools import pairwise

import pytest

from brain_core.extract.secrets import find_secrets

SECRETS = [
    ("the key is AKIAIOSFODNN7EXAMPLE ok", "AKIAIOSFODNN7EXAMPLE", "aws_access_key"),
    ("use ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2, "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2, "github_token"),
    ("slack: xoxb-1234567890-abcdefghij", "xoxb-1234567890-abcdefghij", "slack_token"),
    ("sk-proj-abcdefGHIJKL0123456789", "sk-proj-abcdefGHIJKL0123456789", "api_key"),
    (
        "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlMTIz",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlMTIz",
        "jwt",
    ),
    ("Authorization: Bearer abcdef0123456789xyz", "abcdef0123456789xyz", "bearer"),
    ("postgres://me:s3cret@db/x", "s3cret", "url_password"),
    ("my password is hunter2", "hunter2", "password"),
    ("the password for the router is Blue!42x", "Blue!42x", "password"),
    ("密码是abc123", "abc123", "password"),
    ("WiFi 密码：tiger-88", "tiger-88", "password"),
    ("my PIN is 4821", "4821", "password"),
    ("api_key=9f8d7a6b5c4e3f2a1b0c", "9f8d7a6b5c4e3f2a1b0c", "secret_value"),
    ("card 4111 1111 1111 1111 thanks", "4111 1111 1111 1111", "card_number"),
    ("card 4111-1111-1111-1111", "4111-1111-1111-1111", "card_number"),
    ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", None, "private_key"),
]

HARMLESS = [
    "the password is stored in the vault",
    "my password is not great",
    "the key is to sleep well",
    "order 1234567890123456",
    "call +49 30 1234567",
    "the token expires every hour",
    "密码在保险箱里",
    "commit 9f8d7a6b5c4e3f2a1b0c broke it",
    "ssh key is in ~/.ssh/id_ed25519",
]


@pytest.mark.parametrize(("text", "secret", "kind"), SECRETS)
def test_finds(text: str, secret: str | None, kind: str) -> None:
    [(start, stop, found)] = find_secrets(text)
    assert (text[start:stop], found) == (secret or text, kind)


@pytest.mark.parametrize("text", HARMLESS)
def test_leaves_alone(text: str) -> None:
    assert find_secrets(text) == []


def test_several_in_order_without_overlap() -> None:
    text = "password: hunter2 and card 4111 1111 1111 1111 and AKIAIOSFODNN7EXAMPLE"
    found = find_secrets(text)
    assert [kind for _, _, kind in found] == ["password", "card_number", "aws_access_key"]
    assert all(one[1] <= other[0] for one, other in pairwise(found))


def test_a_key_without_its_end_reaches_to_the_end() -> None:
    text = "x -----BEGIN PRIVATE KEY-----\nabcdef"
    assert find_secrets(text) == [(2, len(text), "private_key")]
