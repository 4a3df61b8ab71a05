"""What must never be done: "never log emails", "don't touch vendor/, ever"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import clean, preference
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene


def _forbidden(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield Found(preference(match["value"], clean(scene.clause.text)))


_DEEDS = (
    r"(?:log|store|commit|push|touch|edit|delete|remove|drop|deploy|merge|print|expose|share|send|e-?mail|call|ring|"
    r"phone|text|book|order|suggest|recommend|mention|post|publish|upload|overwrite|rename|modify|install|upgrade|"
    r"restart|reboot|force[- ]push|rebase|squash|hard-?code|cache|disable|import|reformat|rewrite|regenerate|reveal|"
    r"truncate|contact|invite|cc|auto-?\w+)"
)
RULES = (
    Rule("never_do", "preferences", "never ever", pattern(
        rf"^(?:please |pls |and |also |you (?:must|should) )*(?:never|do(?:n['’]t| not) ever) (?P<value>{_DEEDS}"
        r" (?!again\b|it\b|that\b|this\b|so\b|such\b|me again\b).{3,160})$"), _forbidden, vital=True),
)  # fmt: skip
