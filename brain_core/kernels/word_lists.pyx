"""Which of many lists of words have none in a text."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libcpp.vector cimport vector

cdef extern from "Python.h" nogil:
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t index) noexcept

cdef enum:
    BEGINS = 5  # characters of a word, at most, by which it is looked up
    KEY_BITS = 64
    NO_WORD = -1
    FIRST_BITS = 6  # of the number of slots
    MOST_TEXTS = 512  # remembered
    LONGEST = 2000  # characters of such a text
    MARK_BITS = 17  # of the number of marks

cdef uint64_t STEP = 0x100000001B3  # the prime of FNV
cdef uint64_t SPREAD = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio: neighbouring keys fall far apart


cdef struct Slot:
    uint64_t key  # 0 where nothing is
    int32_t last  # of the words that begin so, the one that came last


cdef struct Word:
    uint32_t begin, size, owner  # where it stands among all letters; the list it is of
    int32_t before  # the one before it that begins so


cdef inline uint64_t mark_of(uint64_t key) noexcept nogil:
    return (key * SPREAD) >> (KEY_BITS - MARK_BITS)


cdef inline uint64_t longer(uint64_t key, Py_UCS4 character) noexcept nogil:
    """Return the key of a beginning and one more character, never 0."""
    return (key * STEP) ^ (<uint64_t>character << 1) | 1


cdef uint64_t key_of(str begin):
    cdef uint64_t key = 0
    cdef Py_ssize_t at
    for at in range(len(begin)):
        key = longer(key, <Py_UCS4>begin[at])
    return key


cdef class WordLists:
    """Lists of words, found by how the words begin. Safe for use from many threads."""

    cdef vector[Slot] slots  # a power of two, at least half of them empty
    cdef uint64_t[1 << (MARK_BITS - 6)] marks  # a bit for each beginning, so that most of a text is not looked up
    cdef size_t used
    cdef vector[Word] words
    cdef vector[Py_UCS4] letters
    cdef int shift
    cdef uint32_t count  # of the lists
    cdef dict known  # texts, and of each a byte for every list: whether one of its words stands there

    def __cinit__(self):
        self.count = 0
        self.known = {}
        self.used = 0
        self.shift = KEY_BITS - FIRST_BITS
        self.slots.resize(<size_t>1 << FIRST_BITS, Slot(0, NO_WORD))

    def add(self, words):
        """Add a list of words, each of at least one character, none of which is NUL, and return its number.

        Raises ValueError, and nothing is added then.
        """
        cdef str word
        words = frozenset(words)
        for word in words:
            if not word or "\0" in word:
                raise ValueError(f"a word must have characters, none of them NUL, got {word!r}")
        kept = {word for word in words if not any(word[:size] in words for size in range(1, len(word)))}
        for word in kept:
            self.put(word, self.count)
        self.count += 1
        self.known = {}
        return self.count - 1

    cdef void put(self, str word, uint32_t owner):
        cdef uint64_t key = key_of(word[:BEGINS])
        cdef size_t place
        if 2 * (self.used + 1) > self.slots.size():
            self.make_room()
        place = self.place_of(key)
        if not self.slots[place].key:
            self.slots[place].key = key
            self.marks[mark_of(key) >> 6] |= <uint64_t>1 << (mark_of(key) & 63)
            self.used += 1
        self.words.push_back(
            Word(<uint32_t>self.letters.size(), <uint32_t>len(word), owner, self.slots[place].last)
        )
        self.slots[place].last = <int32_t>(self.words.size() - 1)
        for character in word:
            self.letters.push_back(<Py_UCS4>ord(character))

    cdef void make_room(self):
        cdef vector[Slot] before = self.slots
        cdef size_t at
        self.slots.assign(2 * before.size(), Slot(0, NO_WORD))
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

    cdef void note(
        self, uint64_t key, int kind, void* data, Py_ssize_t at, Py_ssize_t size, unsigned char* there,
    ) noexcept nogil:
        """Note the owners of the words of a key that the text has at a place."""
        cdef int32_t number = self.slots[self.place_of(key)].last
        cdef uint32_t i
        cdef Word word
        while number != NO_WORD:
            word = self.words[number]
            number = word.before
            if there[word.owner] or at + <Py_ssize_t>word.size > size:
                continue
            i = 0
            while i < word.size and PyUnicode_READ(kind, data, at + i) == self.letters[word.begin + i]:
                i += 1
            there[word.owner] |= i == word.size

    cdef bytearray having(self, str text):
        """Return a byte for each list: whether one of its words stands in a text."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t at, ahead, size = PyUnicode_GET_LENGTH(text)
        cdef uint64_t key
        cdef bytearray found = bytearray(self.count)
        cdef unsigned char* there = found
        for at in range(size):
            key = 0
            for ahead in range(min(<Py_ssize_t>BEGINS, size - at)):
                key = longer(key, PyUnicode_READ(kind, data, at + ahead))
                if self.marks[mark_of(key) >> 6] >> (mark_of(key) & 63) & 1:
                    self.note(key, kind, data, at, size, there)
        return found

    def lacks(self, str text not None, Py_ssize_t number):
        """Return whether a text of up to 2,000 characters has no word of a list; False of a longer one.

        number: what `add` returned. What is asked of the same text by one list after the other is looked up once.
        Raises ValueError.
        """
        cdef bytearray there
        if not 0 <= number < <Py_ssize_t>self.count:
            raise ValueError(f"number must be in 0..{<Py_ssize_t>self.count - 1}, got {number}")
        if PyUnicode_GET_LENGTH(text) > LONGEST:
            return False
        there = self.known.get(text)
        if there is None:
            there = self.having(text)
            if len(self.known) >= MOST_TEXTS:
                self.known = {}
            self.known[text] = there
        return not there[number]
