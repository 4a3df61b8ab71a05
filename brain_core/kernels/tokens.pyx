"""How many tokens a text costs, told from its words and characters."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.math cimport ceil
from libcpp.string cimport string
from libcpp.unordered_set cimport unordered_set

cdef extern from "Python.h" nogil:
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t index) noexcept
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) noexcept

cdef enum:
    DIGITS_TOGETHER = 3
    CAPITALS_TOGETHER = 3
    TO_LOWER = 0x20  # digits have this bit already
    FIRST_BEYOND_ASCII = 0x80
    FIRST_ASTRAL = 0x10000
    FIRST_HANGUL = 0xAC00
    LAST_HANGUL = 0xD7A3

cdef double ASCII_MARGIN = 1.03
cdef double MARGIN = 1.07


cdef inline bint is_digit(Py_UCS4 character) noexcept nogil:
    return c'0' <= character <= c'9'


cdef inline bint is_upper(Py_UCS4 character) noexcept nogil:
    return c'A' <= character <= c'Z'


cdef inline bint is_alphanumeric(Py_UCS4 character) noexcept nogil:
    return is_digit(character) or is_upper(character) or c'a' <= character <= c'z'


cdef inline int per_character(Py_UCS4 character) noexcept nogil:
    if character >= FIRST_ASTRAL or FIRST_HANGUL <= character <= LAST_HANGUL:
        return 2
    return 0 if Py_UNICODE_ISSPACE(character) else 1


cdef class WordPieces:
    """Counts by the pieces of a WordPiece vocabulary: words as they begin one, "##ing" as they go on.

    Only pieces of ASCII letters and digits, in lower case, are used. Safe for use from many threads.
    """

    cdef unordered_set[string] first, further
    cdef size_t longest

    def __cinit__(self, vocabulary):
        cdef str piece
        cdef bytes name
        self.longest = 1
        for piece in vocabulary:
            name = piece.removeprefix("##").encode()
            if not name.isalnum() or not name.isascii() or name != name.lower():
                continue
            if piece.startswith("##"):
                self.further.insert(name)
            else:
                self.first.insert(name)
            self.longest = max(self.longest, <size_t>len(name))

    def count(self, str text not None):
        """Return the whole tokens that `weigh` comes to, rounded up."""
        return <Py_ssize_t>ceil(self.weigh(text))

    def weigh(self, str text not None):
        """Estimate the tokens of a text, erring high; those of whole lines add up to those of the text.

        A run of ASCII letters and digits counts as the fewest pieces that taking the longest each time makes of it,
        what is no piece by the character, and at least 1 for each three digits or three capitals; of other visible
        characters those beyond the BMP and Hangul syllables count 2, all others 1 (so one Chinese character is one
        token); white space nothing; 3 % on top, 7 % of what is not ASCII.
        """
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
        cdef double total
        with nogil:
            total = self.total(kind, data, size)
        return total

    cdef double total(self, int kind, void* data, Py_ssize_t size) noexcept nogil:
        cdef Py_ssize_t at = 0, ascii = 0, others = 0, digits, capitals
        cdef Py_UCS4 character
        cdef string run
        while at < size:
            character = PyUnicode_READ(kind, data, at)
            if not is_alphanumeric(character):
                if character < FIRST_BEYOND_ASCII:
                    ascii += per_character(character)
                else:
                    others += per_character(character)
                at += 1
                continue
            run.clear()
            digits = capitals = 0
            while at < size:
                character = PyUnicode_READ(kind, data, at)
                if not is_alphanumeric(character):
                    break
                digits += is_digit(character)
                capitals += is_upper(character)
                run.push_back(<char>(<int>character | TO_LOWER))
                at += 1
            ascii += max(
                self.pieces(run),
                (digits + DIGITS_TOGETHER - 1) // DIGITS_TOGETHER,
                (capitals + CAPITALS_TOGETHER - 1) // CAPITALS_TOGETHER,
            )
        return ascii * ASCII_MARGIN + others * MARGIN

    cdef Py_ssize_t pieces(self, const string& run) noexcept nogil:
        cdef size_t at = 0, length
        cdef Py_ssize_t found = 0
        while at < run.size():
            length = min(self.longest, run.size() - at)
            while length > 1 and not self.has(run.substr(at, length), at == 0):
                length -= 1
            at += length
            found += 1
        return found

    cdef inline bint has(self, const string& piece, bint begins) noexcept nogil:
        if begins:
            return self.first.count(piece) > 0
        return self.further.count(piece) > 0
