"""Which of many lists of words have none in a text."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint32_t, uint64_t
from libcpp.vector cimport vector

cdef extern from "Python.h" nogil:
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t index) noexcept

cdef enum:
    BEGINS = 3  # characters of a word, at most, by which it is looked up
    CHARACTER_BITS = 21
    KEY_BITS = 64

cdef uint64_t SPREAD = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio: neighbouring keys fall far apart


cdef struct Slot:
    uint64_t key  # 0 where nothing is
    uint32_t first, last  # of the words that begin so, those from the first on, before the last


cdef struct Word:
    uint32_t begin, size, owner  # the rest of it, among all letters; the list it stands in


cdef class Sieve:
    """Names with words, found by how the words begin. Safe for use from many threads."""

    cdef vector[Slot] slots  # a power of two, half of them empty
    cdef vector[Word] words
    cdef vector[Py_UCS4] letters
    cdef int shift
    cdef list names

    def __cinit__(self, lists):
        """lists: words by name, each of at least one character, none of which is NUL. Raises ValueError."""
        cdef Py_ssize_t owner
        cdef str word, begin
        cdef Word entry
        found = {}
        self.names = list(lists)
        for owner, words in enumerate(lists.values()):
            for word in sorted(words):
                if not word or "\0" in word:
                    raise ValueError(f"a word must have characters, none of them NUL, got {word!r}")
                found.setdefault(word[:BEGINS], []).append((word[BEGINS:], owner))
        self.shift = KEY_BITS - max(1, len(found).bit_length() + 1)
        self.slots.resize(<size_t>1 << (KEY_BITS - self.shift), Slot(0, 0, 0))
        for begin, rests in found.items():
            self.put(begin, <uint32_t>self.words.size(), <uint32_t>(self.words.size() + len(rests)))
            for rest, owner in rests:
                entry = Word(<uint32_t>self.letters.size(), <uint32_t>len(rest), <uint32_t>owner)
                for character in rest:
                    self.letters.push_back(<Py_UCS4>ord(character))
                self.words.push_back(entry)

    cdef void put(self, str begin, uint32_t first, uint32_t last):
        cdef uint64_t key = 0
        cdef Py_ssize_t at
        for at in range(len(begin)):
            key |= <uint64_t>(<Py_UCS4>begin[at]) << (CHARACTER_BITS * at)
        cdef size_t place = <size_t>((key * SPREAD) >> self.shift)
        while self.slots[place].key:
            place = (place + 1) & (self.slots.size() - 1)
        self.slots[place] = Slot(key, first, last)

    cdef void note(
        self, uint64_t key, int kind, void* data, Py_ssize_t at, Py_ssize_t size, unsigned char* there,
    ) noexcept nogil:
        """Note the owners of the words that begin with a key and go on as the text does. at: where the rest stands."""
        cdef size_t place = <size_t>((key * SPREAD) >> self.shift)
        cdef uint32_t number, i
        cdef Word word
        while self.slots[place].key != key:
            if not self.slots[place].key:
                return
            place = (place + 1) & (self.slots.size() - 1)
        for number in range(self.slots[place].first, self.slots[place].last):
            word = self.words[number]
            if there[word.owner] or at + <Py_ssize_t>word.size > size:
                continue
            i = 0
            while i < word.size and PyUnicode_READ(kind, data, at + i) == self.letters[word.begin + i]:
                i += 1
            there[word.owner] |= i == word.size

    def lacking(self, str text not None):
        """Return the names of the lists of which no word stands in a text, anywhere in it, as a set."""
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t at, ahead, size = PyUnicode_GET_LENGTH(text), owners = len(self.names)
        cdef uint64_t key
        cdef vector[unsigned char] there
        with nogil:
            there.resize(owners, 0)
            for at in range(size):
                key = 0
                for ahead in range(min(<Py_ssize_t>BEGINS, size - at)):
                    key |= <uint64_t>PyUnicode_READ(kind, data, at + ahead) << (CHARACTER_BITS * ahead)
                    self.note(key, kind, data, at + ahead + 1, size, there.data())
        lacking = set()
        for at in range(owners):
            if not there[at]:
                lacking.add(self.names[at])
        return lacking
