"""English: what the form of a message settles, whatever its words are about."""

from __future__ import annotations

from brain_core.compose.planner.tells import Sign, tell

_FIRST = (
    r"^\W*(?:(?:ok(?:ay)?|oh|ah|so|also|btw|by the way|hi|hiya|hey|hello|ps|good (?:morning|evening|afternoon)|sorry|"
    r"quick (?:one|question)|and|just|actually|hmm+|right|silly question|stupid question|random|but|anyway)\b\W*){0,3}"
)
_WANTS = tell(
    r"\?|\b(?:(?:can|could|would|will|should) (?:you|u|we|i)|please|pls|plz|help|need you to|want you to|"
    r"what|why|how|who|whose|which|whether|any (?:ideas?|tips|thoughts))\b|"
    r"[.;:,!\n—-]\s*(?:(?:so|then|and|now|just|ok|okay) )*(?:do|make|add|put|change|update|fix|move|write|draft|find|"
    r"look|check|remind|tell|give|show|list|use|set|replace|swap|send|cancel|book|summari[sz]e|rewrite|remove|delete|"
    r"keep|try|leave|go|start|continue|finish|get|adjust|rename|translate)\b"
)
_ELSEWHERE = tell(
    r"\b(?:sources?|cite|citations?|references|papers?|stud(?:y|ies)|evidence|articles?|compare|links?|keeps?|error|"
    r"errors|crash\w*|fail\w*|broken|wrong|why|summari[sz]e|summary|rewrite|translate|write|draft)\b"
)
_OF = (
    r"(?:range|levels?|values?|rates?|dos(?:e|es|age)|temperatures?|temp|sizes?|limits?|amounts?|length|weight|prices?|"
    r"pressure|port|timeout|speed|height|width|age|ratio|volume|depth|thickness)"
)

SURE = (
    Sign(
        "other",
        (
            tell(
                rf"{_FIRST}(?:fyi|(?:just )?so (?:you|u) know|for (?:the|your) (?:record|info(?:rmation)?)|heads[- ]up|"
                r"(?:just )?(?:letting|to let) (?:you|u) know|i(?:'m| am) (?:just )?(?:letting you know|telling you)|"
                r"(?:just )?(?:thought|figured) (?:you should know|i'd (?:let you know|tell you))|"
                r"(?:i )?(?:just )?want(?:ed)? (?:you to know|to (?:tell you|let you know)))\b(?! (?:if|when|where))"
            ),
        ),
        unless=_WANTS,
    ),
    Sign(
        "other",
        (tell(r"^\W*(?:my|our|his|her|their) new [\w' ]{1,40}?\b(?:is|are|will be) (?!not\b|\w+ing\b)"),),
        unless=tell(rf"{_WANTS.pattern.pattern}|\b(?:won't|doesn't|isn't|can't|but|too|keeps|only|never)\b"),
    ),
    Sign(
        "other",
        (
            tell(
                rf"{_FIRST}(?:nvm|never ?mind|wrong (?:window|chat|thread|person)|ignore (?:that|me))\b(?! (?:what|"
                rf"the)\b)"
            ),
        ),
        unless=_WANTS,
    ),
    Sign(
        "other",
        (
            tell(
                r"^\W*(?:(?:hi+|hey+|hello|hiya|yo|morning|evening|afternoon|good (?:morning|evening|afternoon|night)|"
                r"bye|goodbye|night|there|again|all|you|everyone|dear|mate|folks)\b\W*){1,4}$"
            ),
        ),
    ),
    Sign(
        "qa",
        (
            tell(
                rf"{_FIRST}(?:(?:what(?:'s| is|s)|tell me|remind me(?: of)?) )?(?:the )?(?:difference between|"
                r"(?:meaning|definition|opposite|etymology|plural) of|(?:normal|typical|average|usual|recommended|safe|"
                rf"healthy|maximum|minimum|max|min|default|ideal|standard) (?:[\w'-]+ ){{0,4}}?{_OF})\b"
            ),
        ),
        unless=_ELSEWHERE,
    ),
    Sign(
        "qa",
        (
            tell(
                rf"{_FIRST}(?:(?:what(?:'s| is|s)|how much is|work out) )?(?:[£$€]?\d[\d.,]* ?(?:%|percent|per cent) "
                r"(?:of|off) |[£$€]?\d[\d.,]* ?(?:\+|\*|/|x|×|plus|minus|times|divided by) ?[£$€]?\d[\d.,]*\W*(?:=|"
                r"\?|$))"
            ),
        ),
        unless=_ELSEWHERE,
    ),
    Sign(
        "qa",
        (
            tell(
                r"\b(?:i(?:'m| am| was)? wonder(?:ing)? (?:whether|if) you (?:could|can|might)|"
                r"(?:can|could|would|might) you(?: please| kindly)?) (?:tell|remind) me (?:again )?"
                r"(?:who|whose|which|when|where|how (?:many|much|long|old|far|often))\b"
            ),
        ),
        unless=_ELSEWHERE,
    ),
    Sign(
        "summarize",
        (
            tell(
                r"\bwhere (?:are we|have we (?:got|landed)|did we get|are things) (?:with|on|at|to)\b|"
                r"\bwhere (?:do|did) (?:we|things) (?:all )?stand\b|\bhow far (?:have|did) we (?:got|get|come)\b"
            ),
        ),
    ),
    Sign(
        "debug",
        (
            tell(
                r"\bwhat (?:am|are) (?:i|we) (?:\w+ )?(?:missing|doing wrong|overlooking)\b|"
                r"\bwhat (?:did|have) (?:i|we) (?:\w+ )?(?:do wrong|done wrong|break|broken|mess(?:ed)? up|"
                r"screw(?:ed)? up)\b"
            ),
        ),
    ),
)
