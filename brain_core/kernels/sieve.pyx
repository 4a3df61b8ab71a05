"""Which of many patterns may match a text, by strings that each of their ways to match needs."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

cdef extern from "Python.h" nogil:
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t index) noexcept
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) noexcept
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 character) noexcept

cdef extern from "products.h" nogil:
    void prefetch(const void* place) noexcept
    void prefetch_all(const void* place, long bytes) noexcept

cdef enum:
    BEGINS = 5  # characters of a word, at most, by which it is looked up
    KEY_BITS = 64
    KNOWN_BITS = 16  # of a key's product, by which most keys that nothing begins with are told
    FIRST_BITS = 6  # of the number of slots
    MOST_DEMANDS = 255  # of a way
    OF_THE_TEXT = 2  # as of text.needed
    NONE = -1
    OFTEN = 256  # searches after which it pays to read what a match needs
    MOST_TEXTS = 2048  # remembered
    LONGEST = 2000  # characters of such a text

cdef uint64_t SPREAD = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio: neighbouring keys fall far apart
cdef uint64_t STEP = 0x100000001B3  # the prime of FNV
cdef uint64_t ANYWHERE = 0, AT_AN_EDGE = 2  # keys of no characters yet, of words that begin so
cdef Py_UCS4 FIGURE = c"0"


cdef struct Slot:
    uint64_t key  # 0 where nothing is
    int32_t last  # of the words that begin so, the one that came last


cdef struct Word:
    uint32_t begin, size  # where it stands among all letters
    int32_t before  # the one before it that begins so
    int32_t last  # of its meetings
    uint8_t begins, ends  # edges


cdef struct Meeting:
    uint32_t demand  # that a word meets
    int32_t before  # the one before it of the same word


cdef struct Asked:
    uint64_t key
    Py_ssize_t begin  # of the key in a text
    size_t place  # of its slot; then of the last of the words that begin so


cdef struct Text:
    Py_ssize_t size
    Py_ssize_t first, last  # characters of words in it, size and -1 if there are none
    vector[Py_UCS4] letters  # figures folded
    vector[uint8_t] of_words


cdef struct Met:
    vector[uint8_t] words  # that have been found
    vector[uint8_t] demands
    vector[uint8_t] unmet  # demands of each way
    uint8_t* owners  # of which a way is met


cdef inline bint is_of_a_word(Py_UCS4 character) noexcept nogil:
    return 0x4E00 <= character <= 0x9FFF or character == c"_" or Py_UNICODE_ISALNUM(character)


cdef void read_text(int kind, void* data, Py_ssize_t size, Text& text) noexcept nogil:
    cdef Py_ssize_t at
    cdef Py_UCS4 character
    text.size = text.first = size
    text.last = -1
    text.letters.resize(size)
    text.of_words.resize(size)
    for at in range(size):
        character = PyUnicode_READ(kind, data, at)
        text.letters[at] = FIGURE if Py_UNICODE_ISDECIMAL(character) else character
        text.of_words[at] = is_of_a_word(character)
        if text.of_words[at]:
            text.first = min(text.first, at)
            text.last = at


cdef inline uint64_t longer(uint64_t key, Py_UCS4 character) noexcept nogil:
    """Return the key of a beginning and one more character, never 0."""
    return (key * STEP) ^ (<uint64_t>character << 1) | 1


cdef uint64_t key_of(str begin, bint at_an_edge):
    cdef uint64_t key = AT_AN_EDGE if at_an_edge else ANYWHERE
    cdef Py_ssize_t at
    for at in range(len(begin)):
        key = longer(key, <Py_UCS4>begin[at])
    return key


cdef check_way(way):
    if not 0 < len(way) <= MOST_DEMANDS:
        raise ValueError(f"a way must have 1 to {MOST_DEMANDS} demands, got {len(way)}")
    for demand in way:
        for text, begins, ends in demand:
            if not text or "\0" in text:
                raise ValueError(f"a word must have characters, none of them NUL, got {text!r}")
            if not (0 <= begins <= OF_THE_TEXT and 0 <= ends <= OF_THE_TEXT):
                raise ValueError(f"edges must be in 0..{OF_THE_TEXT}, got {begins}, {ends}")


cdef class Sieve:
    """Ways of patterns, found by how their words begin. Safe for use from many threads."""

    cdef vector[Slot] slots  # a power of two, at least half of them empty
    cdef size_t used
    cdef int shift
    cdef vector[uint64_t] known  # bits
    cdef vector[Word] words
    cdef vector[Py_UCS4] letters
    cdef vector[Meeting] meetings
    cdef vector[uint32_t] way_of  # each demand
    cdef vector[uint32_t] owner_of  # each way
    cdef vector[uint8_t] demands_of  # each way
    cdef uint32_t count  # of the patterns
    cdef dict heard  # texts, and of each a byte for every pattern: whether it may match there
    cdef dict folded  # texts, and the form of each in which folded patterns are looked for
    cdef object fold

    def __cinit__(self, fold=None):
        """fold: gives the form of a text in which folded patterns are looked for, None where there is none."""
        self.used = self.count = 0
        self.heard, self.folded = {}, {}
        self.fold = fold
        self.shift = KEY_BITS - FIRST_BITS
        self.slots.resize(<size_t>1 << FIRST_BITS, Slot(0, NONE))
        self.known.resize(<size_t>1 << (KNOWN_BITS - 6), 0)

    def add(self, ways):
        """Add a pattern and return its number, counted from 0. ways: in which it may match, of all of them one.

        A way is of demands, of which it must meet each; a demand of words, of which one must be there. A word is (text,
        begins, ends): at least one character, none of which is NUL, a 0 for any decimal digit, and the edges at which
        it stands, 0 to 2, as text.needed has them. Raises ValueError, and nothing is added then.
        """
        ways = list(ways)
        for way in ways:
            check_way(way)
        for way in ways:
            for demand in way:
                for text, begins, ends in demand:
                    self.meet_by(self.word_of(text, begins, ends), <uint32_t>self.way_of.size())
                self.way_of.push_back(<uint32_t>self.owner_of.size())
            self.owner_of.push_back(self.count)
            self.demands_of.push_back(<uint8_t>len(way))
        self.count += 1
        self.heard = {}
        return self.count - 1

    cdef void meet_by(self, size_t word, uint32_t demand) noexcept:
        self.meetings.push_back(Meeting(demand, self.words[word].last))
        self.words[word].last = <int32_t>(self.meetings.size() - 1)

    cdef size_t word_of(self, str text, uint8_t begins, uint8_t ends):
        """Return where a word stands among all, which it does from now on."""
        cdef size_t place = self.slot_of(key_of(text[:BEGINS], begins > 0))
        cdef int32_t number = self.slots[place].last
        while number != NONE:
            if self.is_word(self.words[number], text, begins, ends):
                return number
            number = self.words[number].before
        self.words.push_back(
            Word(<uint32_t>self.letters.size(), <uint32_t>len(text), self.slots[place].last, NONE, begins, ends)
        )
        for character in text:
            self.letters.push_back(<Py_UCS4>ord(character))
        self.slots[place].last = <int32_t>(self.words.size() - 1)
        return self.words.size() - 1

    cdef bint is_word(self, const Word& word, str text, uint8_t begins, uint8_t ends) noexcept:
        cdef Py_ssize_t at
        if word.begins != begins or word.ends != ends or <Py_ssize_t>word.size != len(text):
            return False
        for at in range(len(text)):
            if self.letters[word.begin + at] != <Py_UCS4>text[at]:
                return False
        return True

    cdef size_t slot_of(self, uint64_t key):
        """Return the slot of a key, which has one from now on."""
        cdef size_t place = self.place_of(key)
        cdef uint64_t bit = (key * SPREAD) >> (KEY_BITS - KNOWN_BITS)
        if self.slots[place].key:
            return place
        if 2 * (self.used + 1) > self.slots.size():
            self.make_room()
            place = self.place_of(key)
        self.slots[place].key = key
        self.known[bit >> 6] |= <uint64_t>1 << (bit & 63)
        self.used += 1
        return place

    cdef void make_room(self):
        cdef vector[Slot] before = self.slots
        cdef size_t at
        self.slots.assign(2 * before.size(), Slot(0, NONE))
        self.shift -= 1
        for at in range(before.size()):
            if before[at].key:
                self.slots[self.place_of(before[at].key)] = before[at]

    cdef size_t place_of(self, uint64_t key) noexcept nogil:
        """Return where a key stands, or where it would."""
        cdef size_t place = <size_t>((key * SPREAD) >> self.shift)
        while self.slots[place].key and self.slots[place].key != key:
            place = (place + 1) & (self.slots.size() - 1)
        return place

    cdef void ask(self, uint64_t key, Py_ssize_t begin, vector[Asked]& asked) noexcept nogil:
        """Have a key looked up that words may begin with. begin: where it stands in the text."""
        cdef uint64_t product = key * SPREAD
        cdef uint64_t bit = product >> (KEY_BITS - KNOWN_BITS)
        if (self.known[bit >> 6] >> (bit & 63)) & 1:
            asked.push_back(Asked(key, begin, <size_t>(product >> self.shift)))
            prefetch(&self.slots[product >> self.shift])

    cdef void look_up(self, vector[Asked]& asked) noexcept nogil:
        """Keep the keys that words do begin with, and find those words."""
        cdef size_t number, kept = 0
        cdef Asked one
        for number in range(asked.size()):
            one = asked[number]
            while self.slots[one.place].key != one.key and self.slots[one.place].key:
                one.place = (one.place + 1) & (self.slots.size() - 1)
            if self.slots[one.place].key:
                one.place = <size_t>self.slots[one.place].last
                prefetch(&self.words[one.place])
                asked[kept] = one
                kept += 1
        asked.resize(kept)
        for number in range(kept):
            prefetch(self.letters.data() + self.words[asked[number].place].begin)

    cdef void note(self, const Asked& asked, const Text& text, Met& met) noexcept nogil:
        """Note the words that begin with a key and go on as the text does."""
        cdef int32_t number = <int32_t>asked.place
        while number != NONE:
            if not met.words[number] and self.stands(self.words[number], text, asked.begin):
                met.words[number] = True
                self.meet(self.words[number], met)
            number = self.words[number].before

    cdef bint stands(self, const Word& word, const Text& text, Py_ssize_t begin) noexcept nogil:
        """Return whether a word stands in a place, at its edges. Those of words have been looked at."""
        cdef uint32_t i
        cdef Py_ssize_t stop = begin + <Py_ssize_t>word.size
        if stop > text.size or (word.begins == OF_THE_TEXT and begin > text.first):
            return False
        for i in range(word.size):
            if text.letters[begin + i] != self.letters[word.begin + i]:
                return False
        if word.ends == OF_THE_TEXT:
            return stop > text.last
        return not word.ends or stop == text.size or not text.of_words[stop]

    cdef void meet(self, const Word& word, Met& met) noexcept nogil:
        cdef int32_t at = word.last
        cdef uint32_t demand, way
        while at != NONE:
            demand = self.meetings[at].demand
            at = self.meetings[at].before
            if not met.demands[demand]:
                met.demands[demand] = True
                way = self.way_of[demand]
                met.unmet[way] -= 1
                if not met.unmet[way]:
                    met.owners[self.owner_of[way]] = True

    cdef bytearray hear(self, str text):
        """Return a byte for each pattern: whether it may match in a text."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t at, ahead, size = PyUnicode_GET_LENGTH(text)
        cdef uint64_t key, of_edge
        cdef size_t number
        cdef bint at_an_edge
        cdef Text read
        cdef Met met
        cdef vector[Asked] asked
        cdef bytearray found = bytearray(self.count)
        met.owners = found
        prefetch_all(self.known.data(), <long>(self.known.size() * sizeof(uint64_t)))
        read_text(kind, data, size, read)
        met.words.resize(self.words.size(), 0)
        met.demands.resize(self.way_of.size(), 0)
        met.unmet = self.demands_of
        for at in range(size):
            key, of_edge = ANYWHERE, AT_AN_EDGE
            at_an_edge = at == 0 or not read.of_words[at - 1]
            for ahead in range(min(<Py_ssize_t>BEGINS, size - at)):
                key = longer(key, read.letters[at + ahead])
                self.ask(key, at, asked)
                if at_an_edge:
                    of_edge = longer(of_edge, read.letters[at + ahead])
                    self.ask(of_edge, at, asked)
        self.look_up(asked)
        for number in range(asked.size()):
            self.note(asked[number], read, met)
        return found

    def possible(self, str text not None):
        """Return the numbers of the patterns that may match in a text, those of which a way has all its demands met."""
        cdef bytearray found = self.hear(text)
        return [number for number in range(len(found)) if found[number]]

    def excludes(self, str text not None, Py_ssize_t number):
        """Return whether a pattern surely has no match in a text of up to 2,000 characters; False of a longer one.

        number: what `add` returned. What is asked of the same text for one pattern after the other is looked up once.
        Raises ValueError.
        """
        if not 0 <= number < <Py_ssize_t>self.count:
            raise ValueError(f"number must be in 0..{<Py_ssize_t>self.count - 1}, got {number}")
        return self.rules_out(text, number)

    cdef bint rules_out(self, str text, Py_ssize_t number) except -1:
        cdef bytearray found
        if PyUnicode_GET_LENGTH(text) > LONGEST:
            return False
        found = self.heard.get(text)
        if found is None:
            found = self.hear(text)
            if len(self.heard) >= MOST_TEXTS:
                self.heard = {}
            self.heard[text] = found
        return not found[number]

    cdef str folded_form(self, str text):
        cdef object form
        if text in self.folded:
            return self.folded[text]
        form = self.fold(text)
        if PyUnicode_GET_LENGTH(text) <= LONGEST:
            if len(self.folded) >= MOST_TEXTS:
                self.folded = {}
            self.folded[text] = form
        return form


cdef class Guard:
    """Searches of an expression, of no text in which a sieve knows that there is no match.

    A folded expression is looked for in the text's folded form first, and what is found matched again as it stands.
    """

    cdef Sieve sieve
    cdef object ways, compile_whole, compile_folded
    cdef object whole, folded  # compiled at first need
    cdef Py_ssize_t number
    cdef int asked

    def __init__(self, Sieve sieve not None, ways, whole, folded=None):
        """ways: gives those of the expression for the sieve, asked for after 256 searches. whole, folded: compile it.

        An expression without folded is looked for in texts as they stand alone.
        """
        self.sieve, self.ways, self.compile_whole, self.compile_folded = sieve, ways, whole, folded
        self.whole = self.folded = None
        self.number = NONE
        self.asked = 0

    def search(self, str text not None, *bounds):
        """Do what the method of a compiled expression does, and so the others."""
        cdef str small
        if self.compile_folded is None:
            return None if self.is_out_of(text, bounds) else self.as_it_stands().search(text, *bounds)
        small = self.sieve.folded_form(text)
        if small is None:
            return self.as_it_stands().search(text, *bounds)
        if self.is_out_of(small, bounds):
            return None
        found = self.in_folded().search(small, *bounds)
        return None if found is None else self.as_it_stands().match(text, found.start(), *bounds[1:])

    def match(self, str text not None, *bounds):
        cdef str small
        if self.compile_folded is None:
            return None if self.is_out_of(text, bounds) else self.as_it_stands().match(text, *bounds)
        small = self.sieve.folded_form(text)
        if small is not None and (self.is_out_of(small, bounds) or self.in_folded().match(small, *bounds) is None):
            return None
        return self.as_it_stands().match(text, *bounds)

    def sub(self, replacement, str text not None, int count=0):
        return text if self.finds_none(text, ()) else self.as_it_stands().sub(replacement, text, count)

    def findall(self, str text not None, *bounds):
        return [] if self.finds_none(text, bounds) else self.as_it_stands().findall(text, *bounds)

    cdef bint finds_none(self, str text, tuple bounds) except -1:
        cdef str small
        if self.compile_folded is None:
            return self.is_out_of(text, bounds)
        small = self.sieve.folded_form(text)
        if small is None:
            return False
        return self.is_out_of(small, bounds) or self.in_folded().search(small, *bounds) is None

    cdef bint is_out_of(self, str text, tuple bounds) except -1:
        """Return whether there is surely no match in a text, in its folded form where the expression is.

        Where a bound ends the text, it may end a word.
        """
        if self.asked < OFTEN:
            self.asked += 1
            if self.asked == OFTEN:
                ways = self.ways()
                self.number = self.sieve.add(ways) if ways else NONE
        return self.number != NONE and len(bounds) < 2 and self.sieve.rules_out(text, self.number)

    cdef object as_it_stands(self):
        if self.whole is None:
            self.whole = self.compile_whole()
        return self.whole

    cdef object in_folded(self):
        if self.folded is None:
            self.folded = self.compile_folded()
        return self.folded
