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
    r"podcast|episode|course|map|photo|sheet|draft)"
)
GAP = r"(?:[\w'.-]+ ){0,3}?"
TYPES = (
    (
        "preferences",
        tell(
            r"\bprefer(?:s|red|ences?)?\b|\bmy (?:usual|favou?rite|taste)|\bdo i (?:\w+ )?(?:like|take|want|"
            r"hate)\b|\bi (?:usually|always|like|prefer)\b.*\?|\bhouse style\b",
            "prefer prefers preferred preference preferences usual favourite favorite taste like take want "
            "hate usually always house",
        ),
    ),
    (
        "decisions",
        tell(
            r"\bdeci(?:de|ded|ding|sions?)\b|\b(?:did|do|have) we (?:\w+ )?(?:agree|settle|choose|chosen|pick|"
            r"go with|end up)|\bsettled on\b|\bwe'd go with\b|\bwe agreed\b|\bagreed on\b",
            "decide decided deciding decision decisions agree settle choose chosen pick go end settled we'd agreed",
        ),
    ),
    (
        "tasks",
        tell(
            r"\b(?:tasks?|to-?dos?|todo list|action items?|open items|outstanding|chores|on my (?:list|plate)|"
            r"left to do|still (?:have|need) to do|unfinished|deadlines?)\b",
            "task tasks to todo todos action open outstanding chores list plate left still unfinished "
            "deadline deadlines",
        ),
    ),
    (
        "goals",
        tell(
            r"\b(?:goals?|resolutions?|targets?|aiming for|ambitions?|objectives?|okrs?)\b",
            "goal goals resolution resolutions target targets aiming ambition ambitions objective objectives okr okrs",
        ),
    ),
    (
        "events",
        tell(
            r"\bwhat happened\b|\bmilestones?\b|\boutages?\b|\bwhen did (?:we|i) (?:ship|launch|release|deploy)|"
            r"\bincidents?\b",
            "happened milestone milestones outage outages ship launch release deploy incident incidents",
        ),
    ),
    (
        "entities",
        tell(
            r"\bwho (?:is|was|were|'s|did|are)\b|\bwho's\b|\bname of\b|\bwhat(?:'s| is| was) (?:his|her|their|"
            r"my \w+'s) name\b|\bwhich (?:person|people|company)\b|\bpeople i met\b",
            "who who's name person people company",
        ),
    ),
    (
        "knowledge",
        tell(
            r"\b(?:what|have) (?:have )?i (?:ever )?learn(?:ed|t)\b|\bi've (?:told you|learn(?:ed|t)) about\b|"
            r"\bwhat do i know about\b|\blessons?\b(?! plan)",
            "learned learnt know lesson lessons told",
        ),
    ),
    (
        "profile",
        tell(
            r"\bmy (?:blood type|age|birthday|height|weight|address|job|employer|allerg\w+|phone|email|shoe size|"
            r"diagnosis|name)\b|\bblood type\b|\b(?:i live|i work|my shoe|allergic)\b|\b(?:am|was) i (?:born|"
            r"allergic)|\bwhere do i (?:live|work)",
            "blood age birthday height weight address job employer allergy allergies phone email shoe "
            "diagnosis name live work allergic born",
        ),
    ),
)
