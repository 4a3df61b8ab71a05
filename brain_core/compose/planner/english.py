"""English: the words that tell what a message asks for."""

from __future__ import annotations

import re

from brain_core.compose.planner.english_nouns import DOC, GAP, THING, TYPES
from brain_core.compose.planner.english_periods import periods
from brain_core.compose.planner.tells import Sign, Tells, tell

_WORD = re.compile(r"[a-z']+")
_OPENS = (
    r"(?:^|[.!?;:,\n—-]\s*|\b(?:ok|okay|right|please|pls|plz|now|then|so|and|but|just|also|well|"
    r"(?:can|could|would|will) (?:you|u|we)|let's|lets|let us|help me|i'd like (?:you )?to|i need you to|"
    r"i want you to)\s+)"
)
_RECALLS = tell(
    r"\b(?:did|have|had) (?:i|we) (?:\w+ )?(?:say|said|tell|told|mention(?:ed)?|ask(?:ed)?|note[d]?|"
    r"log(?:ged)?|agree[d]?|decide[d]?|talk(?:ed)?|discuss(?:ed)?)|"
    r"\b(?:i|we) (?:\w+ )?(?:told you|said|mentioned|talked about|agreed|noted|logged|decided|"
    r"discussed)\b|\byou (?:\w+ )?(?:told me|suggested|recommended|said)\b"
)

_SUMMARY = tell(
    r"\b(?:summari[sz]e|summari[sz]ing|summary|tl;?dr|recap|gist|sum (?:it |that |this |them )?up|"
    r"summing up|boil(?:ed|ing)? .{0,60}down|condense|"
    r"digest of|round-?up|overview of|run-?down|key points|main points|main takeaways|key takeaways|"
    r"takeaways|highlights|"
    r"in a nutshell|the short version|bullet points? (?:of|from|on)|bullet-point version|cliff'?s? ?notes|"
    r"(?:give me|what's|what is|tell me|explain|get me) [^.?!\n]{0,80}in (?:one|two|three|four|five|a few|"
    r"a couple of|\d+) (?:short )?(?:sentences?|lines|bullets?|bullet points|paragraphs?|words)|"
    r"distil[l]?|synopsis|abstract of|catch me up|bring me up to speed|fill me in on|what did i miss|"
    r"walk me (?:back )?through)\b"
)
_CITES = tell(
    r"\b(?:cite[ds]?|citing|citations?|(?:with|list|give|give me|name|and|your|any|good|decent|reliable|"
    r"primary|official|credible) (?:\w+ )?(?:sources|references)|"
    r"links? (?:please|pls|too|to (?:the )?(?:sources?|studies|papers))|sources? (?:please|pls)|"
    r"with links|read up on|research|investigate|google|"
    r"do (?:some|a bit of|a little) (?:digging|reading)|dig up|search (?:for|online|the (?:web|internet|"
    r"literature|docs))|"
    r"find (?:me |us |out )?(?:some |any |a few |a couple of |\w+ )?(?:\w+ )?(?:sources|papers?|stud(?:y|"
    r"ies)|articles?|evidence|literature|references|research|documentation|tutorials?|statistics|data on)|"
    r"find (?:me )?the (?:studies|papers|research|sources|original)|compar(?:e|ing|ison)|versus|vs\.?|"
    r"pros and cons|trade-?offs? (?:of|between)|"
    r"what (?:does|do) the (?:literature|research|evidence|science|studies|experts)|state of the art|"
    r"learn (?:more |a bit )?about|tell me (?:more )?about|background on|deep dive|"
    r"the latest (?:on|research|evidence|guidance)|alternatives to|what's out there|survey of|literature|"
    r"peer-reviewed|shortlist)\b"
)
_LOOKS = tell(
    r"\b(?:look(?:ing)? up|look into|look for|find (?:me )?(?:some|a|out)|differences? between|"
    r"options for|best \w+ for|what's the best|is there (?:any )?(?:evidence|research|data))\b"
)
_BROKEN = tell(
    r"\b(?:crash(?:ed|es|ing)|segfault\w*|traceback|stack ?trace|\w+(?:error|exception|backoff)|throws|"
    r"not working|doesn't work|stopped working|"
    r"won't (?:start|boot|load|open|compile|build|connect|turn on|charge|sync|print|install|run))\b"
)
_FAULT = tell(
    r"\b(?:errors?|exceptions?|complains?|(?<!i )fail(?:s|ed|ing|ures?)?|stuck|hangs?|hanging|freez(?:es|"
    r"ing)|froze|dies|dying|blow(?:s|ing)? up|stall(?:s|ed|ing)|refus(?:es|ing|ed)|"
    r"not (?:responding|loading|starting|showing|syncing|charging|printing|connecting)|(?:can't|cannot|"
    r"can not|unable to) (?:connect|open|log|reach|install|load|import|build|compile)|"
    r"keeps? (?:\w+ )?\w+ing|time(?:s|d)? ?-?out|leak(?:s|ing|ed|y)?|throwing|bugs?|buggy|debug|"
    r"troubleshoot|diagnose|glitch\w*|alert fired|tripping|flicker\w*|rattl\w*|"
    r"overheat\w*|squeal\w*|corrupt\w*|5\d\d|40[0-9]|oom|deadlock\w*|flaky|regress(?:ed|ion)|"
    r"shows? [a-z]+-?\d+|code [a-z]?\d+|went wrong|goes wrong|jammed|blinks?|blinking|"
    r"(?:exit|status|error) code|crash|unresponsive|garbled|broken|misfires?|grinding|cuts out|drops out)\b"
)
_WEAK = tell(
    r"\b(?:won't|doesn't|isn't|aren't|didn't|wont|doesnt|breaks?|broke|fires?|drops?|dropped|missing|"
    r"duplicate[ds]?|slow(?:er|s|ed)?|stopped|stops|double|red|wrong|sticks|jams?|"
    r"smells?|sagging|wilting|yellow|brown|black|blank|undefined|null|nan|conflicts?|denied|mismatch|"
    r"beeps?|beeping|empty|off|weird|odd|noise|lost|dead|died|collapsed|sank|curdled|split|bland|"
    r"different|again)\b"
)
_CAUSE = tell(
    r"\b(?:why|cause[ds]?|causing|explains?|reason|fix|fixes|what's (?:wrong|up|happening|going on)|"
    r"what (?:is|am i) (?:wrong|going on|doing wrong)|how come|"
    r"figure out|track down|to blame|culprit|debug|diagnose|troubleshoot|solve|what gives|any (?:idea|"
    r"clue|thoughts)|what (?:could|might) (?:it|that|be|cause)|what changed|how (?:do|can|should) (?:i|"
    r"we) (?:fix|stop|solve|sort|get)|"
    r"at fault|responsible|going wrong|went wrong|what happened)\b"
)
_ASKED = tell(
    rf"(?:{_CAUSE.pattern.pattern}|\?|\b(?:what|which|did the|is there|how do|how can|help|where|could|"
    r"does it|is it)\b)"
)
_CONTINUE = tell(
    rf"{_OPENS}(?:continue|carry on|carrying on|go on|go ahead|keep going|keep (?:at|on|it|the)|resume|"
    r"pick (?:it )?(?:back )?up|redo|rewrite|reword|rephrase|re-?draft|re-?do|rework|redraw|"
    r"proceed|try again|do the (?:same|rest|next)|same (?:again|but|thing)|let's (?:do|go|get|move|pick|"
    r"continue|finish|try|use|switch|keep)|another (?:one|version|go)|one more|give me another|back to|"
    r"next (?:up|step|section|chapter|paragraph|question|one)|tighten|shorten|lengthen|refactor|undo|"
    r"revert|reschedule|remind me|"
    r"(?:finish|complete|wrap|draft|write|make|add|remove|drop|cut|delete|change|swap|replace|rename|"
    r"expand|extend|trim|polish|clean|fix|edit|update|revise|adjust|tweak|move|merge|split|"
    r"translate|convert|turn|format|insert|put|bump|mark|set|apply|implement|port|build|create|generate|"
    r"schedule|book|send|push|start|plan|prepare|design|use|include|reorder|sort|fill|tick|"
    r"cross|archive|draw|colou?r|take|strip|indent|number|run|test|deploy|let|save|store|note|leave|lose|"
    r"switch|soften|tone|simplify|give|pull|highlight|bold|double|halve|scale|round)"
    r"\s+(?:the|that|this|those|these|it|them|my|our|your|a|an|in|on|out|up|off|down|another|all|every|"
    r"each|both|some|more|less|two|three|\d|me|him|her|everything|only|section|step|line|part))\b"
    r"|^\W*(?:(?:ok|okay|now|please|so|and|then)\W+)*(?:add|make|write|remove|delete|draft|translate|"
    r"create|rename|finish|book|schedule|prepare|generate|build|plan|convert|change|use|put|cancel|insert|"
    r"design|compose|print|update)\s+(?!sense)\w"
    r"|\bplease (?!tell|explain|remind|look|find|check|show|quote|list|give|don't|help|let me know|say|do tell)\w+"
    rf"|\bwhere (?:were we|did we leave|we left)|\bwhat's next\b|\bnext steps?\b|\bpick(?:ing)? up where\b|"
    r"\b(?:can|could|would|will) you (?:please |just |also |now )?(?!tell|remind|explain|remember|recall|"
    r"check|find|confirm|look|show|see|believe|quote|list|give|say|name|help|imagine|feel|hear|sleep|"
    r"do this|be)\w+"
)
_AUX = r"(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|am)"
_WH = r"(?:what|who|whose|when|where|which|how|why|whats|whos)"
_ASKS = tell(
    r"\?|(?:^|[.!;:,\n—-]\s*|\ufffc[\s,]+|\b(?:and|so|but|ok|okay|also|then|hey|well|again|now|btw|please|"
    r"me|us|know|remember|forgot|forget|wonder|wondering|sure|see|check|out|at|for|from|by|with|to)\s+)"
    rf"{_WH}(?:'s|'d|'re)?\b(?! (?:an?|lovely|nice|sweet|cute|funny|ever)\b)|"
    rf"\b{_WH}\s+(?:\w+\s+){{0,2}}{_AUX}\s+(?:i|we|you|he|she|they|it|the|my|our|that|this|there)\b|"
    rf"(?:^|[.!;,]\s*|\b(?:and|so|ok|but)\s+){_AUX}\s+(?:i|we|you|he|she|they|it|the|my|our|that|this|"
    r"there|any|anyone|someone)\b|"
    r"\b(?:remind me (?:what|who|when|where|which|how|of)|tell me|show me|give me (?:the|my|all)|"
    r"check (?:if|whether|what|my|the)|find (?:the|my|what|where|out))\b|"
    r"(?:^|[.!;:,]\s*|\band\s+|\bplease\s+)(?:list|quote|name|recite)\b|\b(?:look (?:at|in|through|up)|"
    r"remember (?:what|who|when|the)|i forgot|can't remember|i wonder|explain|describe|any idea)\b"
)
_CHAT = tell(
    r"^\W*(?:(?:ha){2,}|lol|lmao|thanks|thank you|thx|ta|cheers|hi|hiya|hey|hello|good (?:morning|night|"
    r"evening|afternoon)|morning|"
    r"bye|goodbye|see (?:you|ya)|night|ttyl|brb|wow|phew|ugh|yay|congrats|happy|merry|nice|great|cool|"
    r"awesome|perfect|brilliant|sounds good|"
    r"no worries|never ?mind|you're|sorry|ok|okay|yep|yes|yeah|nope|no|got it|will do|much appreciated|"
    r"love it|amazing|lovely|oh|aw+|omg|fair enough|that's|well)\b(?:[^?]*)$|"
    r"^\W*(?:no way|really|seriously|oh really|good (?:morning|afternoon|evening)|hi|hey|hello|"
    r"morning)\b\W*(?:\w+\W*){0,3}\?+\W*$|"
    r"\bhave a (?:good|great|nice|lovely|safe)\b|"
    r"\b(?:bye|goodbye|see you|good night|talk (?:later|soon)|how are you|how's it going|"
    r"what's up with you|guess what|you know what|who knew|"
    r"isn't it|aren't they|don't you (?:love|hate)|can you believe|right\?|do you (?:ever )?(?:sleep|"
    r"dream|get (?:bored|tired))|are you (?:ok|real|there|a (?:robot|human)))\b[^?]*\??$"
)
_GENERIC = tell(
    r"(?:^|[.!;:]\s*|^[^.?!]{0,60},\s*)(?:ok |okay |now |please |then |right |just )*(?!(?:i|we|he|she|"
    r"they|it|this|that|the|in|on|at|for|with|from|of|by|about|since|after|before|and|but|or|so|if|when|"
    r"as|"
    r"love|loved|hate|got|had|saw|went|caught|just|all|both|even|maybe|also|there|here|like|well|oh|yes|"
    r"no|bless|hope|enjoy|miss|not|because|though|while|until|over|under|during|without|left|made|took|"
    r"met|ate|won|told|gave|"
    r"thank|forgot|found|finally|still|only|was|is|are|were|has|have|did|does|do)\b)(?!\w+(?:ed|ing|ly|"
    r"s)\b)[a-z]+ (?:the|it|them|that|this|those|these|my|our|another|each|both)\b|\bplease\b|"
    r"\bi need (?:a|an|the|to)\b|\bi want (?:a|an|the|to)\b"
)
_ASKED_FOR = tell(r"\?|\b(?:summari[sz]e|cite|find|look up|compare|why)\b")
_EDITS = tell(
    r"^\W*(?:(?:ok|okay|now|please|so|and|then|right|can you|could you)\W+)*(?:continue|carry on|redo|"
    r"rewrite|reword|rephrase|tighten|shorten|lengthen|trim|polish|"
    r"add|remove|drop|cut|delete|swap|replace|rename|expand|extend|update|revise|adjust|tweak|move|"
    r"translate|reformat|fix up|finish|make the|change)\b(?!.*\b(?:sources?|cite|links?) please)"
)
ENGLISH = Tells(
    words=_WORD.findall,
    signs=(
        Sign("continue_task", (_EDITS,), unless=_ASKED_FOR),
        Sign("summarize", (_SUMMARY,)),
        Sign("research", (_CITES,)),
        Sign("debug", (_BROKEN,)),
        Sign("debug", (_FAULT, _ASKED)),
        Sign("debug", (_WEAK, _CAUSE)),
        Sign("research", (_LOOKS,), unless=_RECALLS),
        Sign("continue_task", (_CONTINUE,)),
        Sign("qa", (tell(r"[?？]"),), unless=_CHAT),
        Sign("qa", (_ASKS,), unless=_CHAT),
        Sign("continue_task", (_GENERIC,), unless=_CHAT),
        Sign("debug", (_FAULT,), unless=_CHAT),
    ),
    documents=tell(
        r"\b(?:the|that|this|those|these|my|our|its|their|which|attached|uploaded|official|any|what|your|"
        rf"whose)\s+{GAP}{DOC}\b|"
        r"\b(?:i|we|she|he|they|you) (?:just |already |had )?(?:uploaded|attached|shared|linked|posted|pasted|"
        r"scanned|forwarded|sent you)\b|"
        r"\b(?:uploaded|attached|scanned)\b|\baccording to (?:the|my|our)\b|\b(?:rfc|iso|ieee|din|ansi|bs|en|"
        r"who|nice) ?\d+|\bgdpr\b|\b(?:readme|the docs)\b"
    ),
    manuals=tell(
        r"\b(?:docs|documentation|manuals?|handbook|readme|specs?|repos?|repository|codebase|guidelines|"
        r"style guide|brand guide|uploaded|attached|shared|sent you|scanned|according to)\b"
    ),
    types=TYPES,
    session=tell(
        r"\b(?:in |of |from |during |on )?(?:this|our|the current|today's) (?:conversation|chat|session|"
        r"discussion|dialog(?:ue)?|exchange|thread so far)\b|"
        r"\b(?:earlier|above|so far|just now) (?:in (?:this|our) (?:chat|conversation|session)|here)\b|"
        r"\bwhat we(?:'ve)? (?:just )?(?:covered|discussed|talked about|said|went over)(?: here| so far|"
        r" just now)?(?: so far| here)\b|"
        r"\b(?:we|you|i) (?:were )?just (?:discussed|talked|said|told|mentioned|covered|talking|went over|"
        r"agreed|listed|decided)\b|"
        r"\bi said (?:just now|a minute ago|a moment ago|above|earlier here)\b|\b(?:a minute|a moment|moments|"
        r"minutes) ago\b",
        "conversation chat session discussion dialog dialogue exchange thread far here just above ago",
    ),
    pointer=tell(
        rf"\b(?P<which>that|this|those|these|the)\s+(?P<kind>{GAP}{THING})\b",
        "that this those these the",
    ),
    follows=tell(
        r"^\W*(?:and|or|but|so|what about|how about|also|then|same|why|why not|really|which (?:one|ones|of them))\b|"
        r"\b(?:it|that|this|those|these|them|they|he|she|him|her|former|latter|there|the (?:first|second|"
        r"third|other|last|next) (?:one|ones)?)\b"
    ),
    named_place=tell(
        r"(?i)\b(?:in|inside|within|under)\s+(?:(?:the|my|our)\s+)?(?:(?P<said>repo|repository|file|folder|"
        r"directory|package|module|codebase)\s+)?"
        r"(?P<name>(?:[a-z0-9_~.-]+/)*[a-z0-9][a-z0-9_.-]*[a-z0-9])"
        r"(?P<after>\s+(?:repo|repository|codebase|folder|directory|package)\b)?"
    ),
    periods=periods,
)
