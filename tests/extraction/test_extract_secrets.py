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
    ("DB_PASSWORD=hunter2xyz9", "hunter2xyz9", "password"),
    ("export MYSQL_ROOT_PASSWORD=tr0ub4dor", "tr0ub4dor", "password"),
    ("PGPASSWORD=s3cr psql", "s3cr", "password"),
    ("SMTP_PASS=letmein99", "letmein99", "password"),
    ("REDIS_PASSWORD_PROD: opensesame", "opensesame", "password"),
    ("db_passwd: pa55w0rd", "pa55w0rd", "password"),
    ("the password for db-1.acme.dev is Kiwi77", "Kiwi77", "password"),
    ("the password (staging) is Kiwi77", "Kiwi77", "password"),
    ("my password's Kiwi77", "Kiwi77", "password"),
    ("my password’s Kiwi77.", "Kiwi77", "password"),
    ("the root pw on db1 is q9!kLp2z, remember that", "q9!kLp2z", "password"),
    ("the password is a,b1c!d", "a,b1c!d", "password"),
    ("my passcode 774411", "774411", "password"),
    ("the door has PIN 4821", "4821", "password"),
    ('password is "correct horse battery staple"', "correct horse battery staple", "password"),
    ("passphrase: “violet moon over tin roof”", "violet moon over tin roof", "password"),
    ("I changed my password to Kiwi77-b", "Kiwi77-b", "password"),
    ("we set the password for the NAS to q9!kLp2z", "q9!kLp2z", "password"),
    ("密码 abcd1234!", "abcd1234!", "password"),
    ("登錄密碼改成了 Kiwi77", "Kiwi77", "password"),
    ("家里 wifi 密码换成了 sunny2020", "sunny2020", "password"),
    ("密码换成 Kiwi77", "Kiwi77", "password"),
    ("路由器密码换成Kiwi77了", "Kiwi77", "password"),
    ("密码已经换成「Kiwi77」了，记一下", "Kiwi77", "password"),
    ("密碼換成 tiger-88 了", "tiger-88", "password"),
    ("wifi密码变成 Kiwi77 了", "Kiwi77", "password"),
    ("大门密码换成 483920 了", "483920", "password"),
    ("密码改了，现在是 Kiwi77", "Kiwi77", "password"),
    ("密码改成Kiwi77了", "Kiwi77", "password"),
    ("新密码是Kiwi77", "Kiwi77", "password"),
    ("the wifi password is now Kiwi77", "Kiwi77", "password"),
    ("the password now is Kiwi77", "Kiwi77", "password"),
    ("my password changed to Kiwi77.", "Kiwi77", "password"),
    ("API 密钥是 f9e8d7c6b5a4", "f9e8d7c6b5a4", "secret_value"),
    ("访问令牌是 zx81-QQ72-aa", "zx81-QQ72-aa", "secret_value"),
    ("金鑰：f9e8d7c6b5a4", "f9e8d7c6b5a4", "secret_value"),
    ("Authorization: Basic YWRtaW46cHc=", "YWRtaW46cHc=", "authorization"),
    ("redis://:pw4me@host:6379", "pw4me", "url_password"),
    ("curl -u admin:pw4me https://x.dev", "pw4me", "command_line"),
    ("mysql -h db -u root -ptiger8 shop", "tiger8", "command_line"),
    ("deploy --db-password tiger", "tiger", "command_line"),
    ("npm_" + "a1B2c3D4e5F6g7H8i9J0" * 2, None, "access_token"),
    ("hf_" + "aBcDeFgHiJkLmNoPqRsT" * 2, None, "access_token"),
    ("dckr_pat_" + "aB1-_cD2" * 4, None, "access_token"),
    ("whsec_" + "aB1cD2eF" * 4, None, "access_token"),
    ("我的身份证号是110101199003071233", "110101199003071233", "id_number"),
    ("令牌是ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2 + "。", "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2, "github_token"),
    ("我的pw是Kiwi77", "Kiwi77", "password"),
    ("my SSN is 123-45-6789", "123-45-6789", "id_number"),
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
    "the primary key is user_id_uuid_v7_column",
    "the auth service is in eu-west-1-payments-cluster",
    "the cache key is session/user/profile/v2",
    "my password's been reset",
    "passwords are hashed with argon2id",
    "we hash each password sha256 style",
    "the password: https://vault.acme.dev/db",
    "we set the password to expire",
    "connect pin 13 to ground",
    "a boarding pass: gate B",
    "密码 需要 8 位",
    "令牌是什么？",
    "登录密码换成 passkey",
    "密码改为 180 天换一次",
    "密码换成指纹了",
    "密码换成 passkey 了",
    "密码换成 Face ID 了",
    "密码换成 OAuth2 了",
    "密码换成 SHA256 了",
    "密码换成 HS256 了",
    "密码换成 AES-256-GCM 了",
    "密码换成 1Password 了",
    "密码换成 8 位的了",
    "密码换成2025版的登录页了",
    "密码改了，现在是 12 位",
    "密码登录改成 OAuth2 了",
    "密码校验换成 zxcvbn44 了",
    "the password policy changed",
    "the password policy changed to 90 days",
    "the password changed to expire monthly",
    "the password is now longer",
    "the password now is mandatory",
    "the password reset page changed to v2",
    "大门的密码锁换成了 Aqara 的",
    "订单号是110101199003071239",
    "curl -u admin https://x.dev",
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
