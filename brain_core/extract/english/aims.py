"""What is aimed at: long-term goals, the user's and the team's."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import clean, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression


def _aim(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = clean(scene.clause.whole)
    value = next((match[name] for name in match.re.groupindex if match[name]), text)
    if len(value) > 3 and not _NO_GOAL.match(value):
        yield Found(
            {"name": topic(value), "description": text}, span=(match.start(), max(match.end(), len(scene.clause.whole)))
        )


_NO_GOAL = Expression(
    r"(?:to )?(?:learn (?:how to (?:better|handle|deal|manage)|from (?:him|her|them|it|this)|more about "
    r"(?:it|this|that))|know|understand|see|ask|say|talk|sleep|eat|make sure|figure|find out|do this|do "
    r"that|get this|"
    r"(?:make|let|have|get) (?:it|this|that|things) (?:work|happen|right|count|out|through|done)\b|"
    r"be clear|go home|fix (?:it|this)|"
    r"understand|survive|get through|hear|cry|scream|die|nap|buy milk|you\b|it\b|this\b|that\b|the (?:code|"
    r"script|output|function)|remember|decide|write (?:a|an|this|the) (?:e-?mail|mail|letter|function|"
    r"script|reply)|"
    r"send|print|translate|convert|parse|book a table|cook (?:this|tonight)|order)\b",
    re.IGNORECASE,
)


def _aspired(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what is hoped for: with a horizon in sight, or of the sort that takes long."""
    whole, value = scene.clause.whole, match["value"]
    if _AT_LENGTH.search(whole) or _LASTS_LONG.match(value) or _SELF_SET.search(whole[: match.start("value")]):
        yield from _aim(match, scene)


def _aimed_at(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if not _NOT_LONG.search(match["value"]):
        yield from _aim(match, scene)


_NOT_LONG = Expression(
    r"\b(?:tonight|tomorrow|today|this (?:morning|evening|afternoon)|error|bug|code)\b", re.IGNORECASE
)
_SELF_SET = Expression(
    r"\b(?:set (?:myself|ourselves)|aspir|vow|pledged|sworn|mission|dream|determined to|commit|see (?:myself|"
    r"ourselves))",
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

_AT_LENGTH = Expression(rf"\b{_HORIZON}\b", re.IGNORECASE)
_LASTS_LONG = Expression(rf"(?:finally |really |eventually )*{_LASTING_AIM}\b", re.IGNORECASE)


RULES = (
    Rule("goal_is", "goals",
        "goal goals goal's aim aim's plan's target ambition dream objective resolution mission plan okr okrs bucket",
         pattern(
             r"^(?:my|our|the|one of my|the team's|another|a|his|one) ?(?:\w+[- ]){0,3}?(?:goals?|aims?|"
             r"targets?|ambitions?|dreams?|objectives?|resolutions?|missions?|okrs?|north star|bucket "
             r"list)(?: (?:for|of|with|in|here|this|next)\b[\w ',’%-]{0,60}?)?(?: is| are|(?:'s|’s)(?= to\b)|"
             r" remains| would be| stays|:|,)(?: to| still)? (?P<value>.{4,300})"), _aim),
    Rule("goal_by", "goals", "want aim hope plan hoping aiming planning trying like love going determined",
         pattern(
             rf"^(?:(?:{_HORIZON}|this is the year|in \w+)\b,? ?)(?:\w+ )?(?:i|we|i'd|i’d|we'd|i'm|i’m|"
             r"we're)(?: \w+)? ?(?:want to|want|aim to|hope to|plan to|would like to|like to|love to|hoping "
             r"to|aiming to|aiming for|planning to|trying to|determined to|going to|intend to|wanna|will)"
             r" (?P<value>(?:finally )?.{4,300})"), _aim),
    Rule("goal_want", "goals",
        "want aim hope plan hoping aiming planning trying like love determined intend wanna dream saving "
        "training working",
         pattern(
             r"^(?:i|we|i'd|i’d|we'd|i'm|i’m|we're|i am|we are)(?: really| also| finally| still| currently|"
             r" both| slowly)* ?(?:want to|aim to|hope to|plan to|would like to|like to|love to|hoping "
             r"to|aiming to|planning to|trying to|determined to|intend to|wanna|dream of|would love to)"
             rf" (?P<value>(?:finally |really )?(?:{_LASTING_AIM}\b.{{2,300}}|.{{4,200}}\b{_HORIZON}\b.{{0,100}})"
             r")"), _aim),
    Rule("one_day_ill", "goals", "day someday happy glad trying hoping target year", pattern(
        r"^(?:(?:one|some) ?day,? (?:i|we)(?:'ll|’ll| will)|i(?:'d|’d| would) be (?:so |very )?(?:happy|"
        r"glad|proud|thrilled) if (?:i|we) could|(?:i'm|i’m|i am|we're|we are) (?:trying|hoping) to get(?= "
        r".{2,60} (?:below|under|above|over|down to|up to|to \d))|the plan for (?:this|next) (?:year|summer|"
        r"season|quarter):) (?P<value>.{4,300})"), _aim),
    Rule("goal_towards", "goals",
        "training saving working aiming shooting studying preparing learning building trying mission",
         pattern(
             r"^(?:i'm|i’m|i am|we're|we are|i've been|we've been)(?: \w+)? (?P<value>(?:learning (?:to "
             r"(?:play|sail|swim|drive|knit|draw|code|ski|surf)|(?:the )?(?:guitar|piano|violin|cello|"
             r"drums|sign language)|(?-i:[A-Z][a-z]+(?:ian|ish|ese|man|nch|ic|an|ch|in|ek|di))\b)|training "
             r"for|saving (?:up )?(?:for|to)|working (?:towards?|on becoming|my way)|aiming (?:for|at)"
             r"|shooting for|studying for|preparing for (?:the|my|a|an) (?:\w+ ){0,3}?(?:exam|marathon|"
             r"certification|bar|race|triathlon|championship|audition)|building up to|on a mission to|"
             r"trying to (?:learn|lose|save|quit|cut|become|run|read|get better))(?:$| .{3,200}))"), _aim),
    Rule("my_aim", "goals", "aim goal target", pattern(
        r"\b(?:my|our) (?:aim|goal|target) (?:is|being|:) (?P<value>.{4,200})"), _aim),
    Rule("aspires", "goals",
        "hope aim want plan intend aspire dream love like determined set committed vowed pledged promised mission "
        "resolved myself hoping aiming planning working pushing shooting striving gunning chasing see picture "
        "sworn keen",
         pattern(
             rf"^(?:[^,]{{0,40}}\b{_HORIZON}\b[^,]{{0,30}}?,? |as an? [\w ]{{2,30}},? ?)?(?:and |so )?(?:i|we|i'd|"
             rf"i’d|we'd|"
             r"i'm|i’m|we're|we’re|i've|i’ve|we've|we’ve|the (?:team|company|department|family|club|board))(?: am|"
             r" are| have| has| would)?"
             r"(?: (?:really|also|finally|still|currently|both|slowly|all|very much|absolutely|just|only|always|"
             r"now|secretly))* "
             r"?(?:hop(?:e|ing) (?:to|for)|aim(?:ing)? (?:to|for|at)|want(?:ed)? (?:to|us to)|plan(?:ning)? (?:to|on)|"
             r"intend(?:ing)? to|aspir(?:e|ing) to|dream(?:ing)? (?:of|about)|(?:would )?(?:love|like) to|"
             r"determined to|"
             r"(?:set (?:myself|ourselves) .{0,40}?(?:of|to|:))|commit(?:ted)? to|vow(?:ed)? to|pledged to|sworn "
             r"to(?! secrecy)|resolved to|"
             r"on a mission to|working (?:up )?(?:towards?|on becoming)|pushing (?:to|for|towards?)|shooting for|"
             r"striving (?:to|for)|"
             r"gunning for|chasing|(?:see|picture) (?:myself|ourselves)|keen to) (?P<value>.{4,300})"), _aspired),
    Rule("wants_by", "goals", "want wanna hoping aiming planning plan", pattern(
        rf"^(?:want to|wanna|hoping to|aiming to|planning to|plan is to|(?:the|my|our) plan is to) "
        rf"(?P<value>.{{4,200}}\b{_HORIZON}\b.{{0,100}})"), _aim),
    Rule("towards", "goals",
        "training saving working building studying preparing practising practicing towards toward trying wean wants",
         pattern(
             r"^(?:(?:i'm|i’m|i am|we're|we’re|we are|i've been|we've been|been|currently|still) "
             r")*(?P<value>(?:training|saving(?: "
             r"up)?|working(?: my way| our way)?(?: up)?|building(?: up)?|studying|preparing|practi[sc]ing) "
             r"(?:towards?|for|to) "
             r"(?:a|an|my|our|the|becom\w+|be\b|get\w*|buy|run)\b.{3,200}|trying to (?:wean|quit|stop (?:smok|"
             r"drink|eat|"
             r"vap|buy|spend|bit)|cut (?:down|out|back|my|our)|give up|kick|lose|learn|become|save|pay off|read|"
             r"run|get "
             r"(?:off|fit|into|better|stronger|under|below|my .{2,30} (?:under|below|down|up))|reach|qualify|"
             r"build|break "
             r"(?:into|\d)|master|improve my|grow)\b.{3,200})"), _aimed_at),
    Rule("after_what", "goals", "after aiming trying want working hoping", pattern(
        r"^(?:what|all|where) (?:i'm|i’m|i am|we're|we’re|we are|i|we)(?: \w+)? (?:after|aiming (?:for|at)|trying "
        r"to (?:do|"
        r"achieve|get to|reach)|want|working towards?|hoping for|heading)\b.{0,60}? (?:is|are|:) "
        r"(?P<value>.{4,300})"), _aim),
    Rule("so_many_of", "goals", "set aim aimed planned plan goal target promised want wanted", pattern(
        r"^.{0,60}?\b(?P<value>\d+ (?:out )?of (?:the |my |our )?\d+ .{2,40}? (?:i|we)(?:'ve|’ve|'d| have| had)? "
        r"(?:set out|"
        r"aim(?:ed)?|plan(?:ned)?|want(?:ed)?|promised \w+|set (?:myself|ourselves|as))\b.{0,100})"), _aim),
)  # fmt: skip
