"""What was decided."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.applies import of_environment
from brain_core.extract.english.standing import naming_words
from brain_core.extract.english.values import clean, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.scopes import hosted_in, joined, project_in, scope_in, without_project, without_scope
from brain_core.text.expression import Expression

_SUBJECTS = (
    ("database", r"\b(?:postgres(?:ql)?|mysql|sqlite|mariadb|mongo(?:db)?|"
     r"dynamodb|cockroach\w*|tidb|clickhouse|database|db)\b"),
    ("cloud", r"\b(?:aws|azure|gcp|google cloud|hetzner|digital ?ocean|cloud provider)\b"),
    ("frontend", r"\b(?:react|vue|svelte|angular|htmx|frontend)\b"),
    ("ci", r"\b(?:github actions|gitlab ci|jenkins|circleci|ci system)\b"),
    ("license", r"\b(?:apache-?2\.0|mit licen[sc]e|gpl\w*|licen[sc]e)\b"),
)  # fmt: skip
_TOPICS = tuple((name, Expression(words, re.IGNORECASE)) for name, words in _SUBJECTS)
_FOR = Expression(
    r"\bfor (?:the |our |my )?(?P<what>[\w -]{3,40}?)(?=$|[,.;:]| (?:and|because|since|instead|from|then)"
    r"\b)"
)
_NAME = Expression(r"[A-Z]|\d\S*[a-z]")
_VAGUE = Expression(
    r"^(?:(?:that|this|it|them|those|these|him|her|you|there|sleep|bed|ask you|the first one|option \w)\b\W*(?:then"
    r"|please|thanks|now)?$|lie\b|that['’]s the one\b)|\bfor now$",
    re.IGNORECASE,
)


def _decided(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = clean(scene.clause.whole)
    value = match["value"] if "value" in match.re.groupindex else text
    opening = _opening(scene)
    if not value or _VAGUE.search(value) or not (_NAME.search(value) or naming_words(value)):
        return
    place = text.find(" and to ")
    if (
        match["value"] is value
        and place > 0
        and value.startswith(("to ", "leave", "keep", "use", "move", "make", "do", "buy", "go"))
    ):
        second = text[place + 5 :]
        yield Found(
            {
                **about(scene, second),
                "decision": f"{text[: text.find(value)]}{second}",
                "made_at": scene.said.isoformat(),
            }
        )
        text, value = text[:place], value.partition(" and to ")[0]
    fields = decision(scene, f"{opening}{text}", value)
    yield Found(fields, span=(match.start(), max(match.end(), len(scene.clause.whole))))


def decision(scene: Scene, text: str, value: str) -> dict[str, str]:
    """Return the fields of a decision: its words, why, and what it is about. value: what was chosen."""
    fields = {**about(scene, value), "decision": text, "made_at": scene.said.isoformat()}
    because = re.search(r"\b(?:because|since|so that|as) (?P<why>.{5,200})$", text, re.IGNORECASE)
    return fields if because is None else {**fields, "rationale": because["why"]}


def about(scene: Scene, value: str) -> dict[str, str]:
    """Return the project of a decision, where a known one is named, and its topic, with what else it is for."""
    said = f"{_opening(scene)}{scene.clause.whole or scene.clause.text}"
    project = project_in(said, scene.known)
    if project:
        return {"project": project, "topic": topic_of(without_project(project, value))}
    return {"topic": joined(topic_of(value), [scope_in(value) or scope_in(said), of_environment(said)])}


def _opening(scene: Scene) -> str:
    """Return what a sentence begins with before this clause, if it says for what it holds: "For the web project, "."""
    opens = _OPENS.match(scene.before) and scene.before in scene.clause.sentence
    return f"{scene.before}, " if opens else ""


_OPENS = Expression(r"^(?:for|in|on|as for|regarding)\b[^,]{2,60}$", re.IGNORECASE)


def topic_of(value: str) -> str:
    """Return what a decision is about: one of the usual subjects and what is served by it, else its first words."""
    words = without_scope(value) or value
    aimed = _FOR.search(words)
    for name, named in _TOPICS:
        if named.search(words):
            return joined(name, [_served(value) or hosted_in(value)])
    return topic(aimed["what"] if aimed is not None else words)


def _served(value: str) -> str:
    """Return for what of several things a decision is, as a part of a key: "use Postgres for analytics"."""
    aimed = _AIMED.search(value)
    return "" if aimed is None or _NO_AIM.match(aimed["what"]) else topic(aimed["what"])


_AIMED = Expression(r"\bfor (?P<what>[\w-]{3,30})(?=$|[,.;:]| (?:and|because|since|instead|from|then|now)\b)")
_NO_AIM = Expression(
    r"^(?:now|good|sure|everything|all|everyone|us|me|once|its|their|his|her|this|that|it|data|storage|persistence|"
    r"production|launch|v\d|mvp|speed|performance|simplicity|reliability|consistency|cost|compliance|safety|security|"
    r"scale|scaling|example|real|the (?:time|first|next|moment|start|new|whole))\b",
    re.IGNORECASE,
)
"""Says why, when or of all, not for what."""


def is_next_step(text: str) -> bool:
    """Return whether a text says what is to be done next in this talk, which decides nothing beyond it."""
    return _NEXT_STEP.search(text) is not None


_NEXT_STEP = Expression(
    r"\b(?:first|next|second|third|last|other) (?:step|one|thing|part|task|item|topic|section|phase|round|question)\b|"
    r"\bfor now\b|\b(?:after|once) (?:that|this|we)\b[^.]{0,60}\blet['’]?s\b|"
    r"^(?:(?:so|now|ok(?:ay)?|alright|then|well|great|good),? )*let['’]?s (?:\w+ly )?(?:go (?:to the|over|through|back|"
    r"on)|head|see|look|start|begin|continue|carry on|move on|move forward|proceed|talk|dive|review|check|focus|push|"
    r"get (?:started|going|back|into|this|it|to))\b",
    re.IGNORECASE,
)


def _lets(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if not is_next_step(scene.clause.sentence) and not re.match(
        r"(?:a|an|some|this (?:function|example|sentence|word)|\d+ (?:as|for)|x\b|the (?:first|second|"
        r"last) (?:sentence|paragraph|word)|lunch|dinner|fun|coffee|pizza|your|it|that|the time|time|my|"
        r"care|note|into account)\b|(?:the )?(?:word|example|number|letter)s?\b",
        match["value"],
        re.IGNORECASE,
    ):
        yield from _decided(match, scene)


def _it_is(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    value = match["value"] or match["v2"]
    yield Found(
        {**about(scene, value), "decision": clean(scene.clause.whole), "made_at": scene.said.isoformat()},
        span=(match.start(), max(match.end(), len(scene.clause.whole))),
    )


RULES = (
    Rule("it_is", "decisions", "is",
         Expression(
         r"^(?:[Ff]ine|[Aa]lright|[Rr]ight|[Gg]reat|[Oo][Kk](?:ay)?|[Tt]hen|[Ss]o|[Dd]one)?,? ?(?P<value>[\w "
         r".+#-]{2,40}?) it is(?:,? then)?$"), lambda m, s: _decided(m, s) if not re.search(
         r"^(?:so|as|that|this|here|there|one)\b|\b(?:what|how|whatever|wherever|who|where)\b", m["value"],
         re.IGNORECASE) else ()),
    Rule("decision_header", "decisions", "decision decided settled final approved sorted plan verdict",
         pattern(
             r"^(?:(?:the )?(?:final )?(?:decision|call|choice|plan)(?: is)?(?: now)?(?: made)?|decided|"
             r"settled|sorted|final(?: answer| decision)?|approved|it's (?:a go|settled|decided|final)"
             r"|it is (?:settled|decided))(?: on [\w ]{2,40}| for [\w ]{2,40})?\s*[:,–—-]\s*(?P<value>.{4,300})"),
                 _decided),
    Rule("after_talks", "decisions", "after", pattern(
        r"^after (?:much|a lot of|lots of|long|some|the|all|weeks of|days of|a long|comparing|talking|"
        r"discussing|looking at|thinking) ?.{0,60}?, (?P<value>(?:i|we)(?:'ll|’ll| will| are going to|"
        r"'re going to| are|'re) .{4,300})"), _decided),
    Rule("approved", "decisions", "signed approved green greenlit confirmed okayed ok'd vetoed", pattern(
        r"^(?:the |our |my )?(?:\w+ ){1,3}(?:has |have |just |finally )*(?:signed off on|approved|green-?lit|"
        r"gave the green light (?:to|for)|ok'd|okayed|vetoed|gave us the go-ahead (?:to|for)) (?P<value>.{3,300}"
        r")"), _decided),
    Rule("that_is_settled", "decisions", "settled decided agreed final", pattern(
        r"^(?P<value>.{8,200}?)(?:,| –| -|:|;) (?:that's|that’s|that is|it's|it’s)(?: now)? (?:settled|"
        r"decided|agreed|final)\b.{0,30}$"), _decided),
    Rule("did_choose", "decisions",
        "said went accepted declined rejected taking keeping ruled ditched dropped turned signed hired "
        "skipping cancelling canceling won't gonna doing",
         pattern(
             r"^(?:.{0,60}?, )?(?:i|we)(?:'ve|’ve| have| just| finally| both| all)* ?(?:went (?:with|for)"
             r" (?!an? \w+(?: \w+)?$|a (?:walk|run|swim|ride|drive|coffee|stroll|hike|jog|trip)|lunch|"
             r"dinner|groceries|it$)|accepted (?:the|their|an?) |declined |turned down |ruled out |said "
             r"(?:yes|no) to (?:the|their|an?) |signed up (?:for|with) |(?:'m|’m|'re|’re|am|are) (?:now "
             r")?(?:taking the (?!train|bus|kids|dog|day)|keeping (?:the|our|my) (?=\w+ (?:at|as|in|plan|"
             r"contract|name|price|job|flat|house|car|old|current|existing|subscription|deposit)\b)|doing "
             r"without|skipping|ditching|dropping|cancelling|canceling)|won't (?:be )?(?:renew|use|buy|"
             r"ship|launch|support|hire|go with|pursue)|opted |(?:'re|are) gonna (?:use|go with|build)"
             r")(?P<value>.{2,300})"), _decided),
    Rule("decided", "decisions",
        "decided agreed settled chose chosen opted picked voted concluded resolved committed decide",
         pattern(
             r"^(?:(?:in the end|after all that|after \w+ .{3,60}?|finally|eventually|today|yesterday|"
             r"last \w+|this \w+|the good news is|summary of .{3,60}?|so),? ?:? ?)?(?:(?:i|we)(?:'ve|’ve|"
             r" have)?|(?:the|our) (?:board|team|committee|group|whole team|family|management|client|council|"
             r"architects?|leadership)(?: has| have)?|(?:\w+ and i)(?: have)?|it was|it's been|it is|we "
             r"all|everyone) ?(?:now |finally |just |all |both |already |officially |jointly |unanimously "
             r")*"
                  r"(?:decided|agreed|settled|chose|chosen|opted|picked|voted|concluded|resolved|committed)"
                  r"\b(?! (?:up\b|with (?:you|him|her|that)$|yet|whether|if|what|when|where|who)\b)"
                  r"(?<!agreed(?= it was))(?<!agreed(?= that it was))(?<!agreed(?= it is))(?<!agreed(?= it['’]s))(?: "
                  r"that| to| on| for| against| in favou?r of| upon)?:? ?(?P<value>.{3,400})"), _decided),
    Rule("agreed_with", "decisions", "agreed decided settled decision verdict ruling",
         pattern(
             r"^(?:(?:agreed|decided|settled)(?: (?:with|in|on|by|at|together|today|yesterday)\b[\w ]{0,40}?)"
             r"?(?:\s*[:–—-] ?|, (?=we\b|then\b|no\b))|(?:the |our |my |final )*(?:decision|verdict|ruling|"
             r"conclusion|outcome|choice)(?: (?:on|for|about|from|of) [\w -]{2,50}?)?(?: is| was| has "
             r"been made|:| stands)(?: made)?,?:?(?: that| to)? ?)(?P<value>.{3,400})"), _decided),
    Rule("lets_go_with", "decisions", "let's lets go going we'll i'll stick use sticking take final take",
         pattern(
             r"^(?:ok,? |then |alright,? |fine,? |yes,? )*(?:(?:let's|let’s|lets|let us|we'll|we’ll|we "
             r"will|i'll|i’ll|i will) (?:just |all |then |definitely |officially )*(?:go (?:with|for|ahead "
             r"with)|use|stick (?:with|to)|switch to|move to|adopt|standardi[sz]e on|settle (?:on|for)"
             r"|take(?= (?:the )?(?:\w+ )?(?:option|plan|offer|one|route|flat|apartment|job|[A-Z]))|drop|"
             r"keep(?= (?:the|it at|using|postgres|our))|do(?= (?:the )?(?:\w+ )?(?:option|version|approach|"
             r"plan|variant))|build (?:it|this) (?:in|on|with)|name it|call it)|"
                  r"(?:we're|we’re|we are|i'm|i’m|i am) (?:now |definitely |officially )*(?:going with|"
                  r"going for|sticking (?:with|to)|switching to|moving to|settling on|using .{2,60} instead|"
                  r"not (?:going(?! to\b)|renewing|doing|using|taking|moving|switching)|dropping|"
                  r"ditching)) (?P<value>.{2"
                  r",300})"), _lets),
    Rule("made_up_mind", "decisions", "mind decided decision settled",
         pattern(
             r"^(?:i|we)(?:'ve|’ve| have)? (?:finally |now )?(?:made up (?:my|our) minds?|made (?:a|my|"
             r"our|the) (?:final )?(?:decision|choice))\b.{0,20}?(?:[,:–—-]|to\b|that\b)(?P<value>.{4,300})"),
                 _decided),
    Rule("it_is_decided", "decisions", "decided settled official final approved signed greenlit green",
         pattern(
             r"^(?:it's|it’s|it is|that's|that’s) (?:now )?(?:decided|settled|final|agreed)\b[:,]? (?P<value>.{4"
             r",300})|^(?P<v2>.{4,160}?) (?:it is then|it is, then|is what we're going with|has been (?:approved"
             r"|chosen|selected|signed off|green-?lit)|won the vote|got the green light)\b.{0,80}"), _it_is),
    Rule("outcome_header", "decisions",
        "decision verdict outcome conclusion resolution ruling upshot result decided settled agreed answer verdict's "
        "consensus",
         pattern(
             r"^(?!.{0,60}\b(?:test|exam|score|match|game|if|should|what|which|her|his|"
             r"their)\b)[^:.?!]{0,40}?\b(?:decision|"
             r"verdict|outcome|conclusion|resolution|ruling|upshot|consensus|final answer)(?! to (?:make|take|"
             r"be))(?:'s in|’s in| is in| is)?"
             r"\b[^:?!.]{0,50}[:,] (?P<value>.{4,300})"), _decided),
    Rule("x_it_is", "decisions", "is", pattern(
        r"^.{0,120}?(?:[:,–—-] |\b(?:ok|alright|fine|so|then|answer),? )(?P<value>(?!what|how|that|this|here|there)"
        r"[\w.+#-]+(?: [\w.+#-]+){0,4}?) it is(?:,? then)?$"), _decided),
    Rule("settles", "decisions",
        "picked chosen chose going gone went settled decided dropping dropped ditching ditched keeping sticking "
        "scrapping "
        "moving switching choosing picking plumped opted landed booked signed committing ruled accepting "
        "declining binning "
        "hired adopting adopted settling moving",
         pattern(
             r"^(?:[^:,]{0,60}[,:] ?|(?:after|following) .{3,60}? |(?:in the end|finally|eventually|so|it's "
             r"official)[, ]+)?(?:(?:i|we|\w+ and i|"
             r"the \w+(?: \w+)?|everyone|both of us)(?:'ve|’ve|'re|’re|'m|’m| have| has| are| am)? ?)(?:now |"
             r"finally |all |both |"
             r"just |already |definitely |officially |also |instead |eventually )*(?!(?:went|gone|going|"
             r"staying) on )(?:picked(?! up)|chosen|chose|"
             r"going with|gone with|"
             r"(?:went|gone|going|sticking|plumped|opted|settled|settling|landed|staying) (?:with|for|on)(?! (?:a "
             r"walk|holiday|"
             r"lunch|dinner|vacation|the train|him|her|it$|my mind|you|an? (?:run|swim|ride|drive|hike|jog|coffee|"
             r"drink|stroll|trip|meal)))|dropping (?!off|by|in|out)|dropped (?!off|by|in|out|my|"
             r"the ball)|ditch(?:ing|ed)|scrapp(?:ing|ed)|binn(?:ing|ed)|choosing|picking (?!up|on)|adopting|"
             r"moving (?=(?:the |our |my |everything )?[\w ]{2,30} (?:over )?to )|switching to|"
             r"sticking to|ruled out|settled on|decided (?:on|to|against|in favou?r))\b "
             r"(?P<value>.{2,300})"), _decided),
    Rule("wont_be", "decisions", "won't not no", pattern(
        r"^(?:i|we)(?:'m| am|'re| are)? ?(?:won't|won’t|will not|not) (?:be )?(?:going to )?(?P<value>(?:renew|"
        r"extend|"
        r"buy|us|support|launch|ship|hir|accept|sign|attend|pursu|continu|open|expand|migrat|upgrad|adopt|invest|"
        r"sell|rent|"
        r"send|appl)(?:e|ing|ping)?\b.{3,200})"), _decided),
)  # fmt: skip
