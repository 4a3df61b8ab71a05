"""Which of many patterns may match a text, by strings that each of their ways to match needs."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

cdef extern from "Python.h" nogil:
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t index) noexcept
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) noexcept
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 character) noexcept

cdef extern from "products.h" nogil:
    void prefetch(const void* place) noexcept
    void prefetch_all(const void* place, long bytes) noexcept

cdef enum:
    BEGINS = 3  # characters of a word, at most, by which it is looked up
    CHARACTER_BITS = 21
    KEY_BITS = 64
    KNOWN_BITS = 16  # of a key's product, by which most keys that nothing begins with are told
    MOST_DEMANDS = 255  # of a way
    OF_THE_TEXT = 2  # as of text.needed

cdef uint64_t SPREAD = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio: neighbouring keys fall far apart
cdef uint64_t AT_AN_EDGE = <uint64_t>1 << 63  # of keys of words that begin at one
cdef Py_UCS4 FIGURE = c"0"


cdef struct Slot:
    uint64_t key  # 0 where nothing is
    uint32_t first, last  # of the words that begin so, those from the first on, before the last


cdef struct Word:
    uint32_t begin, size  # the rest of it, among all letters
    uint32_t first, last  # the demands that it meets, among all meetings
    uint8_t begins, ends  # edges


cdef struct Asked:
    uint64_t key
    Py_ssize_t begin, at  # of the key in a text, and of what comes after it
    uint32_t first, last  # of the words that begin so; before it is looked up, the slot where it is


cdef struct Text:
    Py_ssize_t size
    Py_ssize_t first, last  # characters of words in it, size and -1 if there are none
    vector[Py_UCS4] letters  # figures folded
    vector[uint8_t] of_words


cdef struct Met:
    vector[uint8_t] words  # that have been found
    vector[uint8_t] demands
    vector[uint8_t] unmet  # demands of each way
    vector[uint8_t] owners  # of which a way is met


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


cdef class Sieve:
    """Names with ways, found by how their words begin. Safe for use from many threads."""

    cdef vector[Slot] slots  # a power of two, half of them empty
    cdef vector[uint64_t] known  # bits
    cdef vector[Word] words
    cdef vector[Py_UCS4] letters
    cdef vector[uint32_t] meetings  # demands, of each word in one place
    cdef vector[uint32_t] way_of  # each demand
    cdef vector[uint32_t] owner_of  # each way
    cdef vector[uint8_t] demands_of  # each way
    cdef int shift
    cdef list names

    def __cinit__(self, ways):
        """ways: by name those in which it may be there, each of demands, of which each has one word or more.

        A word is (text, begins, ends): at least one character, none of which is NUL, a 0 for any decimal digit, and
        the edges at which it stands, 0 to 2, as text.needed has them. Raises ValueError.
        """
        cdef Py_ssize_t owner
        found = {}
        self.names = list(ways)
        self.known.resize(<size_t>1 << (KNOWN_BITS - 6), 0)
        for owner, of_name in enumerate(ways.values()):
            for way in of_name:
                self.add_way(owner, way, found)
        begins = {}
        for word, demands in sorted(found.items()):
            begins.setdefault((word[0][:BEGINS], word[1] > 0), []).append((word, demands))
        self.shift = KEY_BITS - max(1, len(begins).bit_length() + 1)
        self.slots.resize(<size_t>1 << (KEY_BITS - self.shift), Slot(0, 0, 0))
        for (begin, at_an_edge), words in begins.items():
            self.put(begin, at_an_edge, <uint32_t>self.words.size(), <uint32_t>(self.words.size() + len(words)))
            for word, demands in words:
                self.add_word(word, demands)

    cdef add_way(self, Py_ssize_t owner, way, dict found):
        if not 0 < len(way) <= MOST_DEMANDS:
            raise ValueError(f"a way must have 1 to {MOST_DEMANDS} demands, got {len(way)}")
        for demand in way:
            for text, begins, ends in demand:
                if not text or "\0" in text:
                    raise ValueError(f"a word must have characters, none of them NUL, got {text!r}")
                if not (0 <= begins <= OF_THE_TEXT and 0 <= ends <= OF_THE_TEXT):
                    raise ValueError(f"edges must be in 0..{OF_THE_TEXT}, got {begins}, {ends}")
                found.setdefault((text, begins, ends), []).append(self.way_of.size())
            self.way_of.push_back(<uint32_t>self.owner_of.size())
        self.owner_of.push_back(<uint32_t>owner)
        self.demands_of.push_back(<uint8_t>len(way))

    cdef add_word(self, tuple word, list demands):
        cdef str rest = word[0][BEGINS:]
        cdef Word entry
        entry.begin, entry.size = <uint32_t>self.letters.size(), <uint32_t>len(rest)
        entry.first, entry.last = <uint32_t>self.meetings.size(), <uint32_t>(self.meetings.size() + len(demands))
        entry.begins, entry.ends = word[1], word[2]
        for character in rest:
            self.letters.push_back(<Py_UCS4>ord(character))
        for demand in demands:
            self.meetings.push_back(demand)
        self.words.push_back(entry)

    cdef void put(self, str begin, bint at_an_edge, uint32_t first, uint32_t last):
        cdef uint64_t key = AT_AN_EDGE if at_an_edge else 0
        cdef Py_ssize_t at
        for at in range(len(begin)):
            key |= <uint64_t>(<Py_UCS4>begin[at]) << (CHARACTER_BITS * at)
        cdef uint64_t product = key * SPREAD
        cdef size_t place = <size_t>(product >> self.shift)
        while self.slots[place].key:
            place = (place + 1) & (self.slots.size() - 1)
        self.slots[place] = Slot(key, first, last)
        product >>= KEY_BITS - KNOWN_BITS
        self.known[product >> 6] |= <uint64_t>1 << (product & 63)

    cdef void ask(self, uint64_t key, Py_ssize_t begin, Py_ssize_t at, vector[Asked]& asked) noexcept nogil:
        """Have a key looked up that words may begin with. at: where what comes after it stands."""
        cdef uint64_t product = key * SPREAD
        cdef uint64_t bit = product >> (KEY_BITS - KNOWN_BITS)
        if (self.known[bit >> 6] >> (bit & 63)) & 1:
            asked.push_back(Asked(key, begin, at, <uint32_t>(product >> self.shift), 0))
            prefetch(&self.slots[product >> self.shift])

    cdef void look_up(self, vector[Asked]& asked) noexcept nogil:
        """Keep the keys that words do begin with, and find those words."""
        cdef size_t number, kept = 0
        cdef Asked one
        for number in range(asked.size()):
            one = asked[number]
            while self.slots[one.first].key != one.key and self.slots[one.first].key:
                one.first = (one.first + 1) & <uint32_t>(self.slots.size() - 1)
            if self.slots[one.first].key:
                one.last = self.slots[one.first].last
                one.first = self.slots[one.first].first
                prefetch(&self.words[one.first])
                asked[kept] = one
                kept += 1
        asked.resize(kept)
        for number in range(kept):
            prefetch(self.letters.data() + self.words[asked[number].first].begin)

    cdef void note(self, const Asked& asked, const Text& text, Met& met) noexcept nogil:
        """Note the words that begin with a key and go on as the text does."""
        cdef uint32_t number
        for number in range(asked.first, asked.last):
            if not met.words[number] and self.stands(self.words[number], text, asked.begin, asked.at):
                met.words[number] = True
                self.meet(self.words[number], met)

    cdef bint stands(self, const Word& word, const Text& text, Py_ssize_t begin, Py_ssize_t at) noexcept nogil:
        """Return whether the rest of a word stands in a place, at its edges. Those of words have been looked at."""
        cdef uint32_t i
        cdef Py_ssize_t stop = at + <Py_ssize_t>word.size
        if stop > text.size or (word.begins == OF_THE_TEXT and begin > text.first):
            return False
        for i in range(word.size):
            if text.letters[at + i] != self.letters[word.begin + i]:
                return False
        if word.ends == OF_THE_TEXT:
            return stop > text.last
        return not word.ends or stop == text.size or not text.of_words[stop]

    cdef void meet(self, const Word& word, Met& met) noexcept nogil:
        cdef uint32_t at, demand, way
        for at in range(word.first, word.last):
            demand = self.meetings[at]
            if not met.demands[demand]:
                met.demands[demand] = True
                way = self.way_of[demand]
                met.unmet[way] -= 1
                if not met.unmet[way]:
                    met.owners[self.owner_of[way]] = True

    def found(self, str text not None):
        """Return the names of which a way has all its demands met in a text, as a set."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t at, ahead, size = PyUnicode_GET_LENGTH(text), owners = len(self.names)
        cdef uint64_t key
        cdef size_t number
        cdef bint at_an_edge
        cdef Text read
        cdef Met met
        cdef vector[Asked] asked
        with nogil:
            prefetch_all(self.known.data(), <long>(self.known.size() * sizeof(uint64_t)))
            read_text(kind, data, size, read)
            met.words.resize(self.words.size(), 0)
            met.demands.resize(self.way_of.size(), 0)
            met.unmet = self.demands_of
            met.owners.resize(owners, 0)
            for at in range(size):
                key = 0
                at_an_edge = at == 0 or not read.of_words[at - 1]
                for ahead in range(min(<Py_ssize_t>BEGINS, size - at)):
                    key |= <uint64_t>read.letters[at + ahead] << (CHARACTER_BITS * ahead)
                    self.ask(key, at, at + ahead + 1, asked)
                    if at_an_edge:
                        self.ask(key | AT_AN_EDGE, at, at + ahead + 1, asked)
            self.look_up(asked)
            for number in range(asked.size()):
                self.note(asked[number], read, met)
        found = set()
        for at in range(owners):
            if met.owners[at]:
                found.add(self.names[at])
        return found
