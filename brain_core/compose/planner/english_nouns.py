"""English: what documents, things given before and sorts of memory are called."""

from __future__ import annotations

from brain_core.compose.planner.tells import tell

DOC = (
    r"(?:docs?|documents?|documentation|manuals?|handbooks?|readme|specs?|specifications?|rfcs?|papers?|"
    r"articles?|pdfs?|"
    r"repos?|repository|repositories|codebase|changelog|wiki|web ?pages?|websites?|pages?|blog ?posts?|"
    r"links?|urls?|files?(?! (?:numbers?|no|sizes?)\b)|attachments?|"
    r"spreadsheets?|slides|slide deck|deck|transcripts?|reports?|contract|lease|policy document|"
    r"guidelines|whitepaper|data ?sheet|"
    r"tutorial|leaflet|brochure|syllabus|textbook|dataset|source code|terms and conditions|release notes|"
    r"preprint|playbook|runbook|"
    r"warranty|datasheet|faq|api reference|standard|regulations?|minutes|pamphlet|prospectus)"
)
THING = (
    rf"(?:{DOC}|project|library|package|plugin|framework|site|video|forum|threads?|posts?|guide|study|"
    r"chapter|notebook|recipe|ticket|issue|app|tool|review|listing|form|statement|essay|story|talk|"
    r"podcast|episode|course|map|photo|sheet|draft|letter|e-?mail|proposal|quote|invoice)"
)
_PERSON = (
    r"(?:person|people|friends?|mates?|colleagues?|candidates?|pupils?|students?|clients?|customers?|cousins?|aunts?|"
    r"uncles?|nieces?|nephews?|teachers?|tutors?|doctors?|dentists?|nurses?|managers?|guests?|tenants?|members?|kids|"
    r"children|girls?|boys?|women|woman|man|men|guys?|lad|volunteers?|bloke|patients?|applicants?|players?)"
)
_EXPERT = (
    r"(?:vet|doctor|dr|gp|consultant|nurse|midwife|physio\w*|dentist|surgeon|pharmacist|therapist|dietitian|dietician|"
    r"solicitor|lawyer|accountant|specialist|optician|paediatrician|pediatrician)"
)
_OCCASION = (
    r"(?:concert|wedding|appointment|exam|surgery|operation|check-?up|graduation|funeral|vaccinations?|jabs?|tetanus|"
    r"interview|christening|recital|prom|sports day|parents' evening|birthday party|scan)"
)
_KIN = (
    r"(?:(?:mother|father|sister|brother)[ -]in[ -]law|mum|mom|mam|dad|gran|nan|grandma|grandad|grandpa|wife|husband|"
    r"partner|"
    r"son|daughter|sister|brother|aunt|uncle|cousin|niece|nephew|vet|dentist|doctor|landlord|landlady|plumber|"
    r"electrician|"
    r"builder|cleaner|childminder|babysitter|neighbour|neighbor|boss|manager|solicitor|accountant|boiler man|"
    r"window cleaner)"
)
_CONTACT = r"(?:birthday|phone number|number|address|e-?mail(?: address)?|surname|shoe size|dress size|allerg\w+)"
GAP = r"(?:[\w'.-]+ ){0,3}?"
TYPES = (
    (
        "preferences",
        tell(
            r"\b(?:i|i do) (?:can't|cannot|can not) (?:stand|bear|abide)(?=\W*$|\?)|\bdo i (?:never|usually|normally|"
            r"always)\b|"
            r"\bprefer(?:s|red|ences?)?\b|\bmy (?:usual|favou?rite|taste)|\bdo i (?:\w+ )?(?:like|take|want|"
            r"hate)\b|\bi (?:usually|always|like(?! about\b)|prefer)\b.*\?|\bhouse style\b|"
            r"\bthe usual(?=\W*(?:[,.]|but\b|$))",
            "stand bear abide prefer prefers preferred preference preferences usual favourite favorite taste like "
            "take want hate never "
            "normally usually always house",
        ),
    ),
    (
        "decisions",
        tell(
            r"\b(?:did|do|have) we (?:\w+ )?(?:go|opt) for\b|\bma[dk]e up (?:my|our) minds?\b|\bthe outcome of\b|"
            r"\bdeci(?:de|ded|ding|sions?)\b|\b(?:did|do|have) we (?:\w+ )?(?:agree|settle|choose|chosen|pick|"
            r"go with|end up(?! (?:having|eating|staying|seeing|meeting|watching)\b))|\bwe(?:'ve)? settled\b|"
            r"\bsettled on\b|\bfinally agreed\b|\bwe'd go with\b|\bwe agreed\b|\bagreed on\b",
            "mind minds outcome opt decide decided deciding decision decisions agree settle choose chosen pick go end "
            "settled we'd agreed",
        ),
    ),
    (
        "tasks",
        tell(
            r"\b(?:anything|what|things?|something) (?:else )?(?:that )?i(?:'ve| have)? (?:promised|said i'd|"
            r"told [\w ]{1,16} i'd)\b"
            r"[^.?!]{0,40}\b(?:haven't|not|yet|still)\b|\bstill (?:have|need|got) to do\b|"
            r"\b(?:supposed|meant) to (?:do|hand in|finish|send|submit|deliver)\b|\bstill open\b|"
            r"\b(?:tasks?|to-?dos?|to-?do list|to do lists?|hanging over me|action items?|open items|outstanding|"
            r"chores|on my (?:list|plate)|left to do|still (?:have|need) to do|unfinished(?=[^.,]*\?|\W*$| tasks|"
            r" things)|deadlines?(?! (?:did|"
            r"have) i (?:give|given|set) myself))\b",
            "promised said told still supposed meant task tasks to todo todos hanging action open outstanding "
            "chores list plate left still "
            "unfinished deadline deadlines",
        ),
    ),
    (
        "goals",
        tell(
            r"\b(?:did|do) i (?:want|hope|plan|mean|aim) to have \w+ed\b|"
            r"\b(?:did|do|had) i (?:want|plan|hope|intend|mean) to (?:achieve|reach|lose|save|finish|read|run|"
            r"learn|hit)\b|"
            r"\b(?:goals?|resolutions?|targets?|aim(?:ing|ed)? (?:for|to)|(?:give|given|gave|set) myself|"
            r"ambitions?|objectives?|okrs?)\b",
            "want plan hope intend mean goal goals resolution resolutions target targets aim aiming aimed myself "
            "ambition ambitions objective objectives okr okrs",
        ),
    ),
    (
        "events",
        tell(
            r"\bwhat'?s (?:also |else )?on (?:for )?(?:today|tonight|tomorrow|this|next|on|my|our|at|over) ?(?:week|"
            r"month|weekend|morning|"
            r"afternoon|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday|calendar|"
            r"the weekend)?\b(?! ?(?:plate|list|"
            r"mind|to[- ]?do))|\bwhat (?:have|do) (?:i|we) (?:got|have) on (?:for )?(?:today|tonight|tomorrow|this|"
            r"next|on|at)\b|"
            r"\b(?:when|what (?:date|day)) (?:was|is|were) (?:my|our|the|[\w']+'s) (?:last|next)\b|"
            r"\bwhat (?:date|day) did\b|\bwhen did (?:we|i) (?:move (?:house|in|here)|get married|graduate)\b|"
            r"\bwhat (?:\w+ )?happened\b|\bwhat (?:\w+ ){0,4}?(?:went|gone) wrong\b|"
            rf"\bwhen(?:'s|s| is| was| did) (?:[\w']+ ){{1,4}}?{_OCCASION}\b|"
            r"\bmilestones?\b|\boutages?\b|\bwhen did (?:we|i) (?:ship|launch|release|deploy)|"
            r"\bincidents?(?! (?:channel|response|number))\b",
            "what's whats on date day happened wrong when when's whens milestone milestones outage outages ship "
            "launch release deploy move "
            "married graduate incident incidents",
        ),
    ),
    (
        "entities",
        tell(
            r"\bwho (?:is|was|were|'s|did|are|all)\b|\bwho's\b|\bname of\b|\bwhat(?:'s| is| was) (?:his|her|their|"
            r"my \w+'s) name\b|\bwhich (?:company|"
            rf"{_PERSON}|of (?:my|our|the|those|these) (?:[\w'-]+ )?{_PERSON})\b|\bpeople i met\b|"
            rf"\b(?:my|our|the) {_KIN}(?:'?s|s') (?:\w+ )?{_CONTACT}\b|\b(?:what(?:'s|s| is| was)|when(?:'s|s|"
            rf" is)) (?:\w+'s) "
            r"(?:birthday|phone number|number|address|surname|shoe size)\b|"
            r"(?:^\W*|[.,;:?!]\s*|\b(?:and|so|ok|me|know|remember|forgot|forget)\s+)whom?\b(?! (?:knew|cares)\b)|"
            r"\b(?:last|first|full|maiden) name\b|\bsurname\b|"
            r"\bwhat(?:'s|s| is| was| were)? (?:he|she|it|they|that [\w ]{1,20}?|the [\w ]{1,20}?) called\b",
            "birthday number address email e-mail size allergy allergies allergic who whom who's name surname which "
            "company people called",
        ),
    ),
    (
        "knowledge",
        tell(
            r"\bwhat (?:tips?|advice)\b|\bwhat did i learn\b|"
            r"\b(?:what|have) (?:have )?i (?:ever )?learn(?:ed|t)\b|\bi've (?:told you|learn(?:ed|t)) about\b|"
            r"\bwhat do i know about\b|\broot cause\b|\btaught you\b|\bhow did i say (?:you|to|one)\b|"
            rf"\bwhat (?:did|has|had) (?:the|my|our|his|her|\w+'s) {_EXPERT} (?:say|said|tell|told|advise|"
            rf"recommend|suggest)|"
            rf"\b{_EXPERT} (?:says|said|told|tells|forbids|forbade|advises|advised|recommends|recommended)\b|"
            r"\blessons?\b(?! plan)",
            "",
        ),
    ),
    (
        "profile",
        tell(
            r"\bhow (?:old|tall|heavy) am i\b|"
            r"\bmy (?:blood type|age|birthday|height|weight|address|job|employer|allerg\w+|phone|email|shoe size|"
            r"diagnosis|name|(?:\w+ ){0,2}?(?:tax|insurance|passport|licen[cs]e|membership|employee|staff|nhs|"
            r"social security) (?:\w+ )?(?:number|id))\b|\bblood (?:type|group)\b|\b(?:i live|i work|my shoe|"
            r"allergic)\b|"
            r"\b(?:am|was) i (?:born|allergic)|\bwhere do i (?:live|work)",
            "old tall heavy blood number id age birthday height weight address job employer allergy allergies phone "
            "email shoe diagnosis name live work allergic born",
        ),
    ),
)
