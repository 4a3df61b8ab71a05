"""Parts of values from English words: names that stay the same when the wording changes, scopes, clean text."""

from __future__ import annotations

import re
from datetime import date

from brain_core.extract.applies import applied_to, of_environment
from brain_core.extract.english.aspects import told_as
from brain_core.extract.scopes import joined, scope_in
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

_STOP = frozenset(
    (  # noqa: SIM905
        "a an the my our your his her their its i we you he she they it me us them this that these those "
        "is are was were "
        "be been being am do does did have has had will would shall should can could may might must to "
        "of in on at by for "
        "with from into about as and or but so if then than too very really just please also still only "
        "all any some no "
        "not don't doesn't didn't won't can't never always ever when whenever while there here up out down over again "
        "now today tomorrow yesterday tonight last next week month year monday tuesday wednesday thursday "
        "friday saturday "
        "sunday morning afternoon evening got get getting go going gone want wants need needs prefer "
        "like love hate use "
        "i'm i've i'd i'll we're we've we'll it's that's let's im ive more most much many lot lots bit actually "
        "anymore"
    ).split()
)
_WORD = Expression(r"[^\W_]+(?:['’.+#-][^\W_]+)*[+#]*")

_ATTRIBUTES = (
    ("theme", "ui", r"\b(?:dark|light)[ -]?(?:mode|theme)|\bthemes?\b"),
    ("spelling", "writing", r"\bspellings?\b|\b(?:british|american|uk|us) english\b"),
    ("units", "other", r"\b(?:metric|imperial)\b|\bcelsius\b|\bfahrenheit\b|"
     r"\b(?:miles|km|kilomet(?:er|re)s) (?:not|instead of|rather than)\b"),
    ("indentation", "coding", r"\bindent|\btabs\b|\bspaces\b"),
    ("date_format", "writing", r"\bdate formats?\b|\bdd[/.-]mm|\byyyy\b|\biso dates?\b"),
    ("time_format", "writing", r"\b(?:24|12)[- ]?hour\b"),
    ("answer_length", "writing",
        r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?)\b.{0,40}\b(?:words|short|brief|concise|"
        r"long|longer|shorter|"
     r"detailed|sentences?|lines)\b|\b(?:short|brief|concise|long|detailed|terse)\b.{0,20}\b(?:answers?|"
     r"replies|responses|explanations?)\b|\b(?:longer|shorter|fuller|briefer)\b.{0,12}\b(?:answers|replies|responses|"
     r"explanations)\b|"
        r"\b(?:answer|reply|respond|explain)\b.{0,24}\b(?:briefly|concisely|tersely|succinctly|at length|"
        r"in (?:great |more |full )?detail|in (?:one|two|three|a few|\d{1,2}) (?:sentences?|lines?|words))\b|"
        r"\bbe (?:more |very |as )?(?:brief|concise|terse|succinct)\b"),
    ("paragraph_length", "writing", r"\bparagraphs?\b.{0,20}\bshort|\bshort paragraphs?\b"),
    ("emojis", "writing", r"\bemojis?\b"),
    ("language", "writing",
        r"\b(?:in|speak|use|write|to) (?:english|german|french|spanish|italian|portuguese|dutch|chinese|"
        r"japanese|"
     r"polish|greek|swedish|danish|norwegian|finnish|turkish|arabic|hindi|korean|russian)\b"),
    ("tone", "writing", r"\btone\b|\bformal\b|\binformal\b|\bcasual\b"),
    ("seat", "other", r"\b(?:window|aisle) seats?\b"),
    ("editor", "tools",
        r"\beditor\b|\bvs ?code\b|\bvim\b|\bneovim\b|\bhelix\b|\bemacs\b|\bsublime\b|\bpycharm\b|\bintellij\b"),
    ("package_manager", "tools", r"\bpnpm\b|\byarn\b|\bnpm\b|\bpoetry\b"),
    ("diet", "other", r"\b(?:vegetarian|vegan|pescatarian)\b"),
    ("address", "other", r"\bcall me\b|\bmy (?:first )?name\b"),
)  # fmt: skip
ATTRIBUTES = tuple((name, scope, Expression(pattern, re.IGNORECASE)) for name, scope, pattern in _ATTRIBUTES)
"""Attributes that have one value at a time: name, scope, and what names them."""

_SCOPES = tuple(
    (scope, Expression(pattern, re.IGNORECASE))
    for scope, pattern in (
        ("ui",
            r"\b(?:dark|light) (?:mode|theme)|\bfonts?\b|\btheme|\blayout\b|\bscreen|\bsidebar|\bbuttons?\b|"
            r"\binterface\b|\bui\b|"
         r"\bcolou?r scheme|\bnotifications?\b|\bdashboard|\bcontrast\b|\bwidgets?\b"),
        ("coding",
            r"\bcod(?:e|ing)\b|\bfunctions?\b|\bclass(?:es)?\b|\bvariables?\b|\bcommits?\b|\bunit tests?\b|"
            r"\btypescript\b|\bjavascript\b|"
         r"\bpython\b|\bexports?\b|\bimports?\b|\blint|\brepos?\b|\bbranch|\bpush(?:es)?\b|\bdeploy|\bPRs?\b|"
         r"\bpull requests?\b|"
         r"\bdependenc|\bapis?\b|\bsql\b|\brust\b|\bgolang\b|\bjava\b|\bdocstrings?\b|\btype hints?\b|"
         r"\btests?\b|\bpytest\b|\bindent|"
         r"\bcamelcase\b|\bsnake_case\b|\bsemicolons?\b|\bregex|\breact\b|\basync\b|\bnaming\b|\bscripts?\b|"
         r"\bmigrations?\b|\brefactor"),
        ("writing",
            r"\banswers?\b|\brepl(?:y|ies)\b|\bresponses?\b|\be-?mails?\b|\bwords?\b|\bsentences?\b|\bparagraphs"
            r"?\b|\btone\b|"
         r"\bspelling\b|\bbullet|\bprose\b|\benglish\b|\bgerman\b|\bfrench\b|\bspanish\b|\bemojis?\b|\bexclamati"
         r"on|\bsummar|\bexplain|"
         r"\bexplanations?\b|\bformal|\binformal|\bcasual|\bconcise|\bbrief|\bheadings?\b|\bmarkdown\b|"
         r"\btables?\b|\blists?\b|\bcomma|"
         r"\bwrit(?:e|ing|ten)\b|\bdraft|\btexts?\b|\bsign(?:ed|ing)? off|\bgreeting|\bsubject line|\bjargon\b|"
         r"\bcitation|\bfootnote|"
         r"\bmetric\b(?!s)|\btranslat"),
        ("tools",
            r"\bvs ?code\b|\bvim\b|\bemacs\b|\beditor\b|\bapps?\b|\bterminal\b|\bexcel\b|\bspreadsheets?\b|"
            r"\bnotion\b|\bslack\b|\bgit\b|"
         r"\bdocker\b|\bbrowser\b|\bfirefox\b|\bchrome\b|\bobsidian\b|\bjira\b|\btrello\b|\bfigma\b|\bzoom\b|"
         r"\bpnpm\b|\bnpm\b|\byarn\b|"
         r"\bcalendar\b|\bplugin|\bsoftware\b|\btools?\b|\bpostgres|\bmysql\b|\bsqlite\b|\bkeyboard\b|"
         r"\bcli\b|\bgui\b|\blinux\b|\bmac(?:os)?\b"),
    )
)  # fmt: skip


def scope_of(text: str) -> str:
    """Return the scope of a preference by its words."""
    return next((scope for scope, pattern in _SCOPES if pattern.search(text)), "other")


def preference(text: str, value: str | None = None, name: str = "") -> dict[str, str]:
    """Return a preference's fields. text: what names it. value: what is preferred, the text itself if not given."""
    value = clean(value if value is not None else text)
    place = [scope_in(text) or scope_in(value)]
    for attribute, scope, pattern in ATTRIBUTES:
        if pattern.search(text):
            sort = applied_to(text) or applied_to(value) if attribute in _OF_MANY else ""
            return {"scope": scope, "name": name or joined(attribute, [*place, sort]), "value": value}
    return {"scope": scope_of(text), "name": name or joined(topic(text), place), "value": value}


_OF_MANY = frozenset({"indentation", "language", "tone", "spelling", "date_format", "time_format"})
"""Attributes that things of many sorts have, each a value of its own."""


def topic(text: str, most: int = 4) -> str:
    """Return the first content words of a text as a part of a key."""
    words = [word for word in _WORD.findall(text) if word.lower().replace("’", "'") not in _STOP]
    return slug(" ".join(words[:most]), 60) or slug(text, 60) or "it"


def clean(text: str) -> str:
    """Return a text without the marks and fillers around it."""
    return " ".join(_FILLERS.sub("", text.strip(_MARKS)).split()) or text.strip()


_MARKS = " \t\n,.;:!–—-"
_FILLERS = re.compile(
    r"[\s,.;:!–—-]*(?:\b(?:please|pls|thanks|thank you|"
    r"(?<!\bis )(?<!\bare )(?<!['’]s )(?<!\bstill )(?<!\bmy )(?<!\byour )(?<!\bour )(?<!\ban )(?<!\bexplicit )(?:ok|"
    r"okay)|"
    r"you know|haha|lol|btw|by the way|fyi|for what it's worth|just so you know|if that helps|i guess|of course|but|"
    r"though|tho)\b"
    r"[\s,.;:!–—-]*)*$",
    re.IGNORECASE,
)
"""What ends a text and tells nothing; "fish is ok" does."""


def profile(*facts: tuple[str, str], since: str = "") -> dict[str, object]:
    """Return a profile of the user with the facts (k, v)."""
    entries: list[dict[str, str]] = [{"k": told_as(k, v), "v": clean(v)} for k, v in facts]
    if since:
        entries[0]["since"] = since
    return {"subject": "user", "facts": entries}


def event(title: str, day: str, until: date | None = None) -> dict[str, str]:
    """Return an event's fields. until: the last of its days, where they are several."""
    fields = {"date": day, "title": clean(title), "slug": topic(title)}
    return fields if until is None else {**fields, "until": until.isoformat()}


def task(title: str, status: str = "", due: str = "") -> dict[str, str]:
    """Return a task's fields."""
    fields = {"task_id": topic(title), "title": clean(title)}
    if status:
        fields["status"] = status
    return {**fields, "due": due} if due else fields


def knowledge(content: str, kind: str = "fact") -> dict[str, str]:
    """Return a piece of knowledge."""
    return {"kind": kind, "slug": _named(content), "content": clean(content)}


def _named(content: str) -> str:
    """Return what names a statement in its key: its subject, and the environment that it names."""
    return joined(_of_subject(content), [of_environment(content)])


def _of_subject(content: str) -> str:
    subject = _SUBJECT.match(content)
    if subject is not None:
        side = next((side for side, words in _SIDES if words.match(subject[2])), "")
        return slug(f"{topic(subject[1], 5)} {side}", 60)
    told = _HAPPENS.match(content)
    return topic(content, 5) if told is None else slug(f"{topic(told[1])} {told[2]}", 60)


_SUBJECT = Expression(
    r"(?:(?:the|our|my) )?(?:(?:new|current|latest) )?([\w'’ -]{3,50}?)(?:'s|’s| is| are)?(?: now| currently)? "
    r"(?:is|are|now|will be|became|(?:got |was |were |has |have |has been |have been )?(?:changed|renamed|upgraded|"
    r"migrated|switched|raised|lowered|reduced|increased|cut|moved|set) (?:up |down |back |over )?to|"
    r"went (?:up|down) to) (\S+(?: \S+){0,5})$",
    re.IGNORECASE,
)
"""A short "X is Y": X names it, and of what sort Y is: another Y of the sort comes under the same key."""
_SIDES = (
    ("version", Expression(r"(?:on |at )?(?:version\b|v?\d+\.\d)", re.IGNORECASE)),
    ("hosted", Expression(r"(?:hosted|deployed|running) (?:on|at|in|by|with)\b", re.IGNORECASE)),
    ("written", Expression(r"(?:written|built|made|coded) (?:in|with|on)\b", re.IGNORECASE)),
    ("where", Expression(r"(?:at|over at|back at) [A-Z]\w+['’]s?\b")),
    ("when", Expression(
        r"(?:(?:on|at|in|by|until|from|before|after) )?(?:(?:the )?(?:first|last|second|third) )?(?:every\b|each\b|"
        r"daily\b|weekly\b|monthly\b|noon\b|midnight\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|"
        r"weekdays\b|weekends\b|"
        r"\d{1,2}(?::\d\d|\.\d\d)? ?(?:am|pm|o'clock)\b|\d{1,2}:\d\d\b)",
        re.IGNORECASE)),
)  # fmt: skip
"""What is said of a thing besides what it is and when: each under a name of its own."""

_HAPPENS = Expression(
    r"(?:(?:the|our|my) )(?:(?:new|current|latest) )?([\w'’ -]{2,40}?)(?: now| currently)? ((?:runs|listens|"
    r"closes|opens|starts|ends|begins|leaves|arrives|departs|expires|costs|lasts|lives|meets|weighs)"
    r"(?: (?:on|at|in|under|from|until|every))?) (?:\S+(?: \S+){0,5})$",
    re.IGNORECASE,
)
"""A short "X opens at Y": X and what it does name it."""
