"""How many tokens a text costs, told from its characters."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.math cimport ceil

cdef extern from "Python.h" nogil:
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t index) noexcept
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 character) noexcept
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) noexcept

cdef enum:
    SHORT_WORD = 6  # letters

cdef double PER_LETTER = 0.3
cdef double PER_DIGIT = 0.45
cdef double IN_IDENTIFIER = 1.6
cdef double MARGIN = 1.07


cdef inline bint is_lower(Py_UCS4 character) noexcept nogil:
    return c'a' <= character <= c'z'


cdef inline bint is_upper(Py_UCS4 character) noexcept nogil:
    return c'A' <= character <= c'Z'


cdef inline bint is_letter(Py_UCS4 character) noexcept nogil:
    return is_lower(character) or is_upper(character)


cdef Py_ssize_t word_end(int kind, void* data, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Where a word that begins here ends: _word, Word, word or WORD. The place itself if none begins."""
    cdef Py_ssize_t stop = at + 1
    cdef Py_UCS4 first = PyUnicode_READ(kind, data, at)
    if first == c'_':
        while stop < size and is_letter(PyUnicode_READ(kind, data, stop)):
            stop += 1
        return stop if stop > at + 1 else at
    if is_lower(first) or (is_upper(first) and stop < size and is_lower(PyUnicode_READ(kind, data, stop))):
        while stop < size and is_lower(PyUnicode_READ(kind, data, stop)):
            stop += 1
        return stop
    if is_upper(first):
        while stop < size and is_upper(PyUnicode_READ(kind, data, stop)):
            stop += 1
        return stop
    return at


cdef double weigh(int kind, void* data, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at = 0, stop
    cdef double total = 0.0
    cdef Py_UCS4 first
    while at < size:
        first = PyUnicode_READ(kind, data, at)
        stop = word_end(kind, data, at, size)
        if stop > at:
            total += IN_IDENTIFIER if first == c'_' else 1.0
            total += max(stop - at - SHORT_WORD, 0) * PER_LETTER
            at = stop
        elif Py_UNICODE_ISDECIMAL(first):
            stop = at + 1
            while stop < size and Py_UNICODE_ISDECIMAL(PyUnicode_READ(kind, data, stop)):
                stop += 1
            total += 1.0 + (stop - at - 1) * PER_DIGIT
            at = stop
        else:
            if not Py_UNICODE_ISSPACE(first):
                total += 1.0
            at += 1
    return total


def approx_tokens(str text not None):
    """Estimate the tokens of a text, erring high.

    A word of up to six letters counts 1 and each further letter 0.3; the parts of snake_case 0.6 more; numbers 1 and
    0.45 per further digit; every other visible character 1 (so one Chinese character is one token); white space
    nothing; 7 % on top.
    """
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
    cdef double total
    with nogil:
        total = weigh(kind, data, size)
    return <Py_ssize_t>ceil(total * MARGIN)
