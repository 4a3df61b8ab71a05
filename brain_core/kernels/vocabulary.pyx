"""Ids of terms, in the order in which they came, in a fifth of the memory that a dict of strings takes.

Texts stand one after the other; a table of hashes with open places says which id to look at. A hash is Python's own,
which a string remembers.
"""

from cpython.object cimport PyObject_Hash
from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memcmp
from libcpp.unordered_map cimport unordered_map
from libcpp.vector cimport vector

import numpy as np

cdef extern from "Python.h":
    int PyUnicode_KIND(object) noexcept
    void* PyUnicode_DATA(object) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(object) noexcept
    object PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)

cdef extern from "products.h" nogil:
    void prefetch(const void* place) noexcept

cdef enum:
    UNKNOWN = -1
    FIRST_SLOTS = 16
    SPARE = 8  # room for an eighth more is made at once
    MOST_TEXT = 0xFFFFFFFF  # bytes


cdef class Vocabulary:
    """Not safe for use from two threads at once; the caller holds its memory's lock."""

    def __cinit__(self):
        cdef Slot empty
        empty.hashed, empty.id = 0, UNKNOWN
        self.slots.resize(FIRST_SLOTS, empty)
        self.ends.push_back(0)

    def __len__(self):
        return <Py_ssize_t>self.widths.size()

    @property
    def nbytes(self):
        """Bytes held, room to grow included."""
        return (
            self.text.capacity() + self.ends.capacity() * sizeof(uint32_t) + self.widths.capacity()
            + self.slots.capacity() * sizeof(Slot)
        )

    def __getitem__(self, Py_ssize_t number):
        """Return the term of an id. Raises IndexError."""
        if not 0 <= number < <Py_ssize_t>self.widths.size():
            raise IndexError(f"id {number} is not in 0..{<Py_ssize_t>self.widths.size() - 1}")
        return self.text_of(number)

    def add(self, term):
        """Return the id of a term, the next one if it is not known. Raises as `learn`."""
        return self.taken_in(term)

    def ids(self, terms):
        """Return the ids of terms: int32[t], -1 of one that is not known. Raises TypeError if one is no str."""
        cdef vector[int] found
        for term in terms:
            found.push_back(self.find(term))
        return as_array(found)

    def learn(self, terms):
        """Return (ids int32[t] of the distinct terms in the order in which they are met first, float32[t] how often).

        A term that is not known gets the next id. Raises TypeError if one is no str, OverflowError past 4 GiB of text.
        """
        cdef vector[int] found, times
        cdef unordered_map[int, int] places
        cdef int id
        for term in terms:
            id = self.taken_in(term)
            if places.count(id):
                times[places[id]] += 1
            else:
                places[id] = <int>found.size()
                found.push_back(id)
                times.push_back(1)
        return as_array(found), as_array(times).astype(np.float32)

    def starting_with(self, prefix):
        """Return the ids of the terms with a prefix: int32[m], ascending. Raises TypeError if it is no str."""
        check(prefix)
        cdef vector[int] found
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(prefix), i
        cdef int least = PyUnicode_KIND(prefix), id
        cdef vector[char] begins[5]
        cdef const char* start
        for width in (1, 2, 4):
            if width >= least:
                for i in range(size):
                    append(begins[<int>width], ord(prefix[i]), width)
        with nogil:
            for id in range(<int>self.widths.size()):
                if self.widths[id] < least or self.ends[id + 1] - self.ends[id] < <size_t>(size * self.widths[id]):
                    continue
                start = self.text.data() + self.ends[id]
                if memcmp(start, begins[self.widths[id]].data(), size * self.widths[id]) == 0:
                    found.push_back(id)
        return as_array(found)

    def terms(self):
        """Return all terms, in the order of their ids."""
        return [self.text_of(id) for id in range(<Py_ssize_t>self.widths.size())]

    cdef text_of(self, Py_ssize_t id):
        cdef Py_ssize_t size = <Py_ssize_t>(self.ends[id + 1] - self.ends[id]) // self.widths[id]
        return PyUnicode_FromKindAndData(self.widths[id], self.text.data() + self.ends[id], size)

    cdef int taken_in(self, term) except -1:
        """The id of a term, the next one if it is not known."""
        check(term)
        cdef uint32_t hashed = <uint32_t>PyObject_Hash(term)
        cdef int width = PyUnicode_KIND(term), id
        cdef size_t size = <size_t>(PyUnicode_GET_LENGTH(term) * width)
        cdef const char* start = <const char*>PyUnicode_DATA(term)
        id = self.known(hashed, start, size, width)
        return self.new(hashed, start, size, width) if id == UNKNOWN else id

    cdef int find(self, term) except -2:
        """The id of a term, UNKNOWN if there is none."""
        check(term)
        cdef int width = PyUnicode_KIND(term)
        return self.known(
            <uint32_t>PyObject_Hash(term), <const char*>PyUnicode_DATA(term), <size_t>(PyUnicode_GET_LENGTH(term) * width),
            width,
        )

    cdef void expect(self, const Key& key) noexcept nogil:
        """Have the slot of a term fetched that is soon looked up: it stands anywhere in memory."""
        prefetch(&self.slots[key.hashed & (self.slots.size() - 1)])

    cdef int find_key(self, const Key& key, const char* text) noexcept nogil:
        """The id of a term, UNKNOWN if there is none. text: that of the key."""
        return self.known(key.hashed, text + key.start, key.size, key.width)

    cdef int known(self, uint32_t hashed, const char* start, size_t size, int width) noexcept nogil:
        cdef size_t mask = self.slots.size() - 1, at = hashed & mask
        cdef int id
        while self.slots[at].id != UNKNOWN:
            id = self.slots[at].id
            if (
                self.slots[at].hashed == hashed
                and self.widths[id] == width
                and self.ends[id + 1] - self.ends[id] == size
                and memcmp(self.text.data() + self.ends[id], start, size) == 0
            ):
                return id
            at = (at + 1) & mask
        return UNKNOWN

    cdef int new(self, uint32_t hashed, const char* start, size_t size, int width) except -1:
        cdef int id = <int>self.widths.size()
        if self.text.size() + size > <size_t>MOST_TEXT:
            raise OverflowError(f"a vocabulary of {id} terms has more than {<size_t>MOST_TEXT} bytes of text")
        if self.widths.size() == self.widths.capacity():
            self.widths.reserve(id + id // SPARE + FIRST_SLOTS)
            self.ends.reserve(id + id // SPARE + FIRST_SLOTS + 1)
        if self.text.size() + size > self.text.capacity():
            self.text.reserve(self.text.size() + size + self.text.size() // SPARE)
        self.text.insert(self.text.end(), start, start + size)
        self.ends.push_back(<uint32_t>self.text.size())
        self.widths.push_back(<unsigned char>width)
        if 8 * self.widths.size() > 7 * self.slots.size():
            self.widen()
        self.place(hashed, id)
        return id

    cdef void place(self, uint32_t hashed, int id) noexcept nogil:
        cdef size_t mask = self.slots.size() - 1, at = hashed & mask
        while self.slots[at].id != UNKNOWN:
            at = (at + 1) & mask
        self.slots[at].hashed, self.slots[at].id = hashed, id

    cdef void widen(self) noexcept nogil:
        cdef vector[Slot] before
        cdef Slot one
        before.swap(self.slots)
        one.hashed, one.id = 0, UNKNOWN
        self.slots.resize(2 * before.size(), one)
        for one in before:
            if one.id != UNKNOWN:
                self.place(one.hashed, one.id)


cdef Key key_of(term, vector[char]& text) except *:
    """What a term is looked up by without a look at the string; its own text is added to a text."""
    check(term)
    cdef Key key
    cdef int width = PyUnicode_KIND(term)
    cdef const char* start = <const char*>PyUnicode_DATA(term)
    key.hashed, key.width = <uint32_t>PyObject_Hash(term), width
    key.start, key.size = <uint32_t>text.size(), <uint32_t>(PyUnicode_GET_LENGTH(term) * width)
    text.insert(text.end(), start, start + key.size)
    return key


cdef inline int check(term) except -1:
    if type(term) is not str:
        raise TypeError(f"a term must be a str, got {term!r}")
    return 0


cdef void append(vector[char]& text, uint32_t letter, int width):
    """Add a character as Python holds it in so many bytes."""
    cdef uint16_t two = <uint16_t>letter
    cdef const char* start = <const char*>&letter
    if width == 1:
        text.push_back(<char>letter)
        return
    if width == 2:
        start = <const char*>&two
    text.insert(text.end(), start, start + width)


cdef as_array(const vector[int]& numbers):
    given = np.empty(numbers.size(), dtype=np.int32)
    cdef int[::1] out = given
    cdef Py_ssize_t i
    for i in range(<Py_ssize_t>numbers.size()):
        out[i] = numbers[i]
    return given
