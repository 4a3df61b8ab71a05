"""What was decided, and what is aimed at."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import clean, topic
from brain_core.extract.language import Found, Rule, Scene


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_SUBJECTS = (
    ("database", r"\b(?:postgres(?:ql)?|mysql|sqlite|mariadb|mongo(?:db)?|dynamodb|cockroach\w*|database|db)\b"),
    ("cloud", r"\b(?:aws|azure|gcp|google cloud|hetzner|digital ?ocean|cloud provider)\b"),
    ("frontend", r"\b(?:react|vue|svelte|angular|htmx|frontend)\b"),
    ("ci", r"\b(?:github actions|gitlab ci|jenkins|circleci|ci system)\b"),
    ("license", r"\b(?:apache-?2\.0|mit licen[sc]e|gpl\w*|licen[sc]e)\b"),
)  # fmt: skip
_TOPICS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _SUBJECTS)
_FOR = re.compile(
    r"\bfor (?:the |our |my )?(?P<what>[\w -]{3,40}?)(?=$|[,.;:]| (?:and|because|since|instead|from|then)"
    r"\b)"
)
_VAGUE = re.compile(
    r"^(?:that|this|it|them|those|these|him|her|you|there|sleep|bed|ask you|the first one|option \w)\b\W*(?:then"
    r"|please|thanks|now)?$",
    re.IGNORECASE,
)


def _decided(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = clean(scene.clause.whole)
    value = match["value"] if "value" in match.re.groupindex else text
    if not value or _VAGUE.match(value):
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
                "topic": _topic(second),
                "decision": f"{text[: text.find(value)]}{second}",
                "made_at": scene.said.isoformat(),
            }
        )
        text, value = text[:place], value.partition(" and to ")[0]
    fields = {"topic": _topic(value), "decision": text, "made_at": scene.said.isoformat()}
    because = re.search(r"\b(?:because|since|so that|as) (?P<why>.{5,200})$", text, re.IGNORECASE)
    if because is not None:
        fields["rationale"] = because["why"]
    yield Found(fields, span=(match.start(), max(match.end(), len(scene.clause.whole))))


def _topic(value: str) -> str:
    for name, pattern in _TOPICS:
        if pattern.search(value):
            return name
    about = _FOR.search(value)
    return topic(about["what"] if about is not None else value)


def _aim(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = clean(scene.clause.whole)
    value = next((match[name] for name in match.re.groupindex if match[name]), text)
    if len(value) > 3 and not _NO_GOAL.match(value):
        yield Found(
            {"name": topic(value), "description": text}, span=(match.start(), max(match.end(), len(scene.clause.whole)))
        )


_NO_GOAL = re.compile(
    r"(?:to )?(?:learn (?:how to (?:better|handle|deal|manage)|from (?:him|her|them|it|this)|more about "
    r"(?:it|this|that))|know|understand|see|ask|say|talk|sleep|eat|make sure|figure|find out|do this|do "
    r"that|get this|be clear|go home|fix (?:it|this)|"
    r"understand|survive|get through|hear|cry|scream|die|nap|buy milk|you\b|it\b|this\b|that\b|the (?:code|"
    r"script|output|function)|remember|decide|write (?:a|an|this|the) (?:e-?mail|mail|letter|function|"
    r"script|reply)|"
    r"send|print|translate|convert|parse|book a table|cook (?:this|tonight)|order)\b",
    re.IGNORECASE,
)
_HORIZON = (
    r"(?:by (?:the end of |end of |next |this )?(?:\w+ )?(?:year|summer|spring|autumn|fall|winter|december|"
    r"january|february|march|april|may|june|july|august|september|october|november|christmas|(?:20|19)"
    r"\d\d|q[1-4]|month|quarter|i'm \d+|the time)|"
    r"this (?:year|summer|winter|spring|autumn|fall|quarter|season)|next (?:year|summer|winter|spring|"
    r"autumn|fall|quarter|season)|within (?:the next |a |one |two |three |\w+ )?(?:year|month|week)s?|"
    r"in (?:the next )?(?:\w+ )?(?:years|months)|one day|some ?day|eventually|"
    r"long[- ]term|in the long run|before (?:i turn|i'm|my|the end of|christmas|summer)|over the next|"
    r"until (?:the end|summer|christmas)|before \w+ ends|in 20\d\d|for good)"
)
_LASTING_AIM = (
    r"(?:learn|become|run (?:a|my|the|an)|lose \d|lose (?:some )?weight|save (?:up|\d|\$|€|£|enough|for)"
    r"|quit (?:smoking|drinking|sugar|my job|renting)|retire|pass|get fit|get (?:better at|promoted|certified|"
    r"into shape|in shape|my (?:degree|licen[sc]e))|publish|"
    r"reach|hit \d|double|halve|build up|buy a (?:house|flat|home|boat)|grow|reduce|cut (?:down|our|my|"
    r"costs)|climb|hike|walk the|visit every|travel (?:the|to all)|finish (?:my|a) (?:degree|phd|thesis|"
    r"novel|marathon|book)|"
    r"start (?:my own|a business|a company)|move (?:abroad|to)|be able to|master|read (?:more|\d+)|write "
    r"(?:a|my) (?:book|novel)|pay off|"
    r"be (?:debt[- ]free|fluent|financially)|launch|swim|cycle (?:to|from|across)|go (?:vegan|vegetarian|"
    r"plastic-free)|speak)"
)


def _lets(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if not re.match(
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
        {"topic": _topic(value), "decision": clean(scene.clause.whole), "made_at": scene.said.isoformat()},
        span=(match.start(), max(match.end(), len(scene.clause.whole))),
    )


DECISIONS = (
    Rule("it_is", "decisions", "is",
         re.compile(
         r"^(?:[Ff]ine|[Aa]lright|[Rr]ight|[Gg]reat|[Oo][Kk](?:ay)?|[Tt]hen|[Ss]o|[Dd]one)?,? ?(?P<value>[\w "
         r".+#-]{2,40}?) it is(?:,? then)?$"), lambda m, s: _decided(m, s) if not re.match(
         r"(?:so|what|how|as|that|this|whatever|here|there)\b", m["value"], re.IGNORECASE) else ()),
    Rule("decision_header", "decisions", "decision decided settled final approved sorted plan verdict",
         _pattern(
             r"^(?:(?:the )?(?:final )?(?:decision|call|choice|plan)(?: is)?(?: now)?(?: made)?|decided|"
             r"settled|sorted|final(?: answer| decision)?|approved|it's (?:a go|settled|decided|final)"
             r"|it is (?:settled|decided))(?: on [\w ]{2,40}| for [\w ]{2,40})?\s*[:,–—-]\s*(?P<value>.{4,300})"),
                 _decided),
    Rule("after_talks", "decisions", "after", _pattern(
        r"^after (?:much|a lot of|lots of|long|some|the|all|weeks of|days of|a long|comparing|talking|"
        r"discussing|looking at|thinking) ?.{0,60}?, (?P<value>(?:i|we)(?:'ll|’ll| will| are going to|"
        r"'re going to| are|'re) .{4,300})"), _decided),
    Rule("approved", "decisions", "signed approved green greenlit confirmed okayed ok'd vetoed", _pattern(
        r"^(?:the |our |my )?(?:\w+ ){1,3}(?:has |have |just |finally )*(?:signed off on|approved|green-?lit|"
        r"gave the green light (?:to|for)|ok'd|okayed|vetoed|gave us the go-ahead (?:to|for)) (?P<value>.{3,300}"
        r")"), _decided),
    Rule("that_is_settled", "decisions", "settled decided agreed final", _pattern(
        r"^(?P<value>.{8,200}?)(?:,| –| -|:|;) (?:that's|that’s|that is|it's|it’s)(?: now)? (?:settled|"
        r"decided|agreed|final)\b.{0,30}$"), _decided),
    Rule("plan_is", "decisions", "plan", _pattern(
        r"^(?:the|our|my) (?:final |new |current )?plan (?:is|now is|is now)(?: to| that)? (?P<value>.{5,300})"),
            _decided),
    Rule("did_choose", "decisions",
        "said went accepted declined rejected taking keeping ruled ditched dropped turned signed hired "
        "skipping cancelling canceling won't gonna doing",
         _pattern(
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
         _pattern(
             r"^(?:(?:in the end|after all that|after \w+ .{3,60}?|finally|eventually|today|yesterday|"
             r"last \w+|this \w+|the good news is|summary of .{3,60}?|so),? ?:? ?)?(?:(?:i|we)(?:'ve|’ve|"
             r" have)?|(?:the|our) (?:board|team|committee|group|whole team|family|management|client|council|"
             r"architects?|leadership)(?: has| have)?|(?:\w+ and i)(?: have)?|it was|it's been|it is|we "
             r"all|everyone) ?(?:now |finally |just |all |both |already |officially |jointly |unanimously "
             r")*"
                  r"(?:decided|agreed|settled|chose|chosen|opted|picked|voted|concluded|resolved|committed)"
                  r"\b(?! (?:up\b|with (?:you|him|her|that)$|yet|whether|if|what|when|where|who)\b)(?: "
                  r"that| to| on| for| against| in favou?r of| upon)?:? ?(?P<value>.{3,400})"), _decided),
    Rule("agreed_with", "decisions", "agreed decided settled decision verdict ruling",
         _pattern(
             r"^(?:(?:agreed|decided|settled)(?: (?:with|in|on|by|at|together|today|yesterday)\b[\w ]{0,40}?)"
             r"?(?:\s*[:–—-] ?|, (?=we\b|then\b|no\b))|(?:the |our |my |final )*(?:decision|verdict|ruling|"
             r"conclusion|outcome|choice)(?: (?:on|for|about|from|of) [\w -]{2,50}?)?(?: is| was| has "
             r"been made|:| stands)(?: made)?,?:?(?: that| to)? ?)(?P<value>.{3,400})"), _decided),
    Rule("lets_go_with", "decisions", "let's lets go going we'll i'll stick use sticking take final take",
         _pattern(
             r"^(?:ok,? |then |alright,? |fine,? |yes,? )*(?:(?:let's|let’s|lets|let us|we'll|we’ll|we "
             r"will|i'll|i’ll|i will) (?:just |all |then |definitely |officially )*(?:go (?:with|for|ahead "
             r"with)|use|stick (?:with|to)|switch to|move to|adopt|standardi[sz]e on|settle (?:on|for)"
             r"|take(?= (?:the )?(?:\w+ )?(?:option|plan|offer|one|route|flat|apartment|job|[A-Z]))|drop|"
             r"keep(?= (?:the|it at|using|postgres|our))|do(?= (?:the )?(?:\w+ )?(?:option|version|approach|"
             r"plan|variant))|build (?:it|this) (?:in|on|with)|name it|call it)|"
                  r"(?:we're|we’re|we are|i'm|i’m|i am) (?:now |definitely |officially )*(?:going with|"
                  r"going for|sticking (?:with|to)|switching to|moving to|settling on|using .{2,60} instead|"
                  r"not (?:going|renewing|doing|using|taking|moving|switching)|dropping|ditching)) (?P<value>.{2"
                  r",300})"), _lets),
    Rule("made_up_mind", "decisions", "mind decided decision settled",
         _pattern(
             r"^(?:i|we)(?:'ve|’ve| have)? (?:finally |now )?(?:made up (?:my|our) minds?|made (?:a|my|"
             r"our|the) (?:final )?(?:decision|choice))\b.{0,20}?(?:[,:–—-]|to\b|that\b)(?P<value>.{4,300})"),
                 _decided),
    Rule("it_is_decided", "decisions", "decided settled official final approved signed greenlit green",
         _pattern(
             r"^(?:it's|it’s|it is|that's|that’s) (?:now )?(?:decided|settled|final|agreed)\b[:,]? (?P<value>.{4"
             r",300})|^(?P<v2>.{4,160}?) (?:it is then|it is, then|is what we're going with|has been (?:approved"
             r"|chosen|selected|signed off|green-?lit)|won the vote|got the green light)\b.{0,80}"), _it_is),
)  # fmt: skip

GOALS = (
    Rule("goal_is", "goals", "goal goals aim target ambition dream objective resolution mission plan okr okrs bucket",
         _pattern(
             r"^(?:my|our|the|one of my|the team's|another|a|his|one) ?(?:\w+[- ]){0,3}?(?:goals?|aims?|"
             r"targets?|ambitions?|dreams?|objectives?|resolutions?|missions?|okrs?|north star|bucket "
             r"list)(?: (?:for|of|with|in|here|this|next)\b[\w ',’%-]{0,60}?)?(?: is| are| remains| would "
             r"be| stays|:|,)(?: to| still)? (?P<value>.{4,300})"), _aim),
    Rule("goal_by", "goals", "want aim hope plan hoping aiming planning trying like love going determined",
         _pattern(
             rf"^(?:(?:{_HORIZON}|this is the year|in \w+)\b,? ?)(?:\w+ )?(?:i|we|i'd|i’d|we'd|i'm|i’m|"
             r"we're)(?: \w+)? ?(?:want to|want|aim to|hope to|plan to|would like to|like to|love to|hoping "
             r"to|aiming to|aiming for|planning to|trying to|determined to|going to|intend to|wanna|will)"
             r" (?P<value>(?:finally )?.{4,300})"), _aim),
    Rule("goal_want", "goals",
        "want aim hope plan hoping aiming planning trying like love determined intend wanna dream saving "
        "training working",
         _pattern(
             r"^(?:i|we|i'd|i’d|we'd|i'm|i’m|we're|i am|we are)(?: really| also| finally| still| currently|"
             r" both| slowly)* ?(?:want to|aim to|hope to|plan to|would like to|like to|love to|hoping "
             r"to|aiming to|planning to|trying to|determined to|intend to|wanna|dream of|would love to)"
             rf" (?P<value>(?:finally |really )?(?:{_LASTING_AIM}\b.{{2,300}}|.{{4,200}}\b{_HORIZON}\b.{{0,100}})"
             r")"), _aim),
    Rule("one_day_ill", "goals", "day someday happy glad trying hoping target year", _pattern(
        r"^(?:(?:one|some) ?day,? (?:i|we)(?:'ll|’ll| will)|i(?:'d|’d| would) be (?:so |very )?(?:happy|"
        r"glad|proud|thrilled) if (?:i|we) could|(?:i'm|i’m|i am|we're|we are) (?:trying|hoping) to get(?= "
        r".{2,60} (?:below|under|above|over|down to|up to|to \d))|the plan for (?:this|next) (?:year|summer|"
        r"season|quarter):) (?P<value>.{4,300})"), _aim),
    Rule("goal_towards", "goals",
        "training saving working aiming shooting studying preparing learning building trying mission",
         _pattern(
             r"^(?:i'm|i’m|i am|we're|we are|i've been|we've been)(?: \w+)? (?P<value>(?:learning (?:to "
             r"(?:play|sail|swim|drive|knit|draw|code|ski|surf)|(?:the )?(?:guitar|piano|violin|cello|"
             r"drums|sign language)|(?-i:[A-Z][a-z]+(?:ian|ish|ese|man|nch|ic|an|ch|in|ek|di))\b)|training "
             r"for|saving (?:up )?(?:for|to)|working (?:towards?|on becoming|my way)|aiming (?:for|at)"
             r"|shooting for|studying for|preparing for (?:the|my|a|an) (?:\w+ ){0,3}?(?:exam|marathon|"
             r"certification|bar|race|triathlon|championship|audition)|building up to|on a mission to|"
             r"trying to (?:learn|lose|save|quit|cut|become|run|read|get better))(?:$| .{3,200}))"), _aim),
    Rule("my_aim", "goals", "aim goal target", _pattern(
        r"\b(?:my|our) (?:aim|goal|target) (?:is|being|:) (?P<value>.{4,200})"), _aim),
)  # fmt: skip

RULES = (*DECISIONS, *GOALS)
