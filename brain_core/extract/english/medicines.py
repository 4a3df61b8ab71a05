"""What the user takes by the doctor's word, and what he must not be given: a medicine, "no nuts, I'm allergic"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import preference, profile, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import known_facts
from brain_core.extract.language import Found, Rule, Scene
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

_KEY = "medicine_"
MEDICINES = (
    "warfarin apixaban rivaroxaban dabigatran edoxaban heparin clopidogrel aspirin thinners thinner anticoagulants "
    "insulin metformin gliclazide semaglutide ozempic mounjaro wegovy statin statins atorvastatin simvastatin "
    "rosuvastatin amlodipine lisinopril ramipril enalapril losartan candesartan valsartan bisoprolol atenolol "
    "propranolol metoprolol digoxin furosemide spironolactone blockers levothyroxine thyroxine carbimazole prednisone "
    "prednisolone hydrocortisone steroids methotrexate azathioprine adalimumab humira tamoxifen letrozole chemo "
    "chemotherapy immunosuppressants omeprazole lansoprazole pantoprazole citalopram escitalopram sertraline "
    "fluoxetine prozac paroxetine venlafaxine duloxetine mirtazapine amitriptyline antidepressants ssri ssris lithium "
    "quetiapine olanzapine risperidone aripiprazole clozapine diazepam lorazepam zopiclone ritalin methylphenidate "
    "adderall lisdexamfetamine lamotrigine valproate levetiracetam carbamazepine gabapentin pregabalin morphine "
    "codeine tramadol oxycodone methadone naproxen ibuprofen paracetamol acetaminophen salbutamol ventolin "
    "antibiotics penicillin amoxicillin finasteride hrt levodopa madopar sinemet donepezil memantine infliximab "
    "rituximab ustekinumab etanercept mesalazine sulfasalazine hydroxychloroquine dapagliflozin empagliflozin "
    "sitagliptin dulaglutide liraglutide doxycycline nitrofurantoin montelukast symbicort fostair seretide cetirizine "
    "loratadine fexofenadine colchicine allopurinol diltiazem verapamil doxazosin tamsulosin ezetimibe topiramate "
    "sumatriptan baclofen buprenorphine naltrexone buspirone bupropion trazodone vortioxetine zoloft lexapro cymbalta "
    "wellbutrin lipitor xarelto eliquis synthroid vyvanse concerta melatonin testosterone estradiol ciclosporin "
    "tacrolimus mycophenolate interferon mirabegron solifenacin desloratadine"
)
_MEDICINE = rf"(?P<medicine>{'|'.join(MEDICINES.split())})"
_HOW = r"(?: (?:also|still|now|currently|only|just|always|already|both|been|daily))*"
_TAKEN = Expression(
    rf"^(?:(?:and|but|so|as|since|because|well|also|yes|oh) )*(?:i{_HOW} take|i(?:'m|’m|'ve|’ve| am| have)?{_HOW} "
    r"(?:on|taking|prescribed|injecting)|(?:my |the )?(?:\w+ )?(?:doctor|gp|consultant|cardiologist|psychiatrist|"
    rf"hospital|they|he|she)(?:'s|’s|'ve|’ve| has| have)?{_HOW} (?:put me (?:back )?on|prescribed me|got me on|"
    rf"keeps? me on|started me on))\b[^?]{{0,40}}?\b{_MEDICINE}\b",
    re.IGNORECASE,
)
_STOPPED = Expression(
    r"^(?!.*\b(?:not|never|if|should|can|could|wants? me)\b.*\b(?:off|stop))"
    rf".*\b(?:off|stopped|quit|finished|done with)\b[^?]{{0,30}}?\b{_MEDICINE}\b",
    re.IGNORECASE,
)
_NOT_NOW = Expression(
    r"\b(?:if|when i was|used to|stopped|instead of|never|not|no longer|"
    r"my (?:mother|father|mum|dad|wife|husband|son|daughter)'s)\b",
    re.IGNORECASE,
)
_UNWANTED = Expression(
    r"\b(?:no|without|skip(?:ping)?|leave out|avoid(?:ing)?|hold|not|nothing with|"
    r"don't (?:use|add|put|give me|include|suggest)) (?:the |any )?(?P<what>[\w-]+(?: [\w-]+)?)",
    re.IGNORECASE,
)


def _medicine(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if not _NOT_NOW.search(text):
        yield Found(profile((f"{_KEY}{slug(match['medicine'], 32)}", text)), span=(0, len(text)))


def _stopped(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "I'm off the warfarin now" of a medicine that is known."""
    key = f"{_KEY}{slug(match['medicine'], 32)}"
    for k, v in known_facts(scene.known):
        if k == key:
            yield Found({"subject": "user", "facts": [{"k": k, "v": v}]}, denies=True, span=(0, len(scene.clause.text)))


def _allergic(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read "no nuts please, I'm allergic": what is not wanted stands in the sentence, before or after."""
    sentence = scene.clause.sentence
    unwanted = _UNWANTED.search(sentence)
    if unwanted is not None:
        name = f"allergy_{topic(unwanted['what'].removesuffix(' please'), 2)}"
        yield Found(preference(sentence.strip(), sentence, name=name))


RULES = (
    Rule("medicine_stopped", "profile", MEDICINES, _STOPPED, _stopped, vital=True),
    Rule("medicine", "profile", MEDICINES, _TAKEN, _medicine, vital=True),
    Rule(
        "allergic_so_without", "preferences", "allergic intolerant",
        pattern(
            r"(?:^|, )(?:because |since |as |cause |'cause |for )?(?:i'm|i’m|i am|im) (?:\w+ )?(?:allergic|intolerant)"
            r"(?: to (?:it|them|those|that|these))?$"
        ),
        _allergic, vital=True,
    ),
)  # fmt: skip
"""All vital: read however little the judge thinks of the sentence."""
