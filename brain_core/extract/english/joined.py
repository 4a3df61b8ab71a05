"""Tasks that one title joins by "and": each part begins with a verb of its own and says what is done to what."""

from __future__ import annotations

from brain_core.extract.english.vocabulary import pattern

_MOST = 6
_AND = pattern(r",? and (?:then |also |to )?|, (?:then |also )?(?=\w)|; ")
_VERBS = (
    r"send|hire|buy|pay|write|finish|submit|renew|cancel|ask|tell|bring|get|find|fix|remove|set up|install|prepare|"
    r"organi[sz]e|arrange|apply for|return|collect|deliver|update|upload|download|configure|deploy|migrate|merge|"
    r"reply to|respond to|e-?mail|tidy|wash|feed|replace|repair|choose|sell|delete|create|build|sort out|clear out|"
    r"empty|mow|talk to|speak to|invite|register|confirm|transfer|hand in|drop off|pick up|reschedule|fill in|fill "
    r"out|throw out|turn off|book|call|ring|phone|order|clean|check|review|file|sign|water|paint|pack|print|post|"
    r"mail|visit|contact|schedule|plan|test|draft|ship|measure|release|close|make|take|cook|iron|vacuum|hang|assemble|"
    r"redirect|insure|rebook|chase|text|swap|switch|forward"
)
_AMBIGUOUS = (
    r"book|call|ring|phone|order|clean|check|review|file|sign|water|paint|pack|print|post|mail|visit|contact|schedule|"
    r"plan|test|draft|ship|measure|release|close|make|take|cook|iron|vacuum|hang|feed|wash|update|return|transfer|"
    r"empty|fix|build|repair|find|get|ask|tell|sell|chase|text|swap|switch|forward"
)
_BEGINS = pattern(
    rf"(?:(?:{_AMBIGUOUS}) (?:the|my|our|an?|some|his|her|their|this|these|that|those|both|mum|mom|dad|grandma|"
    rf"granny|\d|(?-i:[A-Z]))|(?!(?:{_AMBIGUOUS})\b)(?:{_VERBS}) \w)"
)
"""A word that may be a noun, too, is a verb where what it is done to stands after it."""
_HEAD = pattern(rf"(?:{_VERBS}) \w")
_POINTS_BACK = pattern(r"\b(?:it|them|him|there|one|both|so that|because|if)\b|\bher(?= ?$| (?:to|that|about|the)\b)")


def joined(title: str) -> list[str]:
    """Return the parts of a title that are tasks of their own; the title alone where it is one task.

    "print the form and send it" is one: what is sent stands in the first part.
    """
    parts = [part.strip() for part in _AND.split(title)]
    apart = 1 < len(parts) <= _MOST and _HEAD.match(parts[0]) is not None
    if not apart or not all(_BEGINS.match(part) and not _POINTS_BACK.search(part) for part in parts[1:]):
        return [title]
    return parts
