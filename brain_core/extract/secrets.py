"""Keys, tokens, passwords and card numbers in a text, so that they are refused or masked and never learned."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

_HINT = re.compile(
    r"\d{4}|-----BEGIN|password|passwd|passcode|passphrase|pwd|pin\b|secret|token|bearer|api|key|密码|口令|密钥|令牌|"
    r"eyJ|AKIA|ASIA|gh[pousr]_|xox|sk-|glpat-|AIza|:[^\s/@]+@",
    re.IGNORECASE,
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----")
_END_OF_KEY = re.compile(r"-----END [A-Z ]{0,40}PRIVATE KEY-----")
_TOKENS = (
    ("aws_access_key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("github_token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})")),
    ("gitlab_token", re.compile(r"\bglpat-[A-Za-z0-9_-]{20,64}")),
    (
        "slack_token",
        re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}|https://hooks\.slack\.com/services/[\w/]{20,120}"),
    ),
    ("google_key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}")),
    ("api_key", re.compile(r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,200}")),
    ("jwt", re.compile(r"\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}")),
    ("bearer", re.compile(r"\bBearer\s+([A-Za-z0-9._~+/-]{16,4000}=*)", re.IGNORECASE)),
    ("url_password", re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,100}:([^\s/@]{1,200})@")),
)
_PASSWORD = re.compile(
    r"\b(?:pass(?:word|wd|code|phrase)|pwd|pin(?:\s+code|\s+number)?|login\s+code)\b"
    r"(?:\s+(?:for|to|of|on|at)\s+[^\n,.;:=]{1,60}?)?\s*(?:is|was|=|:|->|are|will be)\s*(?:now\s+|set "
    r"to\s+|changed to\s+)?"
    r"[\"'`“]?([^\s\"'`”,;]{3,200})|"
    r"(?:密码|口令|验证码|passcode)[^\n，。；：:=是为]{0,12}(?:是|为|：|:|=|改成了?|设为)\s*[\"'`“「]?([\x21-\x7e]{3,200})",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"\b[\w.-]{0,40}(?:secret|token|api[_-]?key|apikey|access[_-]?key|auth|credential|key)[\w-]{0,20}[\"'`]?"
    r"\s*(?:=|:|\bis\b|是|为)\s*[\"'`“]?([A-Za-z0-9+/_.~=-]{12,512})",
    re.IGNORECASE,
)
_CARD = re.compile(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d.-])")
_NOT_A_PASSWORD = frozenset(
    [
        "not",
        "the",
        "a",
        "an",
        "in",
        "on",
        "at",
        "stored",
        "kept",
        "too",
        "very",
        "wrong",
        "correct",
        "required",
        "needed",
        "expired",
        "expiring",
        "being",
        "reset",
        "missing",
        "optional",
        "managed",
        "hashed",
        "encrypted",
        "changed",
        "weak",
        "strong",
        "empty",
        "invalid",
        "safe",
        "secure",
        "something",
        "it",
        "that",
        "same",
        "still",
        "always",
        "never",
        "only",
        "also",
        "what",
        "where",
        "how",
        "rotated",
        "shared",
        "different",
        "unique",
        "good",
        "bad",
        "long",
        "short",
        "set",
        "your",
        "my",
        "our",
    ]
)
_LEAST_ENTROPY = 3.0
"""Bits per character of a value that counts as random. English words of that length have about 2.5 to 3.2."""


MASKED = "[secret]"
"""Stands for a secret."""


def masked_everywhere(texts: Sequence[str]) -> list[str]:
    """Return texts as a stranger may see them: what is secret in one of them is masked in all."""
    secrets = {text[start:stop] for text in texts for start, stop, _ in find_secrets(text)}
    for secret in sorted(secrets, key=len, reverse=True):
        texts = [text.replace(secret, MASKED) for text in texts]
    return list(texts)


def find_secrets(text: str) -> list[tuple[int, int, str]]:
    """Return (start, stop, kind) of each secret in a text, in order, without overlaps. Linear in the text's length."""
    if not _HINT.search(text):
        return []
    found: list[tuple[int, int, str]] = []
    for start, stop, kind in _candidates(text):
        if not any(start < other_stop and other_start < stop for other_start, other_stop, _ in found):
            found.append((start, stop, kind))
    return sorted(found)


def _candidates(text: str) -> Iterator[tuple[int, int, str]]:
    for opening in _PRIVATE_KEY.finditer(text):
        closing = _END_OF_KEY.search(text, opening.end())
        yield opening.start(), closing.end() if closing else len(text), "private_key"
    for kind, pattern in _TOKENS:
        for match in pattern.finditer(text):
            yield *match.span(pattern.groups), kind
    for match in _PASSWORD.finditer(text):
        group = 1 if match[1] else 2
        if _may_be_password(match[group]):
            yield *match.span(group), "password"
    for match in _ASSIGNED.finditer(text):
        if _is_random(match[1]):
            yield *match.span(1), "secret_value"
    for match in _CARD.finditer(text):
        if _is_card(match[0]):
            yield *match.span(), "card_number"


def _may_be_password(word: str) -> bool:
    word = word.rstrip(".!?)")
    return len(word) >= 3 and word.lower() not in _NOT_A_PASSWORD and not word.startswith(("<", "{", "$", "*"))


def _is_random(value: str) -> bool:
    """Return whether a value has both letters and digits and looks drawn at random."""
    if value.isalpha() or value.isdigit() or len(value) < 12:
        return False
    counts = Counter(value)
    entropy = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return entropy >= _LEAST_ENTROPY and any(each.isdigit() for each in value)


def _is_card(number: str) -> bool:
    digits = [int(each) for each in number if each.isdigit()]
    if not 13 <= len(digits) <= 19 or digits[0] not in {2, 3, 4, 5, 6} or len(set(digits)) < 2:
        return False
    doubled = (2 * digit - 9 * (digit > 4) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
