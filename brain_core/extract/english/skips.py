"""Why an English clause is not learned from."""

from __future__ import annotations

from brain_core.extract.english.forgetting import ASKING, ERASE
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import SkipRule

_VERSE = "story|poem|novel|song|scene|screenplay|dialogue|monologue|limerick|haiku|joke|tale|fanfic|skit|sketch"

SKIPS = (
    SkipRule(
        "to_forget",
        "asks to forget, and tells nothing",
        pattern(
            rf"^{ASKING}(?:forget (?:about |that )?(?:my|our|i|we|where|what|everything|anything)\b|"
            rf"{ERASE} .{{3,100}}? (?:from|in|out of) (?:your|the) "
            r"(?:memory|memories|records?|notes|database|storage)\b|"
            r"(?:stop (?:remembering|storing)|(?:don['’]t|do not|i (?:don['’]t|do not) want you to) "
            r"(?:remember|store|know)) (?:my|that i|where i)\b)"
        ),
    ),
    SkipRule(
        "question", "a question, not a statement",
        pattern(
            r"^(?!(?:\w+[, ]+)?(?:can|could|would|will) (?:you|we) (?:please |also |just )*(?:.{0,100}\b(?:alway"
            r"s|never|from now on|"
            r"going forward|in (?:the )?future|by default|every time)\b|(?:remind|add|put|note|call me|"
            r"set (?:me )?a reminder|"
            r"stop (?:using|adding|calling|giving|ending|starting)|mark|tick|move|forget|delete)\b))"
            r"(?:.*\?[\s\"')\]]*$|(?:do|does|did|is|are|am|was|were|can|could|would|will|should|shall|"
            r"have|has|had|may|might|"
            r"isn't|aren't|don't|doesn't|didn't|won't|wouldn't|shouldn't) (?:i|you|we|he|she|it|they|this|"
            r"that|there|(?<!had )(?<!have )(?:my|our|your|the)|anyone|anybody|someone)\b|(?:what|what's|who|"
            r"who's|whose|which|why|how|how's|where|where's|"
            r"when (?:do|does|did|is|"
            r"are|was|were|will|can|should))\b|.*\b(?:i wonder|i'm wondering|wondering (?:if|whether)|"
            r"(?:any|no) idea (?:if|whether|"
            r"what|how)|not sure (?:if|whether|what|how)|do you (?:know|think|remember)|tell me (?:if|"
            r"whether|what|how))\b)"
        ),
        soft=True,
    ),
    SkipRule(
        "hypothetical", "a supposition, not a fact",
        pattern(
            r"^(?!if (?:the|our|my) [\w -]{2,60}, (?:you (?:have to|need to|must|can|should)|just|unplug|"
            r"press|restart|hold|reboot|turn|switch|call|ask|always|never|use|run)\b|i(?:'d|’d| would)"
            r" be (?:so |very )?(?:happy|glad|proud|thrilled) if)(?:if|unless|suppose|supposing|imagine|"
            r"assume|assuming|say|let's say|pretend|what if|in theory|hypothetically|"
            r"in case|were (?:i|we)|had (?:i|we))\b(?! you (?:write|send|give|show|ask|answer|reply|code|"
            r"need|draft|suggest)|"
            r" i (?:ask|send|paste|write))"
        ),
    ),
    SkipRule(
        "hypothetical", "a supposition, not a fact",
        pattern(
            r"^(?!if (?:the|our|my) [\w -]{2,60}, (?:you (?:have to|need to|must|can|should)|just|unplug|"
            r"press|restart|hold|reboot|turn|switch|call|ask|always|never|use|run)\b)(?:if|suppose|supposing|"
            r"imagine|assume|assuming|say|let's say|pretend|what if|hypothetically)\b"
            r"(?! you (?:write|send|give|show|ask|answer|reply|code|need|draft|suggest)| i (?:ask|send|paste|write))|"
            r"\b(?:what if|hypothetically|in theory|thought experiment|thinking out loud|in another life|in a "
            r"parallel|"
            r"if i (?:were|was|had|ever|won)|if we (?:were|had)|would have (?:been|had)|in my dreams?|"
            r"i dreamt|i dreamed|"
            r"daydream)\b"
        ),
        scope="sentence",
    ),
    SkipRule(
        "unsure", "not settled yet",
        pattern(
            r"\b(?:maybe|perhaps|might|possibly|probably not|could be|not sure|i guess|i suppose|thinking (?:of|"
            r"about)|"
            r"considering|tempted|toying with|wonder|who knows|kind of want|half[- ]thinking|or so i (?:heard|think)|"
            r"i(?:'d| would) (?:probably|maybe|say)|leaning (?:towards?|to)|on the fence|undecided|haven't decided|"
            r"not decided|or never|just curious|we could|i could|debating|torn between|rumou?r|supposedly)\b"
        ),
        types="preferences tasks decisions events profile knowledge entities",
    ),
    SkipRule(
        "sarcasm", "not meant as said",
        pattern(
            r"(?:^|\s)/s\b|\bdear (?:airline|universe|life|internet|santa|diary|world|bank)s?\b|\bsaid (?:no ?one|"
            r"nobody)(?: ever)?\b|\bnobody ever said\b|\byeah,? right\b|"
            r"\boh,? (?:great|joy|"
            r"good|wonderful|fantastic|perfect|lovely|brilliant|yay)\b|🙄|\bas if\b(?! (?:it|you))|\bin "
            r"the whole (?:wide )?world\b|"
            r"\b(?:totally|obviously|clearly|absolutely|definitely) (?:want|love|need|enjoy|live|plan|"
            r"my (?:dream|goal|favou?rite))|"
            r"\bbecause who (?:doesn't|needs)\b|\bjust what i (?:needed|always wanted)\b|\bexactly what i needed\b|"
            r"\bwhat could (?:possibly )?go wrong\b|\bmy (?:life )?(?:goal|dream) is (?:obviously|clearly)"
            r"|\bhow (?:lovely|"
            r"wonderful|delightful)\b|^(?:yes|yeah|sure),? (?:sure|right|because|let's|i)\b.{0,80}\b(?:entire|"
            r"all of them|every single|totally|"
            r"forever|meeting about)|\bnothing (?:says|beats|like) .{3,60}(?:than|like|as)\b|\b(?:living|"
            r"live) the dream\b|"
            r"\bcan't wait to (?:spend|sit|redo|do it all)|\b(?:lucky|aren't i) (?:me|lucky)\b|\bjust "
            r"kidding\b|\bjk\b|\bkidding\b|"
            r"\bi (?:just )?(?:love|adore|enjoy) (?:it )?(?:when|how|waiting|being (?:on hold|ignored|"
            r"woken)|working weekends|paying)|"
            r"\b(?:truly|really|simply) (?:the )?(?:highlight|best day|dream come true)\b|\bin my copious\b|"
            r"\bbest\.? \w+\.? ever\b|(?<!\bor )(?<!\bwhy )\bnot\.$|😒|🙃"
        ),
        scope="message",
    ),
    SkipRule(
        "example", "an example, not a fact",
        pattern(
            r"\b(?:for example|for instance|e\.?g\.|such as when|(?:an|the|one|good|another|model|sample|"
            r"test|example|dummy|fake) "
            r"(?:example|sentence|sentences|fixture|phrase|input|prompt|"
            r"data(?! (?:side|team|department|cent|platform|warehouse|lake|pipeline|protection|plan)\w*)|"
            r"utterance|query)\b|examples? "
            r"(?:like|of|such)|something like|"
            r"like:|let's say|worksheet|placeholder|lorem)"
        ),
        scope="sentence",
    ),
    SkipRule(
        "fiction", "made up, not a fact",
        pattern(
            rf"\b(?:write|compose|make up|invent|tell me|continue)\b(?! (?:the|my|our) )[^.?!\n]{{0,40}}\b(?:{_VERSE}"
            r")s?\b|"
            r"\b(?:my|the|our|a|this|his|her) (?:main |minor )?(?:character|protagonist|narrator|heroine|"
            r"hero|villain|antagonist|npc|dnd|d&d)s?\b|"
            rf"\bin (?:my|the|this|our|a) (?:{_VERSE}|book|game|film|movie|series|show|campaign)\b|"
            r"\bpretend (?:to|you|that|i)|"
            r"\bplay the (?:role|part)\b|\bact as\b|\byou are (?:a|an|now) "
        ),
        scope="message",
    ),
    SkipRule(
        "reported",
        "what someone else said or thinks",
        pattern(
            r",\s*(?:he|she|they|my \w+|the \w+|(?-i:[A-Z])\w+) (?:said|says|wrote|told me|claims|claimed)\b.{0,20}$"
        ),
        scope="sentence",
        soft=True,
    ),
    SkipRule(
        "reported", "what someone else said or thinks",
        pattern(
            r"\b(?:he|she|they|someone|somebody|everyone|people|(?:my|our|the|his|her|their) (?!name\b)"
            r"(?:\w+ ){1,2}|(?-i:[A-Z][a-z]+) )"
            r"(?:just )?(?:says?|said|claims?|claimed|thinks?|thought|told (?:me|us)|insists?|insisted|"
            r"believes?|believed|swears?|swore|goes:|"
            r"was like|reckons?|keeps saying|wrote|writes|asked|asks|prefers?|wants?|wanted|hates?|loves?|"
            r"likes?|wishes|hopes)\b|"
            r"\baccording to\b|\bi (?:read|heard|saw) (?:that|somewhere|an?|in)\b|\b(?:i quote|quoting|the "
            r"article|the book) \w+s?\b"
        ),
        soft=True,
    ),
    SkipRule(
        "saying", "words of a song or a saying, not the user's own",
        pattern(
            r"\b(?:as|like) (?:the|that|an?) (?:old )?(?:song|saying|poem|lyrics?|line|proverb|quote|joke|movie|film|"
            r"book)s? (?:goes?|says?|has it|puts it)\b|\bin the words of\b|\bto quote\b"
        ),
        scope="sentence",
    ),
    SkipRule(
        "one_off", "for now only",
        pattern(
            r"\b(?:this (?:time|once|one|email|message|text|reply|answer|paragraph|sentence|session|chat|"
            r"conversation|draft|question)|"
            r"just (?:this|for (?:now|today|this|once))|for (?:now|today|this \w+|the next \w+|the moment)"
            r"|right now|today only|only today|"
            r"just once|one[- ]off|temporarily|^(?:for|in|on) (?:the|this|that|these) [\w -]{2,40} only\b|"
            r"\bbear with (?:me|us)\b|\bwhen (?:i|we) \w+ (?:you )?the next\b|"
            r"in this (?:chat|conversation|message|text|case|email|reply|one))\b"
        ),
        types="preferences",
    ),
    SkipRule(
        "feeling", "a passing feeling",
        pattern(
            r"^i(?:'m| am|'m feeling| feel| felt| was)(?: (?:so|really|very|just|a bit|kind of|kinda|"
            r"sort of|pretty|too|feeling|always so|super|still|a little))* "
            r"(?:tired|exhausted|happy|sad|nervous|excited|angry|bored|annoyed|stressed|anxious|worried|"
            r"scared|glad|sorry|hungry|"
            r"thirsty|sick of|fed up|frustrated|overwhelmed|confused|lost|lonely|proud|relieved|upset|"
            r"silly|clumsy|grateful|empty|down|"
            r"afraid|embarrassed|jealous|curious|ok|okay|fine|good|great|well|ready|done|back|here|dying|"
            r"freezing|melting)\b"
        ),
        types="preferences profile goals",
    ),
    SkipRule(
        "feeling", "a passing feeling",
        pattern(
            r"(?:\b(?:is|are|was|keeps?)|['’](?:s|re))(?: really| just| absolutely| totally| still)? (?:killing|"
            r"driving|bothering|bugging|stressing|freaking|annoying|exhausting|tiring|boring|irritating)(?: out)? "
            r"(?:me|us)\b"
        ),
        types="preferences profile goals tasks decisions knowledge",
    ),
    SkipRule(
        "asks_for_help", "leads to a question, and is over with its answer",
        pattern(
            r"^(?:i(?:['’]m| am)|we(?:['’]re| are))(?: \w+)? (?:confused|stuck|lost|unsure|not sure|struggling|"
            r"having (?:a hard time|trouble|difficulty|difficulties|issues|problems))\b.*\?\W*$"
        ),
        types="preferences profile goals knowledge",
    ),
    SkipRule(
        "question", "a question, not a statement",
        pattern(
            r"^(?:(?:so|and|but|ok|then|now),? )*(?:what|how|why|where|which|who|whose|when)(?:['’]s|"
            r"(?: \w+){0,3}? (?:is|are|was|were|do|does|did|can|could|should|shall|would|will|has|have)) (?:[^,;]|"
            r",(?= \d{4}\b))*\?\W*$"
        ),
        types="preferences profile goals events decisions knowledge",
    ),
    SkipRule(
        "of_the_talk", "what was said or made in the talk, not a fact",
        pattern(
            r"(?<!if )(?<!when )(?<!once )\byou(?:['’]ve| have| had|['’]d)? (?:just |also |already |originally |"
            r"specifically |kindly )*(?:asked|built|confirm(?:ed)?|created|described|drafted|explained|gave|helped|"
            r"laid out|listed|made|mentioned|offered|outlined|presented|proposed|provided|put together|recommended|"
            r"sent|set up|shared|showed|sorted|suggested|told|wrote)\b|"
            r"\b(?:like|as|than|what|which) (?:we|i|you) (?:['’]ve |just |originally |already )*(?:discussed|"
            r"talked about|"
            r"went (?:over|through)|outlined|said|mentioned|covered)\b|"
            r"\bwe(?:['’]ve| have)? (?:just |already |also )*(?:talked|spoke|were talking|discussed|"
            r"went (?:over|through)|"
            r"outlined|looked at)\b|\bwe (?:talked about|discussed|outlined|went over)$"
        ),
        types="preferences goals tasks decisions profile knowledge",
        soft=True,
    ),
    SkipRule(
        "reaction", "what the user thinks of what is at hand, not a fact",
        pattern(
            r"\b(?:is|are|was|were|be|sounds?|feels?|looks?|seems?|looking|going|['’]s|['’]re)\b (?:also |just |"
            r"really |"
            r"super |definitely |absolutely |exactly |pretty |so |very |much |more |all |an? |the |quite |too |"
            r"actually |"
            r"already |bit |huge |big |real |way )*(?:amazing|awesome|brilliant|crucial|doable|exactly (?:what|"
            r"how|the)|"
            r"excellent|fantastic|good (?:call|idea|point|start|to go)|great|handy|helpful|interesting|lovely|"
            r"manageable|"
            r"massive|neat|nightmare|no problem|noted|on track|overwhelming|perfect|place to start|realistic|"
            r"real deal|"
            r"reasonable|relief|right (?:call|move|way)|sharp|smart|solid|sounding|spot on|tricky|"
            r"what i (?:need|want|was|"
            r"had))\b"
        ),
        types="preferences goals tasks decisions knowledge",
    ),
)  # fmt: skip
"""English skip rules, tried in order."""
