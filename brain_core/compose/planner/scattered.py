"""Questions for many of a sort, told one by one: "which restaurants have we been to", 「我们去过哪些城市」."""

from __future__ import annotations

from brain_core.compose.planner.tells import Scattered, tell

_NO_NOUN = (
    r"(?:is|was|are|were|be|am|do|does|did|has|have|had|can|could|should|would|will|shall|might|must|may|"
    r"i|you|he|she|it|we|they|this|that|there|who|when|where|why|how|if|to|for|in|on|at|by|with|about|from|than|as|"
    r"and|or|but|not|makes?|made|takes?|means?|happens?|goes|comes|works|lives|says|wants|needs|gets?|got|looks|sounds|"
    r"feels|matters|counts|belongs|stands|starts|begins|ends|keeps|runs|costs|helps|causes|sends|replaces|news|perhaps|"
    r"always|sometimes|us|his|its|hers|yes|thus|less|plus|two|three|four|five|six|seven|eight|ten|\d+|first|last|next)"
)
_OF_ONE_THING = (
    r"(?:times|hours|days|weeks|months|years|minutes|seconds|terms|grounds|dates|names|words|parts|sides|points)"
)
_WORDS = rf"(?:(?!{_NO_NOUN}\b)[\w'-]+ ){{0,3}}?"
_MANY = (
    rf"(?!(?:{_NO_NOUN}|{_OF_ONE_THING})\b)"
    r"(?:[a-z][\w-]+[^\W_siu]s|[a-z]\w*ies|people|children|men|women|mice|feet|music|stuff)\b"
)
_OF = (
    r"(?:(?:kinds?|sorts?|types?|brands?) of |of (?:the|my|our|his|her|their|those|these) |"
    r"all (?:the |my |our )?|(?:other|else) )?"
)
_DONE = (
    r"(?:\w+ed|been|gone|bought|read|seen|had|met|made|done|given|got|gotten|sent|eaten|built|won|lost|sold|taken|"
    r"written|learnt|spent|broken|found|begun|run)"
)
_EXPERIENCED = (
    r"(?:been(?! \w+ed)|gone|visited|travel(?:l)?ed|bought|read|seen|watched|eaten|tried|done|made|sold|won|learnt|"
    r"learned)"
)
_ELSE = (
    r"(?![^?.!\n]*, (?:and |but )?(?:\w+ )?(?:what|when|who|where|why|how)\b"
    r"(?![^?.!\n]*\b(?:(?:are|were) they|each)\b))"
)
"""What follows asks nothing else, unless it asks it of each."""

_SORT = tell(
    rf"^{_ELSE}[^?.!\n]*\b(?:which|what|whose) {_OF}{_WORDS}{_MANY}|"
    rf"\bwhat (?:are|were) (?:all )?(?:the|my|our|his|her|their|\w+'s) {_WORDS}{_MANY}|"
    rf"\b(?:what|where|who|whom)(?: all| else)? have (?:(?:my |our |the )?[a-z][\w']*s|i|we|you|they|people) "
    rf"(?:all |both |each |already |ever )?{_DONE}\b|"
    rf"\b(?:what|where|who|whom)(?: all| else)? has [a-z][\w']* (?:already |ever )?{_EXPERIENCED}\b|"
    r"\bwhat (?:has|have|else has) been \w+|"
    r"\bwh(?:at|ere|o) (?:did|do|does) [^?.!\n]{1,60}\b(?:this|last|over the|in the past|so far|all) (?:year|summer|"
    r"winter|spring|autumn|months?|years|in all|in total|together)\b|"
    r"\bwho\b[^?.!\n]{1,60}\b(?:what|which|when|where)\W*$|"
    r"(?:^\W*|[.!?,;:] )(?:please |can you |could you |and |so )*(?:(?:list|name|enumerate)(?: me)? |"
    r"(?:give|show|tell|get) (?:me|us) (?:a |the )?list of )|"
    r"(?:^\W*|\b(?:list|name|remember|of) )(?:all|every|each)(?: single)? "
    r"(?:(?:of )?(?:the|my|our|his|her|their) )?\w+",
    "which what whose where who whom list name enumerate all every each remember",
)
_COUNT = tell(r"\bhow many \w+", "how")
_PROPOSED = tell(
    r"\b(?:did|have|had|could|would|can|should|do|were) you\b|"
    r"\byou(?:'ve|'d| have| had)? (?:\w+ )?(?:recommend|suggest|advi[sc]e|propos|mention|say|said|told|tell|list|gave|"
    r"give|explain|describ|wrote|write)|"
    r"\byour (?:\w+ )?(?:suggestions?|recommendations?|advice|tips?|ideas?|answers?|proposals?|explanations?|lists?|"
    r"examples?|options?|points?|steps?)\b",
    "you you've you'd your",
)
ENGLISH = Scattered(_SORT, _COUNT, _PROPOSED)

_COUNTED = r"[个次本部场家种位样只条件张首款趟门支道顿座台双盆棵份套项处]"
_NEAR = r"[^，。？！,?!]"
_END = r"(?:$|[？！?!。]|[，,]\s*(?:分别|都|各|叫|是))"
_ZH_SORT = tell(
    rf"^{_NEAR}*(?:哪些|哪几{_COUNTED}|都[^，。？！,?!的]{{0,8}}?(?:什么|谁|哪|几)|谁{_NEAR}{{1,8}}(?:什么|哪|几)|"
    r"(?:什么|谁|哪)[^，。？！,?!]{0,8}都|所有|全部|(?:列|罗列|列举|数)(?:一下|出|一列|一数|举)|列个|清单|名单|"
    rf"[了过]些什么|过什么|有些什么){_NEAR}*{_END}"
)
_ZH_COUNT = tell(
    rf"^{_NEAR}*(?:今年|去年|这些年|几年来|一年|至今|到现在|目前){_NEAR}*(?:几|多少){_COUNTED}{_NEAR}*{_END}"
)
_ZH_PROPOSED = tell(
    r"[你您](?:都|之前|上次|以前|曾经?|给我|跟我|向我|还|给|也|出)*(?:推荐|建议|说|提|讲|告诉|列|给出|介绍|写|举|教|"
    r"出)|"
    r"[你您](?:之前|上次|以前)?的?(?:建议|推荐|意见|方案|说法|主意|回答|例子|步骤)"
)
CHINESE = Scattered(_ZH_SORT, _ZH_COUNT, _ZH_PROPOSED)
