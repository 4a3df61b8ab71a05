"""Keys, tokens, passwords, numbers of cards and of people: found in a text, to be refused or masked, never learned."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from brain_core.text.expression import Expression

_HINT = Expression(
    r"\d{4}|-----begin|passw|passcode|passphrase|pass(?![a-z])|pwd|pw(?![a-z])|pin(?![a-z])|secret|token|bearer|basic|authorization|api|key|auth|"
    r"credential|login|密[码碼钥鑰匙]|金[钥鑰]|口令|[验驗][证證][码碼]|令牌|[权權]杖|授[权權][码碼]|"
    r"eyj|akia|asia|gh[pousr]_|xox|sk-|glpat-|aiza|npm_|hf_|whsec_|dckr_|:[^\s/@]+@| -[uap]|--user",
    re.IGNORECASE,
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----")
_END_OF_KEY = re.compile(r"-----END [A-Z ]{0,40}PRIVATE KEY-----")
_TOKENS = (
    ("aws_access_key", re.compile(r"(?a)\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("github_token", re.compile(r"(?a)\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})")),
    ("gitlab_token", re.compile(r"(?a)\bglpat-[A-Za-z0-9_-]{20,64}")),
    (
        "slack_token",
        re.compile(r"(?a)\bxox[abeoprs]-[A-Za-z0-9-]{10,250}|https://hooks\.slack\.com/services/[\w/]{20,120}"),
    ),
    ("google_key", re.compile(r"(?a)\bAIza[0-9A-Za-z_-]{35}|\bya29\.[\w-]{20,400}")),
    ("api_key", re.compile(r"(?a)\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,200}")),
    (
        "access_token",
        re.compile(
            r"(?a)\b(?:npm_[A-Za-z0-9]{30,60}|hf_[A-Za-z0-9]{30,60}|dckr_pat_[\w-]{20,60}|whsec_[A-Za-z0-9+/=]{16,100}|"
            r"pypi-AgE[\w-]{40,300}|SG\.[\w-]{16,40}\.[\w-]{16,80}|shp(?:at|ss|ca|pa)_[a-fA-F0-9]{30,40}|"
            r"do[opr]_v1_[a-f0-9]{60,70}|gl(?:sa|rt|cbt|dt)[-_][\w-]{20,80}|lin_api_\w{30,60}|gsk_\w{30,80}|r8_\w{30,50}|"
            r"nvapi-[\w-]{30,90}|hv[sb]\.[\w-]{20,200}|dapi[a-f0-9]{32}|figd_[\w-]{30,60}|ATATT3[\w=-]{40,300}|"
            r"tskey-[\w-]{20,80}|rubygems_[a-f0-9]{40,60}|pul-[a-f0-9]{40}|AGE-SECRET-KEY-1[0-9A-Z]{50,70})"
        ),
    ),
    ("jwt", re.compile(r"(?a)\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}")),
    ("bearer", re.compile(r"(?a)\bBearer\s+([A-Za-z0-9._~+/-]{16,4000}=*)", re.IGNORECASE)),
    (
        "authorization",
        re.compile(
            r"(?a)\bAuthorization[\"']?\s*[:=]\s*[\"']?(?:Basic|Bearer|Token|Digest|ApiKey|Negotiate)\s+([^\s\"'`”]{6,4000})",
            re.IGNORECASE,
        ),
    ),
    ("url_password", re.compile(r"(?a)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,100}:([^\s/@]{1,200})@")),
    (
        "command_line",
        re.compile(
            r"(?a)\b(?:curl|wget|https?|xh)\b[^\n]{0,300}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})|"
            r"\bmysql\w*\b[^\n]{0,200}?\s-p([^\s\"']{3,200})|"
            r"\b(?:sshpass|docker login)\b[^\n]{0,200}?\s-p ?[\"']?([^\s\"']{3,200})|"
            r"\bredis-cli\b[^\n]{0,200}?\s-a ?[\"']?([^\s\"']{3,200})|"
            r"--(?:[\w-]{0,30}-)?(?:password|passwd|passphrase|token|secret)[ =][\"']?([^\s\"'<${*-][^\s\"']{2,200})"
        ),
    ),
)
_WORD = r"(?:[^\s\"'`“”‘’「」『』,;，。；：、！？（）\u4e00-\u9fff]|,(?=[^\s,])(?!\w+[=:])){3,200}"
"""What stands unquoted for a password; a comma or mark inside is part of it."""
_SECRET = rf"(?:[\"“「『`]([^\"“”「」『』`\n]{{3,200}})[\"”」』`]|[\"'`“‘]?({_WORD}))"
_OF = r"(?:\s*\([^()\n]{1,40}\))?(?:\s+(?:for|to|of|on|at)\s+(?:[^\n,.;:=]|\.(?=\S)){1,60}?)?"
_BECOMES = (
    r"(?:\s*(?:=>?|:|->|→)\s*|(?:\s+(?:now\s+)?(?:is|was|are|will be)|['’]s)\s+(?:now\s+|still\s+)?"
    r"(?:(?:set|changed|reset|updated|rotated)\s+to\s+)?|"
    r"\s+(?:has|have)\s+been\s+(?:set|changed|reset|updated|rotated)\s+to\s+)"
)
_NAMED = (
    r"(?:pass(?:word|wd|code|phrase)|passw|pwd|(?<![A-Za-z\d])(?:pw|pin(?:\s+code|\s+number)?|login\s+code|[\w-]{1,40}_pass))"
    r"(?:[_-](?:prod|production|dev|test|staging|root|admin|user|db|old|new|\d{1,3}))?(?![A-Za-z\d])"
)
_PASSWORD = re.compile(rf"{_NAMED}[\"'`]?{_OF}{_BECOMES}{_SECRET}|(?<![A-Za-z\d])pass\s?=\s?{_SECRET}", re.IGNORECASE)
_MIXED = r"(?=[!-~]*[a-z])(?=[!-~]*\d)(?=[!-~]*[!@#$%^&*?])"
"""Letters, digits and signs: what a password alone has. 密码换成 may go on with a tool, a rule or a lock's name."""
_PASSWORD_TOLD = re.compile(
    rf"{_NAMED}{_OF}\s+(?:was\s+|got\s+|just\s+)?(?:changed|switched|reset|rotated)\s+to\s+{_SECRET}|"
    rf"{_NAMED}\s+{_SECRET}|(?<![A-Za-z\d])pass:\s?{_SECRET}|"
    rf"\b(?:set|chang(?:e|ed|ing)|reset|updat(?:e|ed)|rotat(?:e|ed))\b[^\n.;]{{0,40}}?{_NAMED}{_OF}\s+to\s+{_SECRET}|"
    rf"(?:密[码碼]|口令|[验驗][证證][码碼])\s*{_SECRET}|"
    rf"(?:密[码碼]|口令)[换換改][成为為到]\s*{_MIXED}{_SECRET}",
    re.IGNORECASE,
)
"""Without a verb between: what looks like an ordinary word is none."""
_HAN_VERB = r"(?:是|为|為|(?:(?:改|设|設|更新|重置)[成为為]了?|[换換]成了)|设置[成为])\s*(?:了|新的)?\s*"
_HAN_BECOMES = rf"[^\n，。；：:=是为為]{{0,12}}(?:{_HAN_VERB}|[：:=]\s*)"
_HAN_PASSWORD = re.compile(
    rf"(?:(?:密[码碼](?![锁鎖箱本学學门門]|管理|策略|规则|加密|算法|登[录錄入]|认证|校验|哈希)|口令|[验驗][证證][码碼]|授[权權][码碼]|passcode){_HAN_BECOMES}|"
    rf"(?<![a-z])(?:password|pwd?|pin) {{0,2}}{_HAN_VERB})[\"'`“「『]?((?!\d+ ?[天位个個次年月周日小分秒字])"
    r"[\x21-\x7e]{3,200})",
    re.IGNORECASE,
)
_HAN_PASSWORD_PUT = re.compile(
    r"(?:密[码碼]|口令)(?:现在|現在)?(?:用的?是?|设|設)(?:的是)?了?\s*"
    r"[\"'`“「『]?([\x21-\x7e]{3,200}?)[\"'`”」』]?(?=\s*(?:了|啦|吧|哈|哦|啊|的|，|。|；|！|？|、|[,.;!?](?:\s|$)|\n|$))",
    re.IGNORECASE,
)
"""Said to be used for one, with no more after it: 密码用1Password管理 goes on."""
_HAN_PASSWORD_SWAPPED = re.compile(
    r"(?:密[码碼]|口令)(?:已经|已經|刚刚|刚|剛|现在|現在|今天|昨天|又|都)?"
    r"(?:[换換变變][成为為]了?|[改换換]了?[，, ]\s*(?:现在|現在)(?:改成|换成|用的?是?|是))\s*"
    r"[\"'`“「『]?([\x21-\x7e]{3,200}?)[\"'`”」』]?(?=\s*(?:了|啦|吧|哈|哦|啊|，|。|；|！|？|、|[,.;!?](?:\s|$)|\n|$))",
    re.IGNORECASE,
)
"""Swapped for one, with no more after it: 密码换成SHA-256存储 goes on."""
_HAN_KEY = re.compile(
    rf"(?:(?:密[钥鑰匙]|金[钥鑰]|令牌|[权權]杖|凭[证据]){_HAN_BECOMES}|(?<![a-z])(?:token|key) {{0,2}}{_HAN_VERB})"
    r"[\"'`“「『]?([A-Za-z0-9+/_.~=!@#$%^&*-]{8,512})",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"\b[\w.-]{0,40}(?:secret|token|api[_-]?key|apikey|access[_-]?key|auth|credential|key)[\w-]{0,20}[\"'`]?"
    r"\s*(?:=|:|\bis\b|是|为)\s*[\"'`“]?([A-Za-z0-9+/_.~=-]{12,512})",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"(?:[a-z]+\d{0,2}|\d{1,4})(?:[_./-](?:[a-z]+\d{0,2}|\d{1,4}))+")
"""Words as programs join them: user_id_uuid_v7, eu-west-1."""
_POINTS_ELSEWHERE = re.compile(r"[<{$*~]|\.{0,2}/|https?://", re.IGNORECASE)
"""Begins what stands for a value: a placeholder, a variable, a path."""
_ALGORITHM = re.compile(
    r"(?:sha|md|aes|des|rsa|[hrep]s|ed|base|argon|o?auth|pbkdf|utf|http|tls|v|ipv|web|py)-?\d+", re.IGNORECASE
)
_CARD = re.compile(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d.-])")
_CHINESE_ID = re.compile(
    r"(?<![A-Za-z\d])[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![A-Za-z\d])"
)
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS = "10X98765432"
"""Weights of the digits, and the last digit by the remainder of their sum: GB 11643-1999."""
_NOT_A_PASSWORD = frozenset((
    "not", "the", "a", "an", "in", "on", "at", "by", "to", "for", "from", "of", "with", "under", "inside", "behind",
    "up", "out", "stored", "kept", "saved", "written", "hidden", "sent", "too", "very", "wrong", "correct",
    "incorrect", "required", "needed", "expired", "expiring", "being", "been", "reset", "missing", "optional",
    "managed", "hashed", "encrypted", "changed", "generated", "rotated", "shared", "protected", "disabled",
    "enabled", "validated", "checked", "used", "compromised", "leaked", "known", "forgotten", "lost", "gone",
    "broken", "working", "weak", "strong", "empty", "blank", "invalid", "safe", "secure", "easy", "hard", "simple",
    "complex", "plain", "plaintext", "visible", "different", "unique", "good", "bad", "fine", "long", "short", "set",
    "something", "it", "that", "this", "same", "still", "always", "never", "only", "also", "probably", "supposed",
    "going", "case-sensitive", "what", "where", "how", "here", "there", "now", "and", "or", "no", "yes", "none",
    "null", "nil", "true", "false", "undefined", "longer", "shorter", "stronger", "weaker", "easier", "harder",
    "simpler", "better", "worse", "mandatory", "obsolete", "deprecated", "accepted", "rejected", "valid", "active",
    "your", "my", "our", "his", "her", "their",
))  # fmt: skip
_SSN = re.compile(r"\b(?:ssn|social security(?: number| no\.?)?)\b[^\n\d]{0,20}(\d{3}-?\d{2}-?\d{4})\b", re.IGNORECASE)
_ASKED_FOR = 8
"""Characters of a password, below which a word with digits may be a code of a lock or a version."""
_LEAST_ENTROPY = 3.0
"""Bits per character of a value that counts as random. English words of that length have about 2.5 to 3.2."""


MASKED = "[secret]"
"""Stands for a secret."""


def shown_by(secrets: str) -> Callable[[Sequence[str]], list[str]]:
    """Return what gives of texts what may leave the machine. secrets: as policies.retention.secrets."""
    return list if secrets == "keep" else masked_everywhere


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
            yield *match.span(match.lastindex or 0), kind
    for kind, pattern, is_secret in _TOLD:
        for match in pattern.finditer(text):
            start, stop = match.span(match.lastindex or 0)
            stop = start + len(text[start:stop].rstrip(".)"))
            if is_secret(text[start:stop]):
                yield start, stop, kind


def _may_be_password(word: str) -> bool:
    word = word.rstrip("!?")
    return len(word) >= 3 and word.lower() not in _NOT_A_PASSWORD and not _POINTS_ELSEWHERE.match(word)


def _looks_like_a_password(word: str) -> bool:
    """Return whether a word can be taken for a password though no verb says that it is one."""
    if not _may_be_password(word) or _ALGORITHM.fullmatch(word):
        return False
    return any(each.isdigit() for each in word) and len(word) >= (4 if word.isdigit() else 6)


def _is_surely_a_password(word: str) -> bool:
    """Return whether a word has letters and digits, and is long enough for more than the code of a lock."""
    digits = sum(each.isdigit() for each in word)
    return _looks_like_a_password(word) and len(word) >= _ASKED_FOR and 1 < digits < len(word)


def _is_swapped_in(word: str) -> bool:
    """Return whether a word that a password was swapped for is one: passkey, OAuth2 and AES-256-GCM are ways to log in.

    Of letters alone it may be either, and is left.
    """
    digits = sum(each.isdigit() for each in word)
    named = _ALGORITHM.match(word)
    return digits > 1 and _looks_like_a_password(word) and not (named and word[named.end() :].startswith(("-", "_")))


def _may_be_key(value: str) -> bool:
    return any(each.isdigit() for each in value) and not value.isdigit() and not _is_a_name(value)


def _is_random(value: str) -> bool:
    """Return whether a value has both letters and digits and looks drawn at random."""
    if value.isalpha() or value.isdigit() or len(value) < 12 or _is_a_name(value):
        return False
    counts = Counter(value)
    entropy = -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
    return entropy >= _LEAST_ENTROPY and any(each.isdigit() for each in value)


def _is_a_name(value: str) -> bool:
    """Return whether a value is words that a program joins, or says where the value is."""
    if _POINTS_ELSEWHERE.match(value):
        return True
    digits = sum(each.isdigit() for each in value)
    return _IDENTIFIER.fullmatch(value) is not None and 3 * digits < len(value)


def _is_card(number: str) -> bool:
    digits = [int(each) for each in number if each.isdigit()]
    if not 13 <= len(digits) <= 19 or digits[0] not in {2, 3, 4, 5, 6} or len(set(digits)) < 2:
        return False
    doubled = (2 * digit - 9 * (digit > 4) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_chinese_id(number: str) -> bool:
    total = sum(int(digit) * weight for digit, weight in zip(number, _ID_WEIGHTS, strict=False))
    return _ID_CHECKS[total % 11] == number[-1].upper()


_TOLD = (
    ("password", _PASSWORD, _may_be_password),
    ("password", _HAN_PASSWORD, _may_be_password),
    ("password", _PASSWORD_TOLD, _looks_like_a_password),
    ("password", _HAN_PASSWORD_PUT, _is_surely_a_password),
    ("password", _HAN_PASSWORD_SWAPPED, _is_swapped_in),
    ("secret_value", _HAN_KEY, _may_be_key),
    ("secret_value", _ASSIGNED, _is_random),
    ("id_number", _CHINESE_ID, _is_chinese_id),
    ("id_number", _SSN, bool),
    ("card_number", _CARD, _is_card),
)
"""Kind, pattern, and what a match must be besides."""
