"""Whether a backtracking search may read a repeated text in ever more ways: what its expression's automaton tells.

The automaton is Glushkov's: its positions are the places of an expression where a character is read. Of a loop with two
ways to read one word that lead to the same place again (exponential degree of ambiguity, EDA: Weber and Seidl, "On the
degree of ambiguity of finite automata", 1991) a search that fails tries 2**n ways through n such words. What stands
behind an end of the whole expression is not tried again, nor is what an atomic group, a possessive repeat or a
lookaround has read. Assertions of one character are heeded; longer ones count as met, so that more is reported than
takes long, and nothing less.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

LEAST_LOOP = 9
"""Times from which on a bounded repeat counts as a loop; below, it is written out."""
_NOTHING = 1
"""The bit that stands for no character: the one before a text, and behind it."""
_COMMON = "aQ1_ \n\t-,，。é中\x01"
_CATEGORIES = {
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
}
_EDGES = {1: (op.AT_END, op.AT_END_STRING), -1: (op.AT_BEGINNING, op.AT_BEGINNING_STRING)}
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


class Step(NamedTuple):
    """To a place, or from one, without reading: what stands before and behind, and atomic groups entered and left."""

    place: int
    before: int
    behind: int
    enters: frozenset[int] = frozenset()
    leaves: frozenset[int] = frozenset()


class Part(NamedTuple):
    """The ways through a part that read nothing (of no place), to its first places, and from its last."""

    empty: Sequence[Step]
    first: Sequence[Step]
    last: Sequence[Step]


class Pump(NamedTuple):
    """A text that leads to a loop, and a word which that reads in two ways."""

    lead: str
    word: str


class Automaton:
    """What one expression reads, and by which steps."""

    def __init__(self, tree: Any, flags: int, is_whole: bool) -> None:  # noqa: ANN401  sre's own
        """is_whole: a match must reach the end of the text."""
        self._characters = _characters_of(tree)
        self._all = (1 << (len(self._characters) + 1)) - 1
        self._bits = {each: 2 << place for place, each in enumerate(self._characters)}
        self._categories: dict[Any, int] = {}
        self._free = [Step(-1, self._all, self._all)]
        """The way of what reads nothing and asks nothing."""
        self._flags = flags
        self.reads: list[int] = []
        """Of each place: characters, a bit each."""
        self.inside: list[frozenset[int]] = []
        """Of each place: the atomic groups around it."""
        self.steps: list[list[Step]] = []
        self.inner: list[Any] = []
        """Trees of what is read by itself: lookarounds and atomic groups."""
        self._within: frozenset[int] = frozenset()
        self._atomic = 0
        self._groups: dict[int, Any] = {}
        self._word = self._category(op.CATEGORY_WORD)
        self.whole = self._row(tree)
        ends = [] if is_whole else [one.place for one in self.whole.last if self._accepts(one)]
        self.ends = set(ends)

    def _accepts(self, one: Step) -> bool:
        return one.behind == self._all and one.before & self.reads[one.place] == self.reads[one.place]

    def text(self, characters: int) -> str:
        """Return a character of some, the one that stands first."""
        return self._characters[(characters & -characters).bit_length() - 2]

    # What a node is.

    def _row(self, tree: Any) -> Part:  # noqa: ANN401
        part = Part(self._free, [], [])
        for code, given in tree:
            part = self._then(part, self._node(code, given))
        return part

    def _node(self, code: Any, given: Any) -> Part:  # noqa: ANN401, PLR0911
        if code is op.SUBPATTERN:
            if given[0] is not None:
                self._groups[given[0]] = given[3]
            around, self._flags = self._flags, (self._flags | given[1]) & ~given[2]
            part, self._flags = self._row(given[3]), around
            return part
        if code is op.GROUPREF:
            return self._row(self._groups[given])
        if code is op.GROUPREF_EXISTS:
            return self._either([self._row(given[1]), self._row(given[2] or [])])
        if code is op.BRANCH:
            return self._either([self._row(branch) for branch in given[1]])
        if code is op.ATOMIC_GROUP:
            return self._alone(given)
        if code is op.POSSESSIVE_REPEAT:
            return self._alone([(op.MAX_REPEAT, given)])
        if code in _REPEATS:
            return self._repeat(*given)
        if code in (op.ASSERT, op.ASSERT_NOT):
            self.inner.append(given[1])
            return Part([self._looked(code is op.ASSERT_NOT, *given)], [], [])
        if code is op.AT:
            return Part(self._edges(given), [], [])
        return self._character(self.characters(code, given))

    def _character(self, characters: int) -> Part:
        if not characters:
            return Part([], [], [])
        place = len(self.reads)
        self.reads.append(characters)
        self.inside.append(self._within)
        self.steps.append([])
        step = Step(place, self._all, self._all)
        return Part([], [step], [step])

    def _either(self, parts: Sequence[Part]) -> Part:
        return Part(*([step for part in parts for step in part[at]] for at in range(3)))

    def _then(self, one: Part, other: Part) -> Part:
        self._lead(one.last, other.first)
        return Part(
            self._each_with(one.empty, other.empty),
            [*one.first, *self._each_with(one.empty, other.first)],
            [*other.last, *self._each_with(one.last, other.empty)],
        )

    def _each_with(self, some: Sequence[Step], others: Sequence[Step]) -> Sequence[Step]:
        """Return what each of some ways gives with each of others that follows, no way more than twice."""
        if self._free in (some, others):
            return others if some == self._free else some
        return _no_more_than_two(self._both(one, other) for one in some for other in others)

    def _both(self, one: Step, other: Step) -> Step:
        return Step(
            max(one.place, other.place),
            one.before & other.before,
            one.behind & other.behind,
            one.enters | other.enters,
            one.leaves | other.leaves,
        )

    def _lead(self, last: Iterable[Step], first: Sequence[Step]) -> None:
        for end in last:
            for to in first:
                before, behind = end.before & to.before & self.reads[end.place], end.behind & to.behind
                if before and behind & self.reads[to.place]:
                    step = Step(to.place, before, behind, end.enters | to.enters, end.leaves)
                    if self.steps[end.place].count(step) < 2:
                        self.steps[end.place].append(step)

    def _repeat(self, least: int, most: Any, tree: Any) -> Part:  # noqa: ANN401
        if most == 0:
            return self._row([])
        nothing = self._row([])
        if most >= LEAST_LOOP:
            part = self._row(tree)
            self._lead(part.last, part.first)
            again = Part([*nothing.empty, *part.empty], part.first, part.last)
            ends = self._each_with(part.last, again.empty)
            part = Part(part.empty if least else again.empty, part.first, ends)
            for _ in range(min(least, LEAST_LOOP) - 1):
                part = self._then(self._row(tree), part)
            return part
        part = nothing
        for times in range(most, 0, -1):
            part = self._then(self._row(tree), part)
            part = part if times <= least else Part([*nothing.empty, *part.empty], part.first, part.last)
        return part

    def _alone(self, tree: Any) -> Part:  # noqa: ANN401
        """Return a group that is read one way only, from one place."""
        self.inner.append(tree)
        self._atomic += 1
        number, around = self._atomic, self._within
        self._within = around | {number}
        part = self._row(tree)
        self._within = around
        return Part(
            [one._replace(enters=one.enters | {number}) for one in dict.fromkeys(part.empty)],
            [one._replace(enters=one.enters | {number}) for one in dict.fromkeys(part.first)],
            [one._replace(leaves=one.leaves | {number}) for one in dict.fromkeys(part.last)],
        )

    # What characters it knows.

    def characters(self, code: Any, given: Any) -> int:  # noqa: ANN401
        """Return those that a node of one character reads."""
        if code is op.ANY:
            return self._all & ~_NOTHING & ~(0 if self._flags & re.DOTALL else self._literal(ord("\n")))
        if code is op.NOT_LITERAL:
            return self._all & ~_NOTHING & ~self._literal(given)
        if code is op.LITERAL:
            return self._literal(given)
        if code is not op.IN:
            raise NotImplementedError(code)
        found = 0
        for kind, value in given:
            if kind is op.LITERAL:
                found |= self._literal(value)
            elif kind is op.RANGE:
                found |= self._range(*value)
            elif kind is op.CATEGORY:
                found |= self._category(value)
        return self._all & ~_NOTHING & ~found if given[0][0] is op.NEGATE else found

    def _literal(self, code_point: int) -> int:
        one = chr(code_point)
        if not self._flags & re.IGNORECASE:
            return self._bits[one]
        return self._bits[one] | self._bits.get(one.lower(), 0) | self._bits.get(one.upper(), 0)

    def _range(self, first: int, last: int) -> int:
        found = 0
        for each in self._characters:
            if first <= ord(each) <= last:
                found |= self._literal(ord(each))
        return found

    def _category(self, category: Any) -> int:  # noqa: ANN401
        if category not in self._categories:
            one = re.compile(_CATEGORIES[category], self._flags & re.ASCII)
            self._categories[category] = sum(bit for each, bit in self._bits.items() if one.match(each))
        return self._categories[category]

    # What it asks of what stands around.

    def _edges(self, at: Any) -> list[Step]:  # noqa: ANN401
        every, word = self._all, self._word
        line = self._literal(ord("\n")) if self._flags & re.MULTILINE else 0
        if at in _EDGES[-1]:
            return [Step(-1, _NOTHING | line, every)]
        if at in _EDGES[1]:
            return [Step(-1, every, _NOTHING | line)]
        if at is op.AT_BOUNDARY:
            return [Step(-1, word, every & ~word), Step(-1, every & ~word, word)]
        return [Step(-1, word, word), Step(-1, every & ~word, every & ~word)]

    def _looked(self, is_not: bool, direction: int, tree: Any) -> Step:  # noqa: ANN401
        """Return what an assertion asks of the next character, or of the last one."""
        meets = self._beside(tree, direction, is_not)
        meets = self._all & ~meets if is_not else meets
        return Step(-1, self._all, meets) if direction > 0 else Step(-1, meets, self._all)

    def _beside(self, tree: Any, direction: int, is_all: bool) -> int:  # noqa: ANN401
        """Return characters that may stand beside; is_all: only where an assertion is met whatever else is there."""
        row = list(tree)[::direction]
        if not row:
            return self._all
        (code, given), rest = row[0], row[1:]
        if code is op.BRANCH or (code is op.SUBPATTERN and not (given[1] or given[2])):
            found = 0
            for each in given[1] if code is op.BRANCH else [given[3]]:
                found |= self._beside([*list(each)[::direction], *rest][::direction], direction, is_all)
            return found
        if code in _REPEATS and given[0] and not (is_all and (given[0] > 1 or rest)):
            return self._beside(given[2], direction, is_all)
        if is_all and rest:
            return 0
        if code in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            return self.characters(code, given)
        return _NOTHING if code is op.AT and given in _EDGES[direction] else 0 if is_all else self._all


def _no_more_than_two(steps: Iterable[Step]) -> list[Step]:
    counts = Counter(steps)
    return [step for step, count in counts.items() for _ in range(min(count, 2))]


def _characters_of(tree: Any) -> str:  # noqa: ANN401
    """Return characters of which each set that an expression tells apart from others has one."""
    found = set(_COMMON)
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple) and len(node) == 2 and (node[0] is op.LITERAL or node[0] is op.NOT_LITERAL):
            found.update(chr(node[1]))
        elif isinstance(node, tuple) and len(node) == 2 and node[0] is op.RANGE:
            first, last = node[1]
            found.update(map(chr, {max(first - 1, 0), first, last, min(last + 1, 0x10FFFF)}))
        elif isinstance(node, (tuple, list, parser.SubPattern)):
            pending += list(node)
    found |= {other for one in found for other in (one.lower(), one.upper()) if len(other) == 1}
    return "".join(sorted(found, key=lambda one: (one == "\x01", not one.isalnum(), one)))


def components(steps: Sequence[Sequence[Step]], without: set[int]) -> list[list[int]]:
    """Return the strongly connected places among which there is a step (Kosaraju)."""
    onward = {
        place: [step.place for step in of_place if step.place not in without]
        for place, of_place in enumerate(steps)
        if place not in without
    }
    back: dict[int, list[int]] = {place: [] for place in onward}
    for place, places in onward.items():
        for to in places:
            back[to].append(place)
    seen: set[int] = set()
    left = [place for start in onward for place in _left(start, onward, seen)]
    seen = set()
    found = [_left(start, back, seen) for start in reversed(left)]
    return [each for each in found if len(each) > 1 or (each and each[0] in onward[each[0]])]


def _left(start: int, onward: dict[int, list[int]], seen: set[int]) -> list[int]:
    """Return what is reached from a place and has not been seen, in the order in which a search leaves it."""
    if start in seen:
        return []
    seen.add(start)
    left = []
    work = [(start, iter(onward[start]))]
    while work:
        place, rest = work[-1]
        to = next((one for one in rest if one not in seen), None)
        if to is None:
            left.append(place)
            work.pop()
        else:
            seen.add(to)
            work.append((to, iter(onward[to])))
    return left


Pair = tuple[int, int, int]
"""Two places, the lower first, and the characters that both may just have read."""


def _forks(automaton: Automaton, place: int, among: set[int]) -> Iterator[Pair]:
    """Yield the pairs of places to which two ways lead from one."""
    steps = [step for step in automaton.steps[place] if step.place in among]
    within = automaton.inside[place]
    for at, one in enumerate(steps):
        for other in steps[:at]:
            if one.enters & other.enters or within - (one.leaves & other.leaves):
                continue
            read = _read(automaton, one, other)
            if read and one.before & other.before:
                yield *sorted((one.place, other.place)), read  # type: ignore[misc]


def _read(automaton: Automaton, one: Step, other: Step) -> int:
    return automaton.reads[one.place] & one.behind & automaton.reads[other.place] & other.behind


def ambiguous_loop(automaton: Automaton) -> Pump | None:
    """Return a word that a loop reads in two ways, with what leads there; None where no loop does."""
    for component in components(automaton.steps, automaton.ends):
        among = set(component)
        came: dict[Pair, tuple[Pair | None, int]] = {}
        pending: deque[Pair] = deque()
        for place in component:
            for pair in _forks(automaton, place, among):
                if pair not in came:
                    came[pair] = (None, place)
                    pending.append(pair)
        while pending:
            pair = pending.popleft()
            if pair[0] == pair[1]:
                return _pump(automaton, pair, came, among)
            for next_pair in _onward(automaton, pair, among):
                if next_pair not in came:
                    came[next_pair] = (pair, came[pair][1])
                    pending.append(next_pair)
    return None


def _onward(automaton: Automaton, pair: Pair, among: set[int]) -> Iterator[Pair]:
    first, second, read = pair
    others = [step for step in automaton.steps[second] if step.place in among and step.before & read]
    for one in automaton.steps[first]:
        if one.place not in among or not one.before & read:
            continue
        for other in others:
            both = _read(automaton, one, other)
            if both and one.before & other.before & read:
                yield *sorted((one.place, other.place)), both  # type: ignore[misc]


def _pump(automaton: Automaton, pair: Pair, came: dict[Pair, tuple[Pair | None, int]], among: set[int]) -> Pump:
    merged, start = pair[0], came[pair][1]
    word = []
    at: Pair | None = pair
    while at is not None:
        word.append(automaton.text(at[2]))
        at = came[at][0]
    around = "" if merged == start else way_to(automaton, automaton.steps[merged], start, among)
    lead = way_to(automaton, automaton.whole.first, start, None)
    return Pump(lead, "".join(reversed(word)) + around)


def way_to(automaton: Automaton, steps: Sequence[Step], goal: int, among: set[int] | None) -> str:
    """Return the shortest text that is read on the way to a place, of which the last character is read there."""
    came: dict[int, str] = {}
    pending: deque[tuple[str, Sequence[Step]]] = deque([("", steps)])
    while pending:
        text, onward = pending.popleft()
        for step in onward:
            read = automaton.reads[step.place] & step.behind
            if read and step.place not in came and (among is None or step.place in among):
                came[step.place] = text + automaton.text(read)
                if step.place == goal:
                    return came[goal]
                pending.append((came[step.place], automaton.steps[step.place]))
    return ""


def automata(source: str, flags: int, is_whole: bool = False) -> Iterator[Automaton]:
    """Yield the automaton of an expression, and those of what it reads by itself, of what has loops."""
    tree = parser.parse(source, flags)
    pending: list[tuple[Any, bool]] = [(tree, is_whole)]
    while pending:
        part, whole = pending.pop()
        if _has_loops(part):
            one = Automaton(part, tree.state.flags, whole)
            pending += [(inner, False) for inner in one.inner]
            yield one


def _has_loops(node: Any) -> bool:  # noqa: ANN401
    if isinstance(node, tuple) and any(node[0] is each for each in _REPEATS) and node[1][1] >= LEAST_LOOP:
        return True
    return isinstance(node, (tuple, list, parser.SubPattern)) and any(map(_has_loops, node))
