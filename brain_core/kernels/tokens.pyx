"""How many tokens a text costs, told from its words and characters."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport uint32_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.string cimport string
from libcpp.vector cimport vector

cdef extern from *:
    int ones "__builtin_popcountll" (uint64_t bits) noexcept nogil

cdef extern from "Python.h" nogil:
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t index) noexcept
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) noexcept

cdef enum:
    DIGITS_TOGETHER = 3
    CAPITALS_TOGETHER = 3
    TO_LOWER = 0x20  # digits have this bit already
    LETTERS = 26
    ENDS = 63  # the bit of a node where a piece ends; below it those of the 36 letters and digits it goes on with
    TOKEN = 100  # weights are hundredths of one
    LINE_END = 70
    SPACE_BEFORE_DIGIT = 70
    FIRST_ASTRAL = 0x10000
    FIRST_HANGUL = 0xAC00
    LAST_HANGUL = 0xD7A3


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


cdef inline int place_of(Py_UCS4 character) noexcept nogil:
    """Return the place of an ASCII letter, of either case, or digit among the 36."""
    return <int>character - c'0' + LETTERS if is_digit(character) else (<int>character | TO_LOWER) - c'a'


cdef struct Node:
    uint64_t bits
    uint32_t children  # the first of them; they lie side by side, in the order of their places


cdef struct Span:
    size_t first, last, depth  # of sorted names those from the first on, before the last, that begin alike


cdef bint goes_before(const string& one, const string& other) noexcept nogil:
    """Return whether a name stands before another one, letters before digits as their places do."""
    cdef size_t at = 0
    while at < one.size() and at < other.size():
        if one[at] != other[at]:
            return place_of(one[at]) < place_of(other[at])
        at += 1
    return one.size() < other.size()


cdef class WordPieces:
    """Counts by the pieces of a WordPiece vocabulary: words as they begin one, "##ing" as they go on.

    Only pieces of ASCII letters and digits, in lower case, are used. Safe for use from many threads.
    """

    cdef vector[Node] nodes  # two tries, one after the other
    cdef uint32_t further  # root of those that go on; of those that begin a word it is 0

    def __cinit__(self, vocabulary):
        cdef str piece
        cdef bytes name
        cdef vector[string] first, further
        for piece in vocabulary:
            name = piece.removeprefix("##").encode()
            if not name.isalnum() or not name.isascii() or name != name.lower():
                continue
            if piece.startswith("##"):
                further.push_back(name)
            else:
                first.push_back(name)
        self.add(first)
        self.further = <uint32_t>self.nodes.size()
        self.add(further)

    cdef void add(self, vector[string]& names) noexcept nogil:
        """Add the trie of some names, level by level: so the children of a node lie side by side."""
        cdef vector[Span] spans
        cdef size_t done = 0, at, stop
        cdef uint32_t root = <uint32_t>self.nodes.size()
        cdef Span span
        cdef Node node
        sort(names.begin(), names.end(), goes_before)
        spans.push_back(Span(0, names.size(), 0))
        while done < spans.size():
            span = spans[done]
            node = Node(0, root + <uint32_t>spans.size())
            at = span.first
            while at < span.last and names[at].size() == span.depth:
                node.bits |= <uint64_t>1 << ENDS
                at += 1
            while at < span.last:
                stop = at + 1
                while stop < span.last and names[stop][span.depth] == names[at][span.depth]:
                    stop += 1
                node.bits |= <uint64_t>1 << place_of(names[at][span.depth])
                spans.push_back(Span(at, stop, span.depth + 1))
                at = stop
            self.nodes.push_back(node)
            done += 1

    def weigh(self, str text not None):
        """Estimate the tokens of a text in hundredths, erring high; those of whole lines add up to those of the text.

        A run of ASCII letters and digits counts as the fewest pieces that taking the longest each time makes of it,
        what is no piece by the character, and at least 1 for each three digits or three capitals; of other visible
        characters those beyond the BMP and Hangul syllables count 2, all others 1 (so one Chinese character is one
        token); of white space a line feed, and a space before a digit, 0.7 each. benchmarks/notes/packages.md tells why.
        """
        cdef int kind = PyUnicode_KIND(text)
        cdef void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text)
        cdef Py_ssize_t total
        with nogil:
            total = self.total(kind, data, size)
        return total

    cdef Py_ssize_t total(self, int kind, void* data, Py_ssize_t size) noexcept nogil:
        cdef Py_ssize_t at = 0, tokens = 0, line_ends = 0, before_digits = 0, digits, capitals, start
        cdef Py_UCS4 character
        while at < size:
            character = PyUnicode_READ(kind, data, at)
            if not is_alphanumeric(character):
                tokens += per_character(character)
                line_ends += character == c'\n'
                at += 1
                continue
            start = at
            before_digits += is_digit(character) and at > 0 and PyUnicode_READ(kind, data, at - 1) == c' '
            digits = capitals = 0
            while at < size:
                character = PyUnicode_READ(kind, data, at)
                if not is_alphanumeric(character):
                    break
                digits += is_digit(character)
                capitals += is_upper(character)
                at += 1
            tokens += max(
                self.pieces(kind, data, start, at),
                (digits + DIGITS_TOGETHER - 1) // DIGITS_TOGETHER,
                (capitals + CAPITALS_TOGETHER - 1) // CAPITALS_TOGETHER,
            )
        return tokens * TOKEN + line_ends * LINE_END + before_digits * SPACE_BEFORE_DIGIT

    cdef Py_ssize_t pieces(self, int kind, void* data, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
        """Return how many pieces a run of letters and digits is, the longest that fits taken each time."""
        cdef Py_ssize_t found = 0, at = start, reached, longest
        cdef uint32_t node
        cdef uint64_t bits, below
        cdef int place
        while at < stop:
            node = self.further if found else 0
            reached, longest = at, at + 1
            while True:
                bits = self.nodes[node].bits
                if bits >> ENDS and reached > at:
                    longest = reached
                if reached == stop:
                    break
                place = place_of(PyUnicode_READ(kind, data, reached))
                if not bits >> place & 1:
                    break
                below = bits & ((<uint64_t>1 << place) - 1)
                node = self.nodes[node].children + ones(below)
                reached += 1
            at = longest
            found += 1
        return found
