"""Phones, cars and computers by their makes: "got an iPhone 15" of who has told of a Pixel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.english.replacing import replaced
from brain_core.extract.english.target import Target, changeable, supposed
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_MODEL = r"(?: (?:(?-i:[A-Z\d])[\w.+-]*|[a-z]?\d[\w.+-]*|(?:pro|max|plus|mini|ultra|air|se)\b)){0,3}"
_KINDS = {
    "phone": Expression(
        r"\b(?:iPhone|Pixel(?= \d)|Galaxy [SAZ]\w*|OnePlus|Xperia|Fairphone|Nokia|Huawei (?:P|Mate)\w*|Xiaomi|"
        r"Redmi|Moto [GE]\w*|"
        rf"Motorola|Oppo|Vivo|Honor){_MODEL}(?![\w’'])",
        re.IGNORECASE,
    ),
    "car": Expression(
        r"\b(?:(?:Honda|Toyota|Mazda|Nissan|Subaru|Suzuki|Mitsubishi|Lexus|Hyundai|Kia|Ford|Chevy|Chevrolet|Dodge|Jeep|"
        r"Tesla|VW|Volkswagen|Audi|BMW|Mercedes|Opel|Vauxhall|Porsche|Skoda|Seat|Cupra|Fiat|Alfa Romeo|Renault|Peugeot|"
        rf"Citro[eë]n|Dacia|Volvo|Saab|Polestar|Mini|Jaguar|Land Rover|BYD|MG){_MODEL}|(?:Civic|Corolla|Octavia|"
        rf"Golf \d|"
        rf"Polo|Prius|Yaris|Fiesta|Focus){_MODEL})(?![\w’'])"
    ),
    "laptop": Expression(
        r"\b(?:MacBook|ThinkPad|Chromebook|Zenbook|EliteBook|Dell XPS|XPS|Surface|Framework|Latitude|IdeaPad|Matebook)"
        rf"{_MODEL}(?![\w’'])",
        re.IGNORECASE,
    ),
}
"""Things of which one has one at a time, and how the name of one reads."""


def _got(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what one has got in the place of the one thing of its kind that one is known to have."""
    if supposed(scene) or _NOT_INSTEAD.search(scene.clause.sentence):
        return
    for kind in _KINDS.values():
        new = kind.match(match["new"])
        held = [] if new is None else list(_held(kind, scene))
        if new is not None and len(held) == 1:
            target, old = held[0]
            article = ("an " if new[0][0] in "aeiouAEIOU" else "a ") if old.startswith(("a ", "an ")) else ""
            if not old.endswith(new[0]):
                yield from replaced(target, old, f"{article}{new[0]}", scene)
            return


def _held(kind: Expression, scene: Scene) -> Iterator[tuple[Target, str]]:
    for target in changeable(scene):
        named = kind.search(target.said)
        own = None if named is None else _OWN.fullmatch(target.said, 0, named.start())
        if named is not None and own is not None and len(kind.findall(target.said)) == 1:
            yield target, target.said[own.start("as") : named.end()]


_OWN = pattern(
    r"(?:(?:the user|i|we)(?:['’]ve| has| have)?(?: still| now)* (?:has|have|got|use|uses|own|owns|drive|drives) |"
    r"my (?:phone|car|laptop|computer|notebook)(?:['’]s| is) )?"
    r"(?P<as>(?:an? |the |my )?(?:(?:old|new|used|little|\d{4}) )*)"
)
"""How it is told that one has it."""
_NOT_INSTEAD = pattern(
    r"\?|\bfor (?:my|our|her|his|their|the (?:kids?|office|company|weekend|day|team))\b(?! birthday)|\b(?:too|"
    r"also|as well|"
    r"second|another|other|spare|rent(?:ed|al)?|borrow(?:ed)?|hired|lent|case|charger|cable|cover|test drive|"
    r"work phone|"
    r"game|poster|toy|until|while mine|repair\w*|wants?|might|maybe|thinking|should|would)\b"
)
RULES = (
    Rule("has_got", "profile", "got bought picked have switched upgraded went traded replaced ordered drive treated "
         "swapped use", pattern(
        r"^.{0,60}?(?:\b(?:i|we)(?:['’]ve| have)?(?: just| finally| also| now)* |^|, |\b(?:so|and|then) "
        r")(?:just |finally )?(?:(?:got|"
        r"bought|picked up|ordered|upgraded to|switched to|moved to|went for|went with|treated myself to|drive|use)"
        r"(?: myself| me)?|(?:traded|swapped|replaced) .{2,40}? (?:for|with|by)) "
        r"(?:(?:an?|the|my|one of those) )?(?:(?:new|brand new|used|second[- ]hand|old|shiny|refurbished|little|"
        r"secondhand|"
        r"\d{4}) )*(?P<new>(?-i:[A-Z]|i[A-Z]).{2,60})$"), _got, vital=True),
)  # fmt: skip
