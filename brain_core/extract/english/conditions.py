"""What the user suffers from and takes, by the general form: "I have mild sleep apnea", "I'm on iron tablets"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import profile
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Build, Found, Rule, Scene
from brain_core.kinds.registry import slug

_LONGEST = 48
CONDITION = (
    r"(?:obstructive )?sleep apn(?:o)?ea|insomnia|narcolepsy|(?:high|low) (?:blood pressure|blood sugar|cholesterol|"
    r"iron)|hypotension|heart failure|heart murmur|atrial fibrillation|afib|arrhythmia|angina|"
    r"(?:an? )?(?:under|over)active thyroid|hypothyroidism|hyperthyroidism|acid reflux|gerd|ibs|colitis|gastritis|"
    r"(?:stomach )?ulcers?|gallstones|kidney stones|eczema|psoriasis|rosacea|gout|lupus|fibromyalgia|osteoporosis|"
    r"scoliosis|sciatica|tendonitis|bursitis|endometriosis|pcos|glaucoma|cataracts|tinnitus|vertigo|bronchitis|copd|"
    r"emphysema|sinusitis|hepatitis(?: [abc])?|hiv|neuropathy|ocd|ptsd|bipolar(?: disorder)?|depression|"
    r"(?:an? )?anxiety(?: disorder)?|h(?:a)?emophilia|sickle cell(?: disease| an(?:a)?emia)?|thalass(?:a)?emia|"
    r"iron deficiency|carpal tunnel(?: syndrome)?|runner['’]s knee|tennis elbow|plantar fasciitis|a slipped disc|"
    r"long covid|hay fever|crohn['’]?s(?: disease)?|(?-i:MS|POTS|EDS|MND)\b(?! (?:office|word|excel|teams|paint|"
    r"windows|access|project|dos))|multiple sclerosis|pre-?eclampsia|"
    r"(?:(?:breast|prostate|skin|bowel|lung|ovarian|cervical|thyroid|testicular|colon|pancreatic|kidney|bladder|"
    r"brain) )?"
    r"(?<!\ba )cancer(?! free)|leuk(?:a)?emia|lymphoma|an(?:a)?emia|motor neurone disease"
)
ANY_CONDITION = (
    rf"(?:{CONDITION}|(?:(?:gestational|type (?:1|2|one|two)) )?diabetes|type (?:1|2)(?=$|[,.;]| and\b| now\b)|"
    r"c(?:o)?eliac(?: disease)?|epilepsy|asthma|(?:(?:rheumatoid|psoriatic) )?arthritis|dementia|alzheimer['’]?s|"
    r"parkinson['’]?s|adhd|autism)"
)
"""With those of which one's own are read by other rules."""
_HOW = (
    r"(?:(?:also|really|very|a bit of|an?|the|some|mild|mildly|moderate|severe|slight|chronic|bad|terrible|acute|early|"
    r"untreated|borderline|quite|both|still|had|got) )*"
)
_TAKEN = (
    r"(?:(?!my\b|the\b|some\b|any\b|new\b|two\b|graphics\b|drawing\b|cough\b|poison\b|happy\b|red\b|blue\b)"
    r"[a-z]+ ){1,2}"
    r"(?:tablets|pills|supplements|capsules|injections|medication|meds|drops)|blood pressure (?:tablets|meds)|"
    r"antihistamines|painkillers|sleeping pills|the pill|beta[- ]blockers"
)
_WORDS = (
    "apnea apnoea insomnia narcolepsy pressure sugar cholesterol iron hypotension heart fibrillation afib arrhythmia "
    "angina thyroid hypothyroidism hyperthyroidism reflux gerd ibs colitis gastritis ulcer ulcers gallstones stones "
    "eczema psoriasis rosacea gout lupus fibromyalgia osteoporosis scoliosis sciatica tendonitis bursitis "
    "endometriosis pcos glaucoma cataracts tinnitus vertigo bronchitis copd emphysema sinusitis hepatitis hiv "
    "neuropathy ocd ptsd bipolar depression anxiety hemophilia haemophilia sickle thalassemia thalassaemia deficiency "
    "carpal runner's tennis fasciitis disc covid fever crohn's crohns ms pots eds mnd sclerosis eclampsia preeclampsia "
    "cancer leukemia leukaemia lymphoma anemia anaemia neurone"
)


def _of(area: str) -> Build:
    """Return what reads a clause of the user's own as a fact of an area, named by what it is."""

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        text = scene.clause.text
        if not _NO_STATE.search(text[: match.end("what")]) and not _PASSING.search(text):
            yield Found(profile((f"{area}_{slug(match['what'], _LONGEST)}", text)), span=(0, len(text)))

    return build


_NO_STATE = pattern(
    r"\b(?:not|no|never|used to|had|no longer|any ?more|stopped|maybe|perhaps|might|think|worried|afraid|off|if|unless|"
    r"whether|hope|wish|would|pretend|imagine)\b|\w+n['’]t\b|\?"
)
"""Before what is told: it is not so, or only supposed."""
_PASSING = pattern(
    r"\b(?:today|tonight|tomorrow|yesterday|last (?:night|week)|questions?|articles?|essay|books?|lecture|exam|papers?|"
    r"talk|patients?|to (?:school|work|the market))\b|\?"
)
_I_HAVE = (
    r"(?:i|we both)(?:['’]ve| have| am|['’]m)?(?: also| both| still| now| recently| just)* ?(?:been diagnosed with|got|"
    r"developed|suffer(?:ing)? from|living with|live with|was diagnosed with|have)?"
)
RULES = (
    Rule("condition", "profile", _WORDS,
        pattern(
            rf"^(?:{_I_HAVE} {_HOW}|(?:my |the )?(?:doctor|doc|gp|physio|consultant|specialist|cardiologist|"
            rf"neurologist) (?:says?|said|confirmed|told me)(?: that)? (?:it['’]s|it is|i have|i['’]ve got) {_HOW}|"
            rf"(?:the |my )?(?:results?|diagnosis)\b[^:]{{0,40}}: ?{_HOW})(?P<what>{CONDITION})\b.{{0,60}}$"),
        _of("health"), vital=True),
    Rule("diagnosed", "profile", "diagnosed", pattern(
        rf"^(?:(?:and|also|plus|i have|i['’]ve got)[, ]+)*{_HOW}(?P<what>{ANY_CONDITION}),? (?:i )?(?:just |only |"
        rf"finally )?"
        r"(?:got|was|been|have been) diagnosed\b.{0,60}$"), _of("health"), vital=True),
    Rule("taken_regularly", "profile",
        "tablets pills supplements capsules injections medication meds drops antihistamines painkillers pill blockers",
        pattern(
            r"^(?:so |and )?(?:i['’]?m|i am|i['’]ve been|i have been|i) (?:still |now |currently |also )*"
            rf"(?:on|taking|take|put on) (?:(?:an?|daily|strong|low[- ]dose) )*(?P<what>{_TAKEN})\b.{{0,60}}$"),
        _of("medicine"), vital=True),
)  # fmt: skip
