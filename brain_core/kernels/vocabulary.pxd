from libc.stdint cimport uint32_t
from libcpp.vector cimport vector

cdef struct Slot:
    uint32_t hashed
    int id  # UNKNOWN of an empty one


cdef struct Key:
    uint32_t hashed
    uint32_t start, size  # bytes of the term in a text beside
    int width  # bytes a character


cdef class Vocabulary:
    cdef vector[char] text  # of all terms, as Python holds them: 1, 2 or 4 bytes a character
    cdef vector[uint32_t] ends
    cdef vector[unsigned char] widths  # bytes a character
    cdef vector[Slot] slots  # a power of two of them

    cdef int find(self, term) except -2
    cdef void expect(self, const Key& key) noexcept nogil
    cdef int find_key(self, const Key& key, const char* text) noexcept nogil
    cdef int taken_in(self, term) except -1
    cdef text_of(self, Py_ssize_t id)
    cdef int known(self, uint32_t hashed, const char* start, size_t size, int width) noexcept nogil
    cdef int new(self, uint32_t hashed, const char* start, size_t size, int width) except -1
    cdef void place(self, uint32_t hashed, int id) noexcept nogil
    cdef void widen(self) noexcept nogil

cdef Key key_of(term, vector[char]& text) except *
