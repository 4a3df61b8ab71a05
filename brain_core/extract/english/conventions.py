"""How code is to be written and a project run: "this repo uses pnpm, never npm", "squash before merging".

Said of a whole sort of things, or at every occasion of a sort: what is asked of the thing at hand teaches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.developing import TOOL
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import clean, knowledge, preference
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import find, value_of
from brain_core.extract.language import MASK, Found, Rule, Scene


def _is_of_the_moment(scene: Scene) -> bool:
    text = scene.clause.sentence
    return MASK in scene.clause.text or _AT_HAND.search(text) is not None or supposed(scene)


_AT_HAND = pattern(
    r"\?|\b(?:this (?:time|once|one|file|function|bug|error|script|query|pr|change|branch|test|task|line|class|module|"
    r"commit|run|step|morning|week|afternoon|sprint)|just (?:this )?once|for (?:now|today|the moment|the time being)|"
    r"today|tonight|tomorrow|"
    r"right now|at the moment|temporarily|until (?:then|\w+day)|real quick|maybe|perhaps|might|could|wonder\w*|"
    r"as a (?:test|experiment|workaround)|try|(?:my|his|her|their|your) (?:friend|coworker|colleague|brother|sister|"
    r"boss|team|company|repo|project)(?:['’]s)?|they|he|she|used to|back then|at my (?:old|last|previous)|"
    r"(?:style )?guides?|(?<!\byou )says?|said|according|docs? (?:say|recommend)|tutorials?|articles?|people|some"
    r" (?:teams|folks|projects)|"
    r"most (?:teams|projects)|other (?:teams|repos|projects))\b"
)
"""Says that a wish is for now, or whose it is besides."""


def _wished(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read a wish with what belongs to it in its sentence."""
    if not _is_of_the_moment(scene):
        text, whole = scene.clause.text, scene.clause.whole or scene.clause.text
        yield Found(preference(text, whole), span=(0, len(whole)))


def _not_that(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "this repo uses pnpm, never npm": what is used, and what in its place is not."""
    if _USES_NOT.match(scene.clause.whole or scene.clause.text):
        yield from _wished(match, scene)


def _done_at(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what is to be done at every occasion of a sort; of a thing at hand it is a request."""
    if _EACH.search(match["when"]) or not any(_THAT_ONE.search(match[part]) for part in ("do", "when")):
        yield from _wished(match, scene)


def _stated(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read where a thing of the project is kept, as it is told."""
    if not _is_of_the_moment(scene):
        whole = scene.clause.whole or scene.clause.text
        yield Found(knowledge(whole), span=(0, len(whole)))


def _allowed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "for one-off queries select star is fine" as an exception to a wish that is known of the same thing."""
    what = match["what"] or match["what2"]
    known = None if _is_of_the_moment(scene) else find(scene.known, "preferences", what, _ALL_BUT_ONE)
    if known is not None and known.source_message_id != scene.message_id:
        value = value_of(known)
        told = clean(scene.clause.text)
        if told not in value["value"] and _IN_CODE.search(value["value"]):
            now = f"{value['value']}; {told}"
            yield Found(
                {"scope": value["scope"], "name": value["name"], "value": now}, span=(0, len(scene.clause.text))
            )


_IN_CODE = pattern(r"\b(?:use|using|write|import|commit|push|log|mock|print|hard-?code|cast|call|define|create)\b")
"""What a wish says that may have exceptions: never what is not to be given to somebody."""
_ALL_BUT_ONE = 0.6
"""Share of the words for a thing that a wish must have to be of it."""

_EACH = pattern(r"\b(?:each|every|any)\b")
_THAT_ONE = pattern(
    r"\b(?:this|that|these|those|it|them|here|there|now)\b|"
    r"\b(?:the|my) (?!diff|plan|tests?|test suite|linters?|type ?checker|changelog|docs|readme|main branch|"
    r"release notes|"
    r"formatter|user|team|migrations?|lockfile|schema|spec|whole|full|database|db|output|output of|version)\w+"
)
_SHORT = r"[\w./@+#-]+(?: [\w./@+#-]+)?"
_OURS = (
    r"(?:(?:this|our|the) (?:repo|repository|project|codebase|code base|monorepo|workspace|team|backend|frontend|"
    r"service|package|app|library|code|stack)(?: here)?|we|everything here|all (?:our|the) (?:repos|projects|services))"
)
_SORTS = (
    "commit messages|commits|pr titles|branch names|branches|pull requests|prs|mrs|timestamps|dates|datetimes|times|"
    "tests|specs|fixtures|migrations|functions|methods|classes|variables|variable names|constants|comments|docstrings|"
    "imports|exports|endpoints|routes|errors|exceptions|logs|log messages|log lines|queries|tables|table names|columns|"
    "column names|ids|api keys|primary keys|components|hooks|filenames|file names|configs|secrets|credentials|amounts|"
    "prices|values|passwords|modules|packages|responses|payloads|error messages|type hints|models|schemas|env vars|"
    "environment variables|feature flags|release notes|changelog entries|scripts|dockerfiles|images|dependencies|"
    "versions|notebooks|dashboards|reports|alerts|runbooks|jobs|dags|pipelines|playbooks|charts"
)
_THINGS = rf"(?:(?:\w+ )?(?:{_SORTS}))"
_OF_THINGS = " ".join(sorted({sort.split()[-1] for sort in _SORTS.split("|")}))
"""Cues: the last words of what a convention may be of."""
_OF_THEM = r"(?: (?:in|for|on|of|from|under) [\w ./-]{2,30}?)?"
_FORM = (
    r"(?:always |all |only |never |usually )*(?:(?:stored|kept|written|named|saved|logged|prefixed|suffixed|sorted|"
    r"returned|expressed|formatted|generated|versioned|grouped|serialized|serialised|ordered) (?:in|as|with|by|under|"
    r"at|next to|"
    r"to|from|using|alphabetically)\b.*|in (?:utc|iso|cents|lower ?case|upper ?case|\w+_case|(?-i:[a-z]+[A-Z]\w+)|"
    r"\w+ time|english|"
    r"minor units|seconds|milliseconds|ms)\b.*|"
    r"utc\b.*|uuids?\b.*|ulids?\b.*|snake.?case.*|camel.?case.*|kebab.?case.*|iso.?8601.*|soft.deleted.*)"
)
_LIVE = (
    r"(?:lives?|goes?|go|sits?|belongs?) (?:in|under|next to|beside|alongside|into|at|with) (?!the way|well|mind|"
    r"there).{2,}"
)
_OUGHT = (
    r"(?:should(?:n['’]t)?|must(?:n['’]t)?|need to|have to|has to|ought to|are to|can['’]t|cannot|may not|"
    r"are never|are always)"
)
_NOT_YET = (
    r"(?!.*\b(?:pass(?:ing)?|green|red|fail\w*|working|fixed|done|ready|fine|enough|merged (?:by|before|soon)|"
    r"deployed|shipped|finished|"
    r"here|back|up|down|by (?:\w+day|noon|tonight|the end)|soon|again|now|already|have been|easier|faster|better)\b)"
)
_FIRST = r"^(?:(?:please|pls|also|and|so|oh|ok|note that|note|remember|reminder|rule),? )*"
_WHEN_DONE = (
    r"(?P<when>before (?:you (?!go|leave|start|begin|forget|answer|ask|know|can|continue|proceed|move|keep|"
    r"reply)[a-z]+(?: (?!by\b|at\b).{2,40})?|"
    r"(?:committing|pushing|merging|deploying|releasing|opening|applying|restarting|touching|changing|editing|deleting|"
    r"dropping)(?: .{2,40})?|(?:each|every|any) .{2,40})|"
    r"after (?:(?:each|every|any) .{2,40}|you(?:['’]ve)? (?:change|edit|touch|modify|add|finish|rename)d?\b.{0,40})|"
    r"(?:with|on|for|in|to) (?:each|every) (?:pr|pull request|commit|release|deploy\w*|merge|change|migration|new \w+|"
    r"endpoint|function|module|query|table)\b.{0,40}|"
    r"when(?:ever)? you (?:change|edit|touch|add|rename|modify|write|create|delete)\b.{2,40})"
)
_NOT = r"(?:not|never|no|don['’]t use|do not use|and not|rather than|over|instead of)"
_USES_NOT = pattern(
    rf"{_FIRST}(?:{_OURS} (?:only |always )?(?:uses?|is on|are on|runs on|builds with)(?: (?:only|always))? "
    rf"(?!to\b|this\b|that\b|it\b){_SHORT}(?: (?:here|for [\w ]{{2,24}}))?(?:,| and|;| [–—-]) ?(?:and )?"
    rf"(?:not|never|no|we don['’]t use)(?: use)? {_SHORT}(?:,? .{{2,80}})?|"
    rf"use (?i:{TOOL})(?: (?:here|in this repo|everywhere|for \w+))?,? {_NOT} (?:use )?(?i:{TOOL})"
    r"(?: (?:here|in this repo|everywhere|please|for \w+))?)[.! ]*$"
)

_AS_A_RULE = (
    Rule("uses_not", "preferences", "uses use builds project repo repository codebase monorepo backend frontend",
         pattern(
        rf"{_FIRST}(?:{_OURS} (?:only |always )?(?:uses?|is on|are on|runs on|builds with)\b|use (?i:{TOOL})\b)"),
        _not_that, vital=True),
    Rule("things_ought", "preferences", _OF_THINGS, pattern(
        rf"{_FIRST}(?:all |our |any |every |new )*{_THINGS}{_OF_THEM} {_NOT_YET}{_OUGHT} (?:always |never |not |"
        rf"only |all )*"
        r"(?:be|go|live|use|start|end|follow|include|return|come|stay|match|carry|reference|fit|contain|get|have|link|"
        r"explain|say|fail|run|take|read|write|query|load|join|emit|raise|throw|accept|point|inherit|extend|touch|import|call|log|need|stored|written|named|kept|prefixed|reviewed|squashed|"
        r"signed|committed|edited)\b.{2,160}$"), _wished, vital=True),
    Rule("things_are", "preferences", _OF_THINGS, pattern(
        rf"{_FIRST}(?:all |our |any |every )*{_THINGS}{_OF_THEM} {_NOT_YET}(?:(?:are|is) {_FORM}|{_LIVE})$"),
        _wished, vital=True),
    Rule("done_at_each", "preferences", "run show ask check update format lint squash rebase back "
         "verify confirm tell ping regenerate bump make write add take get dump", pattern(
        rf"{_FIRST}(?:always |never )?(?P<do>(?:run|show|ask|check|update|format|lint|squash|rebase|"
        r"back up|dump|verify|confirm|tell|ping|regenerate|bump|make sure|write|add|run through|take a|get)\b(?! out\b)"
        rf".{{1,80}}?),? {_WHEN_DONE}$"), _done_at, vital=True),
    Rule("written_so", "preferences", "write name prefix format mark document sort wrap tag use keep", pattern(
        rf"{_FIRST}(?:(?:write|name|prefix|format|mark|document|sort|wrap|tag) (?:all |our |every |new )*"
        rf"(?:{_THINGS}|sql|css|html|ya?ml) "
        r"(?:with|in|as|under|after|by|using|like|without)\b (?!me\b|(?<!after )(?<!by )the\b|this\b|"
        r"that\b)(?!.*\.\w{1,4}$).{2,120}|"
        rf"keep (?:all |our |every |new |your )*{_THINGS} (?:under|below|within|shorter than|at most|short|small|pure|"
        rf"sorted|flat)\b(?!.*\b(?:it|them)\b).{{0,100}}|"
        rf"use (?!a\b|an\b|the\b|this\b|that\b|my\b|it\b){_SHORT} for (?:all |our |new |any )*"
        rf"(?:{_THINGS}|[\w-]+ (?:errors|code|work|dtos|types))(?:,? (?:and|but) .{{3,80}})?)$"), _wished, vital=True),
    Rule("none_of_them", "preferences", "no", pattern(
        r"^(?:please,? |and |also )*no (?:(?:default|wildcard|star|relative|circular|barrel|inline|global|nested|raw|"
        r"magic|"
        r"bare|mutable|commented[- ]out|third[- ]party|single[- ]letter) (?:exports?|imports?|files|types|styles|state|"
        r"ternaries|sql|numbers|strings|variables?|"
        r"comments|excepts?|defaults?|code|dependencies|names|queries)|semicolons|ternaries|"
        r"abbreviations|console\.logs?|print statements)(?: (?:in|outside|inside|anywhere)\b.{0,40})?(?:,? please|"
        r",? ever)?$"),
        _wished, vital=True),
    Rule("kept_in", "knowledge", "kept defined documented configured stored declared tracked", pattern(
        rf"{_FIRST}(?:the|our|all) [\w /-]{{3,40}} (?:is|are) (?:kept|defined|documented|configured|stored|declared|"
        rf"tracked) "
        r"in (?!there\b|this\b|that\b)(?=\S*[./_A-Z])\S{3,60}(?:,? .{3,100})?$"), _stated, vital=True),
    Rule("flagged", "knowledge", "flag column field", pattern(
        rf"{_FIRST}the [\w.]+ (?:table|model|collection|schema) has (?:an? )[\w -]{{0,30}}(?:flag|column|field|"
        rf"index),? "
        r".{2,160}$"), _stated, vital=True),
    Rule("always_in_queries", "preferences", "always", pattern(
        rf"{_FIRST}always (?:filter|exclude|join|group|cast|round|quote|escape|paginate|dedupe|partition|limit|"
        rf"use) .{{4,160}}$"),
        _wished, vital=True),
)  # fmt: skip
_BUT = (
    Rule("only_applies_to", "preferences", "only applies apply holds hold", pattern(
        rf"{_FIRST}(?:that|the|those|my) [\w -]{{3,40}} only (?:applies|apply|holds?|counts?) (?:to|for|in|when) "
        r"(?!this\b|that\b|it\b).{3,160}$|"
        r"^[\w-]+ (?:answers|replies|comments|summaries|explanations) only apply (?:to|for|in) .{3,160}$"),
        _wished, vital=True),
    Rule("allowed_for", "preferences", "fine ok okay allowed alright", pattern(
        rf"{_FIRST}(?:but )?(?:(?:for|in|inside) (?:[\w-]+ ){{0,3}}[\w-]+,? (?P<what>[\w .*-]{{3,40}}?) "
        r"(?:is|are) (?:fine|ok|okay|allowed|alright)(?: though)?|"
        r"(?P<what2>[\w .*-]{3,40}?) (?:is|are) (?:fine|ok|okay|allowed|alright) (?:in|for|inside)"
        r" (?:[\w-]+ ){0,3}[\w-]+"
        r"(?: though)?)$"), _allowed, insists=True, vital=True),
)  # fmt: skip
RULES = (*_AS_A_RULE, *_BUT)
