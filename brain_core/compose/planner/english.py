"""English: the words that tell what a message asks for."""

from __future__ import annotations

import re

from brain_core.compose.planner import (
    english_ahead,
    frames,
    named_documents,
    scattered,
    subjects,
    task_states,
    times,
    unwanted,
)
from brain_core.compose.planner.english_nouns import DOC, GAP, THING, TYPES
from brain_core.compose.planner.english_periods import periods
from brain_core.compose.planner.english_sure import SURE
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
_BACK = tell(
    r"^[^\w']*(?:[\w']+[^\w']+){0,6}?(?:did|have|had) (?:i|we|you) (?:\w+ )?(?:say|said|tell|told|mention(?:ed)?|"
    r"decided?|agreed?|settled?|noted?|log(?:ged)?|jot(?:ted)?|write|written|ask(?:ed)?|discuss(?:ed)?|"
    r"talk(?:ed)?|plan(?:ned)?|pick(?:ed)?|choose|chosen|record(?:ed)?|promised?|call(?:ed)?|give|given|learn(?:ed|t)?|"
    r"use|end up|go with|read|buy|order|book|recommend(?:ed)?|suggest(?:ed)?)\b|"
    r"\b(?:remind me (?:what|which|who|whose|where|when|how|why|of|about|whether|if)\b|"
    r"(?:refresh|jog) my memory\b|tell me again\b|why (?:did )?(?:we|i) (?:chose|dropped?|decided?|picked?|"
    r"choose|"
    r"switch(?:ed)?|left|leave|moved?|went|go|rejected|ruled|ditch(?:ed)?|pick)\b|"
    r"(?:give|send|get|tell|show) (?:me|us) (?:the|my|our) (?:[\w']+ ){0,3}?(?:address|number|name|date|time|price|"
    r"cost|"
    r"password|code|email|phone|quote|deadline|total|amount|size|reference)\b)"
)

_PART = r"(?:points?|ideas?|arguments?|themes?|takeaways?|messages?|findings|lessons|bits|parts|facts|conclusions?)"
_COUNTED = (
    r"(?:a|an|one|two|three|four|five|six|seven|ten|half a|a few|a couple of|a handful of|\d+) (?:short |single |"
    r"quick |"
    r"tight |brief )?"
)
_SUMMARY = tell(
    r"^\W*(?:so |ok )?in (?:short|brief|a word|essence)\b|\b(?:summari[sz]e|summari[sz]ing|summary|tl;?dr|recap|gist|"
    r"sum(?:s|med)? (?:[\w']+ ){0,6}?up|"
    r"summing up|boil(?:ed|ing)? .{0,60}down|condense|"
    r"digest of|round-?up|round up (?:my|our|the|all|everything|what)\b|overview|run-?down|takeaways?|highlights|"
    r"headlines|précis|abridged?|debrief|brief me|"
    rf"(?:key|main|central|core|salient|biggest|most important|important|essential) (?:\w+ )?{_PART}|outline of|"
    r"(?:the |a )(?:essence|crux|upshot|nub|thrust|bottom line|long and short|big picture) of|(?:broad|big) (?:brush )?"
    r"strokes|in brief|(?:sentence|line|paragraph|page|minute|bullet)s? (?:version|summary|take)|long story short|"
    r"potted (?:history|version)|(?:short|quick|brief|little)? ?brief (?:of|on)|"
    r"high[- ]level (?:view|picture|look)|look back (?:at|on|over)|stock of|where (?:things|we) stand (?:with|on)|"
    rf"(?:put|get|turn|shrink|squeeze|compress|fit|reduce|wrap up|squash|pack|break|whittle|pare) [^.?!\n]{{0,80}}"
    rf"\b(?:in|into|to) (?:just |about |under |at most )?{_COUNTED}(?:sentences?|lines?|bullets?|bullet points?|points|"
    r"paragraphs?|page|tweet)|wrap up what|"
    rf"in {_COUNTED}(?:bullets?|bullet points?|points)|the short of it|"
    r"what (?:have|did|'ve) we(?:'ve)? (?:cover(?:ed)?|discuss(?:ed)?|talk(?:ed)? about|done|gone over|said)"
    r"(?= [^.?!\n]{0,30}\b(?:so far|in this chat|in this conversation|this session|today))|"
    r"in a nutshell|the short version|bullet points? (?:of|from|on)|bullet-point version|cliff'?s? ?notes|"
    r"(?:give me|what's|what is|tell me|explain|get me) [^.?!\n]{0,80}in (?:one|two|three|four|five|a few|"
    r"a couple of|\d+) (?:short )?(?:sentences?|lines|bullets?|bullet points|paragraphs?|words)|"
    r"distil[l]?|synopsis|abstract of|catch me up|(?:bring|get) me up to (?:speed|date)|fill me in on|what did i miss|"
    r"walk me (?:back )?through)\b"
)
_SOURCE = (
    r"(?:sources?|references|papers?|stud(?:y|ies)|evidence|articles?|literature|statistics|benchmarks|"
    r"reviews|primers?|tutorials?|research|recommendations|meta-analys[ei]s|case law|precedents?|documentation)"
)
_CITES = tell(
    r"\b(?:cite[ds]?|citing|citations?|(?:with|list|give|give me|name|and|your|any|good|decent|reliable|"
    r"primary|official|credible) (?:\w+ )?(?:sources|references)|"
    rf"(?:with|any|some|gather|collect|find|track down|hunt down|dig out|pull together|round up) (?:me |up )?"
    rf"(?:[\w'-]+ ){{0,3}}?{_SOURCE}|"
    r"what(?:'s| is) the (?:evidence|research|science|consensus) (?:for|on|behind|about|against)|trade-?offs|"
    r"(?:dis)?advantages|upsides|downsides|drawbacks|read (?:more )?(?:about|on)|(?:check|search|look|"
    r"browse|"
    r"shop) [^.?!\n]{0,60}\bonline|dig (?:into|around|out)|(?:browse|shop|hunt|poke|ask|scout) around|scour|fact-check|"
    r"what's been (?:published|"
    r"written|"
    r"found|shown)|(?:has|have) (?:any|some)(?:one|body) (?:studied|tested|measured|looked into|published|written)|"
    r"recommend (?:me |us )?(?:some |a |any )?(?:good |decent |further )?(?:\w+ )?(?:books?|reading|papers|articles|"
    r"courses?|resources|tutorials?|guides?|primers?|podcasts)|weigh(?:ing)? up|stacks? up (?:against|to)|how do they "
    r"(?:stack up|compare|differ)|compares?\b|consensus (?:on|about)|what (?:are|do) (?:people|users|folks|reviewers|"
    r"others) "
    r"(?:say|saying|think|recommend)|(?:look|check) (?:for )?(?:independent |user |customer )?(?:reviews|tests|"
    r"benchmarks)|"
    r"links? (?:please|pls|too|to (?:the )?(?:sources?|studies|papers))|sources? (?:please|pls)|"
    r"with links|read up on|research|investigate|google|"
    r"do (?:some|a bit of|a little) (?:digging|reading)|dig up|search (?:for|online|the (?:web|internet|"
    r"literature|docs))|"
    r"find (?:me |us |out )?(?:some |any |a few |a couple of |\w+ )?(?:\w+ )?(?:sources|papers?|stud(?:y|"
    r"ies)|articles?|evidence|literature|references|research|documentation|tutorials?|statistics|data on)|"
    r"find (?:me )?the (?:studies|papers|research|sources|original)|compar(?:e|ing|ison)|versus|vs\.?|"
    r"pros and cons|trade-?offs? (?:of|between)|"
    r"what (?:does|do) (?:the )?(?:\w+ )?(?:literature|research|evidence|science|studies|experts)|state of the art|"
    r"learn (?:more |a bit )?about|tell me (?:more )?about|background on|deep dive|"
    r"(?:the |any |some )?(?:latest|newest|most recent|up-to-date|current) (?:on|thinking|research|evidence|guidance|"
    r"guidelines|news|developments|advice|findings|studies|figures|statistics|stats|numbers|consensus|rules|"
    r"regulations|"
    r"literature|recommendations)|alternatives to|main (?:vendors|players|providers|options)|market leaders|"
    r"what's out there|survey of|literature|"
    r"peer-reviewed|shortlist)\b"
)
_LOOKS = tell(
    r"^\W*[\w.+#-]+(?: \w+)? or [\w.+#-]+(?: \w+)? for\b|\b(?:which|what) (?:[\w'-]+ ){1,6}?(?:is|are|would be|has|"
    r"gives|offers) (?:the )?(?:best|better|cheapest|safest|healthiest|fastest)\b|"
    r"\b(?:look(?:ing)? up|look into|look for|find (?:me )?(?:some|a|out)|differences? between|"
    r"options for|best \w+ for|what's the best|what are the best|"
    r"(?:which|what)(?:'s| is| are| one is| one's| would be| \w+ is| \w+ are) (?:the )?(?:better|cheaper|safer|faster|"
    r"healthier|more \w+|most \w+)|the (?:better|cheaper|safer) (?:option|choice|buy)|recommendations|"
    r"is there (?:any )?(?:evidence|research|data))\b"
)
_NOT = r"(?:won't|wont|will not|doesn't|doesnt|does not|isn't|isnt|aren't|refuses? to|can't|cannot|not)"
_BROKEN = tell(
    r"#(?:ref!|n/a|value!|name\?|div/0)|"
    r"\b(?:(?:worked|was (?:fine|working)|used to work) [^.?!\n]{0,60}\b(?:now|but)\b|"
    r"(?:pass(?:es)?|works?|runs?|fine) [^.?!\n]{0,30}\bbut not\b|(?:'s|is|are|went|keeps going) down(?: again|"
    r"\W*$)|"
    r"what's the (?:mistake|problem|issue|bug)\b|gives? (?:me )?(?:duplicates?|wrong|weird|empty|nothing|"
    r"garbage)\b|"
    r"do(?:es|ing)? nothing\b|go(?:es|ing)? wrong\b|(?:won't|wont|doesn't|doesnt|isn't|refuses to|not) "
    r"let(?:ting)? (?:me|us)\b|(?:npm err|errno|fatal:|"
    r"panic:|uncaught|core dumped|no such file|"
    r"command not found|(?:permission|access) denied|is not (?:defined|a function)|unexpected token|"
    r"no module named|module not found|connection (?:refused|reset|timed out)|out of memory|"
    r"blue screen|black screen|blank screen|error (?:message|code|saying)|(?:an|this|that|the|same|following) error\b"
    rf"(?! bars?)|{_NOT} (?:even |always )?(?:working|letting me|loading|starting|charging|connecting|responding|"
    rf"printing|"
    r"heating|cooling|syncing|updating|rendering|recogni[sz]ing|detecting|draining|picking up|showing up|turning on)|"
    r"keep (?:getting|seeing|hitting|running into)|keeps getting|what am i (?:doing wrong|missing)|"
    r"what have i (?:missed|done wrong|broken|messed up)|where am i going wrong|(?:something|anything|what)(?:'s| is) "
    r"(?:off|wrong|up|broken|amiss|not right|the matter|going on) with (?:my|the|this|it|our)|"
    r"(?:can't|cannot|can not|couldn't|unable to) (?:seem to )?get (?:[\w'-]+ ){1,4}?to \w+|"
    r"even though (?:it's|it is|they're) (?:plugged|switched|turned|connected|charged|full|set|there|installed)|"
    r"why (?:does|do|is|are|won't|doesn't|isn't|can't) (?:my|our|this)|how come (?:my|our|this)|why (?:am|"
    r"do) i (?:keep|"
    r"getting|get|still)|why (?:does|is) it (?:keep|still|not|only|always|doing|so slow|taking|showing|failing)|"
    r"(?<!i )(?<!i've )(?<!we )(?<!we've )(?:stopped|quit) (?:working|heating|charging|responding|printing|syncing|"
    r"spinning|loading|connecting|updating|recogni[sz]ing|cooling|running|starting|turning|ringing|flushing|draining)|"
    r"(?:on the fritz|(?:acting|playing) up|acts up|plays up|conk(?:s|ed) out|pack(?:s|ed) (?:it )?(?:in|up)|"
    r"bombs? out|spins forever|bricked)|crash(?:ed|es|ing)|segfault\w*|traceback|stack ?trace|\w+(?:error|exception|"
    r"backoff)|throws|"
    r"not working|doesn't work|stopped working|"
    r"(?:won't|wont|will not|doesn't|doesnt|refuses to) (?:seem to )?(?:start|boot|load|open|close|shut|compile|build|"
    r"connect|pair|(?:turn|switch|power) o[nf]+|charge|sync|print|install|run|wake|respond|recogni[sz]e|detect|flush|"
    r"drain|"
    r"rise|set|heat|cool|spin|light|ignite|update|save|deploy|render|show up|budge|latch|lock|unlock|stop|"
    r"log (?:me )?in|"
    r"launch|mount|flash|focus|download|upload|refresh))\b)"
)
_SOLVED = tell(
    r"^[^?]*\b(?:(?:i|we|you|he|she|they) (?:\w+ )?(?:fixed|solved|sorted|cracked)|(?:it's|it is|all|now) (?:fixed|"
    r"sorted|"
    r"solved)|(?:works|working) (?:now|again|like a charm|perfectly)|that (?:worked|did it|fixed it|sorted it))\b[^?]*$"
)
_FAULT = tell(
    r"\b(?:errors?|exceptions?|complains?|(?<!i )fail(?:s|ed|ing|ures?)?|stuck|hangs?|hanging|freez(?:es|"
    r"ing)|froze|dies|dying|blow(?:s|ing)? up|stall(?:s|ed|ing)|refus(?:es|ing|ed)|"
    r"not (?:responding|loading|starting|showing|syncing|charging|printing|connecting)|(?:can't|cannot|"
    r"can not|unable to) (?:connect|open|log|reach|install|load|import|build|compile)|"
    r"keeps (?:\w+ )?\w+ing|(?<=[\w'] )keep (?!(?:thinking|forgetting|meaning|dreaming|hoping|telling|asking|wondering|"
    r"saying|trying|smiling|laughing)\b)(?:\w+ )?\w+ing|time(?:s|d)? ?-?out|leak(?:s|ing|ed|y)?|throwing|bugs?|"
    r"buggy|debug|"
    r"troubleshoot|diagnose|glitch\w*|alert fired|tripping|flicker\w*|rattl\w*|"
    r"overheat\w*|squeal\w*|corrupt\w*|5\d\d|40[0-9]|oom|deadlock\w*|flaky|regress(?:ed|ion)|"
    r"cuts? out|cutting out|drops? out|evicted|no matter (?:how|what i)|trips|wilting|drooping|skips|drips|sputters?|"
    r"wobbles?|vibrates?|"
    r"crackles?|reboots?|restarts|resets|disconnects|clogs?|clogged|loops|streaks|smears?|warps?|peels|wilts?|droops?|"
    r"misbehav\w+|i(?:'ve| have)? (?:already )?tried (?:restarting|reinstalling|everything|rebooting|resetting|turning|"
    r"changing|cleaning)|rejected|offline|unreachable|leak\w*|nothing happens|comes? out \w+|"
    r"com(?:es|ing) out (?:all )?\w+|mak(?:es|ing) (?:an?|this|that|some) (?:\w+ ){0,2}?(?:noise|sound|clunk|click|"
    r"whine|"
    r"squeak|buzz|rattle|hiss|hum|knock|grinding)\w*|stopped \w+ing|(?:has|have|had|'s|'ve) gone (?:yellow|brown|"
    r"black|limp|"
    r"soft|hard|mouldy|moldy|off|dead|blank|quiet|flat|cloudy)|goes (?:blank|black|dead|off)|returns? (?:nothing|null|"
    r"empty|"
    r"none)|lag(?:s|gy|ging)|not found|curdl\w*|split on me|keeps? (?:\w+ )?turning|shows? [a-z]+-?\d+|code [a-z]?\d+|"
    r"went wrong|goes wrong|jammed|blinks?|blinking|"
    r"(?:exit|status|error) code|crash|unresponsive|garbled|broken|misfires?|grinding|cuts out|drops out)\b"
)
_WEAK = tell(
    r"\b(?:won't|doesn't|isn't|aren't|didn't|wont|doesnt|breaks?|broke|fires?|drops?|dropped|missing|"
    r"duplicate[ds]?|slow(?:er|s|ed)?|stopped|stops|double|red|wrong|sticks|jams?|"
    r"smells?|sagging|wilting|yellow|brown|black|blank|undefined|null|nan|conflicts?|denied|mismatch|"
    r"beeps?|beeping|empty|off|weird|odd|noise|lost|dead|died|collapsed|sank|random|randomly|by itself|on its own|"
    r"freeze|stuck|curdled|split|bland|"
    r"different|again)\b"
)
_CAUSE = tell(
    r"\b(?:why|cause[ds]?|causing|explains?|reason|fix|fixes|what's (?:wrong|up|happening|going on)|"
    r"what (?:is|am i) (?:wrong|going on|doing wrong)|how come|"
    r"figure out|track down|to blame|culprit|debug|diagnose|troubleshoot|solve|what gives|any (?:ideas?|"
    r"clues?|thoughts|suggestions|tips|pointers)|worth worrying|is (?:that|this|it) normal|what (?:could|might) (?:it|"
    r"that|be|cause)|what changed|how (?:do|can|should) (?:i|"
    r"we) (?:fix|stop|solve|sort|get|rescue|save|recover|cure|prevent|undo|repair|mend|unblock|clear|find out)|"
    r"at fault|responsible|going wrong|went wrong|what happened)\b"
)
_ASKED = tell(
    rf"(?:{_CAUSE.pattern.pattern}|\?|\b(?:what|which|did the|is there|how do|how can|help|where|could|"
    r"does it|is it)\b)"
)
_CONTINUE = tell(
    rf"{_OPENS}(?:continue|carry on|carrying on|go on|go ahead|keep going|keep (?:at|on|it|the|\w+ing)|resume|"
    r"pick (?:it )?(?:back )?up|redo|rewrite|reword|rephrase|re-?draft|re-?do|rework|redraw|"
    r"proceed|try again|do (?:the (?:same|rest|next|other|remaining|last|first|second|third|final|\w+ (?:version|one|"
    r"part|"
    r"section|half|bit))|another|one more|it again|likewise)|same (?:again|but|thing|for|treatment|deal|approach|"
    r"format|drill)|"
    r"do (?:that|this|it) (?:for|with|to|again|too|as)|(?:show|give) me (?:a|an|another) (?:\w+ )?(?:version|draft|"
    r"example|"
    r"alternative|variant|mock-?up|sketch|table)|(?:get|go|come) back to|return to|(?:crack|press|push|move|march) on|"
    r"get on with|(?:work|build|expand|"
    r"elaborate) on|"
    r"(?:set|write|type|mock|draw|knock|whip|rustle|cook|tidy|clean|polish|firm|spin|throw|put) (?:up|together|down)|"
    r"(?:jot|lay|sketch|flesh|map|fill|round|finish|write|leave|take|cross|swap|pad|spell) (?:down|out|in|off)|"
    r"come up with|"
    r"(?:give|have) (?:it |that |this )?(?:another|a) (?:go|try|shot|pass|stab)|let's (?:do|go|get|move|pick|"
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
    r"|^[^\w']*(?:[\w']+[^\w']+){0,2}?on (?:with|to) the\b|^\W*(?:[\w']+[^\w']+){0,3}?"
    r"next (?:one|step|chapter|part|section|bit|"
    r"verse|scene|page|slide|question|item|paragraph)"
    r"(?: please| pls)?\W*$|^\W*(?:(?:a bit|a little|a touch|much|even|slightly|still|now) )?(?:more (?:like|of|"
    r"formal|casual|"
    r"detail|examples|concise|\w+ly|\w+ please)|less (?!than|i\b|is\b)\w|shorter|longer|punchier|simpler|snappier|"
    r"friendlier|"
    r"warmer|tighter|funnier|softer|bolder|clearer|blunter|gentler)\b|"
    r"\b(?:(?:i'd (?:like|love)|i want|i need|we need|we should|let me|time) (?:to )?(?:get back|go back|return|"
    r"carry on|continue|resume|pick up|keep going|finish)\b|(?:where|what) we (?:stopped|got to|had got to)\b)|"
    r"^\W*(?:(?:ok|okay|now|please|so|and|then|right|next|also)\W+)*(?:prep|prepare|compile|quiz|coach|walk|guide|"
    r"pretend|act|role-?play|imagine|organi[sz]e|arrange|match|"
    r"list out|separate|capitali[sz]e|underline|italici[sz]e|align|cent(?:er|re)|resize|crop|export|import|save|"
    r"restructure|"
    r"reorgani[sz]e|rearrange|rebuild|"
    r"rerun|retry|"
    r"reformat|proofread|annotate|document|implement|outline|brainstorm|suggest|propose|invent|produce|pencil|scrap|"
    r"ditch|bin|"
    r"nix|simplify|append|prepend|attach|combine|merge|extract|refactor|migrate|rank|group|label|rename|type|code|"
    r"sketch|"
    r"calculate|split|paste|reply|email|invite|order|narrow|rhyme|continue|proceed|do|add|make|write|remove|delete|"
    r"draft|translate|"
    r"create|rename|finish|book|schedule|prepare|generate|build|plan|convert|change|use|put|cancel|insert|"
    r"design|compose|print|update)\s+(?!sense|(?:i|we|you|they|he|she|people|any\w*|the \w+|my \w+|most|all)\b"
    r"[^.!\n]{0,200}\?)\w"
    r"|\b(?:please (?!tell|explain|remind|look|find|check|show|quote|list|give|don't|help|let me know|say|do tell)\w+"
    r"|where (?:were we|did we leave|we left)|what's next\b|next steps?\b|pick(?:ing)? up where\b|"
    r"(?:can|could|would|will) you (?:please |just |also |now )?(?!tell|remind|explain|remember|recall|"
    r"check|find|confirm|look|show|see|believe|quote|list|give|say|name|help|imagine|feel|hear|sleep|"
    r"do this|be|freeze|eat|drink|reheat|recycle|wear|still|legally|actually|really|safely|ever|get|claim|overdose|"
    r"grow|"
    r"microwave|deduct|retire|substitute|catch|have|vote|fly|park|drive|survive|die|breastfeed|swim|become|compost|"
    r"reuse)\b\w*)"
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
    r"remember (?:what|who|when|the)|i forgot|i've forgotten|(?:can't|cannot|don't) (?:quite )?(?:remember|recall|"
    r"think what)|"
    r"slip(?:s|ped) my mind|escapes me|tip of my tongue|blanked|curious|i(?:'d like| need| want) to know|let me know|"
    r"any (?:mention|record|word|sign|news) of|i wonder|wondering|explain|describe|any idea)\b|"
    r"^\W*(?:my|our|the name of|name of)\s+(?:[\w']+\s+){0,4}?(?:number|password|passcode|code|address|size|name|date|"
    r"birthday|email|pin|plate|login|dose|dosage|budget|deadline)\W*(?:again|please|pls)?\W*$"
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
    r"\b(?:bye|goodbye|see you|good night|talk (?:later|soon)|how are you|how(?:'s| is| are) (?:tricks|life|things|"
    r"your day|it hanging)|what's new|how've you been|how's it going|"
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
    r"s)\b)[a-z]+ (?:the|it|them|that|this|those|these|my|our|another|each|both)\b|"
    r"\b(?:please|i (?:need|want) (?:a|an|the|to))\b"
)
_ASKED_FOR = tell(r"\?|\b(?:summari[sz]e|cite|find|look up|compare|why)\b")
_EDITS = tell(
    r"^\W*(?:(?:ok|okay|now|please|so|and|then|right|can you|could you)\W+)*(?:continue|carry on|redo|"
    r"rewrite|reword|rephrase|tighten|shorten|lengthen|trim|polish|"
    r"add|remove|drop|cut|delete|swap|replace|rename|expand|extend|update|revise|adjust|tweak|move|"
    r"translate|reformat|fix up|finish|make the|change)\b(?!.*\b(?:sources?|cite|links?) please)"
)
ENGLISH = Tells(
    language="en",
    words=_WORD.findall,
    sure=SURE,
    signs=(
        Sign("continue_task", (_EDITS,), unless=_ASKED_FOR),
        Sign("summarize", (_SUMMARY,)),
        Sign("qa", (_BACK,), unless=_BROKEN),
        Sign("research", (_CITES,), unless=_BROKEN),
        Sign("debug", (_BROKEN,), unless=_SOLVED),
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
        r"\b(?:in |of |from |during |on )?(?:this|our|the current|today's) (?:whole |entire )?(?:conversation|convo|"
        r"chat|"
        r"session|"
        r"discussion|dialog(?:ue)?|exchange|thread so far)\b|"
        r"\b(?:earlier|above|so far|just now) (?:in (?:this|our) (?:chat|conversation|session)|here)\b|"
        r"\bwhat we(?:'ve)? (?:just )?(?:covered|discussed|talked about|said|went over)(?: here| so far|"
        r" just now)?(?: so far| here)\b|"
        r"\b(?:we|you|i)(?:'ve| have)? (?:were )?just (?:now )?(?:discussed|talked|said|told|mentioned|covered|"
        r"talking|went over|"
        r"agreed|listed|decided|suggested|recommended|gave|explained|wrote|proposed|been through|worked out)\b|"
        r"\b(?:said|agreed|covered|discussed|decided|worked out|gone over|talked (?:about|through)|been (?:through|"
        r"over)|told you|"
        r"told me|asked(?: you)?|written) (?:so far |all )?(?:in |up )?here\b(?! (?:in|at)\b)|\b(?:further|"
        r"higher) up(?: here)?\b|"
        r"\bfrom this thread\b|\bhere,? just now\b|"
        r"\bi said (?:just now|a minute ago|a moment ago|above|earlier here)\b|\b(?:a minute|a moment|moments|"
        r"minutes) ago\b",
        "conversation convo chat session up discussion dialog dialogue exchange thread far here just above ago",
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
        r"(?i)\b(?:(?:in|inside|within|under)\s+(?:(?:the|my|our)\s+)?|(?:the|my|our)\s+(?=[\w.-]+\s+(?:repo|"
        r"repository|codebase)\b)|"
        r"(?:search|check|look through|go through|grep)\s+(?=[a-z0-9]+(?:[_-][a-z0-9]+)+\s*(?:$|[.,;?!]|"
        r"for\b)))(?:(?P<said>repo|repository|file|folder|"
        r"directory|package|module|codebase)\s+)?"
        r"(?P<name>(?:[a-z0-9_~.-]+/)*[a-z0-9][a-z0-9_.-]*[a-z0-9])"
        r"(?P<after>\s+(?:repo|repository|codebase|folder|directory|package)\b)?"
    ),
    named_document=named_documents.ENGLISH,
    periods=periods,
    frame=frames.ENGLISH,
    task_states=task_states.ENGLISH,
    unwanted=unwanted.ENGLISH,
    subject=subjects.ENGLISH,
    scattered=scattered.ENGLISH,
    coming=english_ahead.COMING,
    sifter=times.ENGLISH,
)
