"""What texts weigh: a row of a table for each feature of their words, alone, side by side, their heads and tails."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.math cimport pow
from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memcmp
from libcpp.vector cimport vector

import numpy as np

cimport numpy as cnp

cnp.import_array()

cdef extern from "Python.h" nogil:
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) noexcept
    bint Py_UNICODE_ISSPACE(Py_UCS4 character) noexcept

cdef extern from "products.h" nogil:
    float float_dot(const float* left, const float* right, long size) noexcept

cdef enum:
    RUN = 3  # words of the longest features
    HEAD = 4  # letters; words with more of them also have features of their head and of their tail
    TAIL = 3

cdef enum Sort:
    BETWEEN  # words
    ALONE  # is a word
    LETTER  # or digit, of a word of several

cdef uint32_t ALL_ONES = 0xFFFFFFFF
cdef uint32_t POLYNOMIAL = 0xEDB88320  # of zlib's CRC-32
cdef uint32_t[256] STEPS  # of it, by byte


cdef void make_steps() noexcept nogil:
    cdef uint32_t byte, value
    cdef int bit
    for byte in range(256):
        value = byte
        for bit in range(8):
            value = (value >> 1) ^ (POLYNOMIAL if value & 1 else 0)
        STEPS[byte] = value


make_steps()


cdef struct Span:
    const char* bytes
    Py_ssize_t size


cdef struct Feature:
    Py_ssize_t begin, size  # of its bytes, among those of all
    uint32_t code  # their CRC-32


cdef inline bint begins_letter(char byte) noexcept nogil:
    return (<unsigned char>byte & 0xC0) != 0x80


cdef Py_ssize_t letters_in(Span word) noexcept nogil:
    cdef Py_ssize_t at, count = 0
    for at in range(word.size):
        count += begins_letter(word.bytes[at])
    return count


cdef Span part_of(Span word, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Return the letters of a word from one place on, before another."""
    cdef Py_ssize_t at, letter = -1, begin = word.size, end = word.size
    for at in range(word.size):
        letter += begins_letter(word.bytes[at])
        if letter == first and begin == word.size:
            begin = at
        if letter == last:
            end = at
            break
    return Span(word.bytes + begin, end - begin)


cdef inline void put(vector[char]& text, Span part) noexcept nogil:
    text.insert(text.end(), part.bytes, part.bytes + part.size)


cdef void add_feature(vector[char]& text, vector[Feature]& features) noexcept nogil:
    """Take the bytes that no feature has yet as one."""
    cdef Py_ssize_t at, begin = features.back().begin + features.back().size if features.size() else 0
    cdef uint32_t code = ALL_ONES
    for at in range(begin, <Py_ssize_t>text.size()):
        code = (code >> 8) ^ STEPS[(code ^ <unsigned char>text[at]) & 0xFF]
    features.push_back(Feature(begin, <Py_ssize_t>text.size() - begin, code ^ ALL_ONES))


cdef vector[uint32_t] codes_of(const vector[Span]& words) noexcept nogil:
    """Return the codes of the features of some words, each feature once, where it first stands."""
    cdef vector[char] text
    cdef vector[Feature] features
    cdef vector[uint32_t] codes
    cdef Span space = Span(b" ", 1), star = Span(b"*", 1)
    cdef Py_ssize_t run, at, further, count = <Py_ssize_t>words.size(), letters
    features.reserve((RUN + 2) * count)
    for run in range(1, RUN + 1):
        for at in range(count - run + 1):
            for further in range(run):
                if further:
                    put(text, space)
                put(text, words[at + further])
            add_feature(text, features)
    for at in range(count):
        if letters_in(words[at]) > HEAD:
            put(text, part_of(words[at], 0, HEAD))
            put(text, star)
            add_feature(text, features)
    for at in range(count):
        letters = letters_in(words[at])
        if letters > HEAD:
            put(text, star)
            put(text, part_of(words[at], letters - TAIL, letters))
            add_feature(text, features)
    keep_first(text, features, codes)
    return codes


cdef void keep_first(
    const vector[char]& text, const vector[Feature]& features, vector[uint32_t]& codes,
) noexcept nogil:
    """Add the codes of those features that no earlier one equals byte by byte."""
    cdef size_t slots = 2, place, number
    cdef const Feature* one
    cdef const Feature* other
    cdef vector[int] found
    while slots < 2 * features.size():
        slots *= 2
    found.resize(slots, -1)
    codes.reserve(features.size())
    for number in range(features.size()):
        one = &features[number]
        place = one.code & (slots - 1)
        while found[place] >= 0:
            other = &features[found[place]]
            if one.size == other.size and not memcmp(&text[one.begin], &text[other.begin], one.size):
                break
            place = (place + 1) & (slots - 1)
        if found[place] < 0:
            found[place] = <int>number
            codes.push_back(one.code)


cdef inline Sort sort_of(Py_UCS4 one) noexcept nogil:
    if is_cjk(one):
        return ALONE
    if Py_UNICODE_ISALNUM(one):
        return LETTER
    return BETWEEN if one == c"_" or Py_UNICODE_ISSPACE(one) else ALONE


cdef inline bint is_cjk(Py_UCS4 one) noexcept nogil:
    """Return whether a character is of Han, Hiragana, Katakana or Hangul: `text.words.CJK`."""
    return (
        0x3040 <= one <= 0x30FF or 0x3400 <= one <= 0x4DBF or 0x4E00 <= one <= 0x9FFF or 0xF900 <= one <= 0xFAFF
        or 0xAC00 <= one <= 0xD7AF or 0x20000 <= one <= 0x3FFFF
    )


cdef inline Py_UCS4 character_at(const unsigned char* text, Py_ssize_t* at) noexcept nogil:
    """Return the character of UTF-8 that begins in a place, and move on to the next."""
    cdef uint32_t found = text[at[0]]
    cdef int more = 0 if found < 0x80 else 1 if found < 0xE0 else 2 if found < 0xF0 else 3
    at[0] += 1
    if more:
        found &= <uint32_t>0x3F >> more
    for _ in range(more):
        found = (found << 6) | (text[at[0]] & <uint32_t>0x3F)
        at[0] += 1
    return <Py_UCS4>found


cdef Py_ssize_t after_letters(const unsigned char* text, Py_ssize_t size, Py_ssize_t at) noexcept nogil:
    """Return where the letters that stand in a place end."""
    cdef Py_ssize_t further = at
    while further < size and sort_of(character_at(text, &further)) == LETTER:
        at = further
    return at


cdef Py_ssize_t after_word(const unsigned char* text, Py_ssize_t size, Py_ssize_t at) noexcept nogil:
    """Return where a word of letters ends, of which some may stand after an apostrophe."""
    cdef Py_ssize_t stop = after_letters(text, size, at), further = stop
    cdef Py_UCS4 one
    if stop < size:
        one = character_at(text, &further)
        if one == c"'" or one == 0x2019:
            at = after_letters(text, size, further)
            return at if at > further else stop
    return stop


cdef void cut(const char* utf8, Py_ssize_t size, vector[char]& text, vector[Span]& words) noexcept nogil:
    """Find the words of a text in small letters, with a mark at its begin and its end; 0 stands for any figure."""
    cdef Py_ssize_t at = 0, begin
    cdef Sort sort
    cdef const unsigned char* bytes = <const unsigned char*>utf8
    text.resize(size)
    words.reserve(size // 2 + 2)
    for at in range(size):
        text[at] = c"0" if c"1" <= utf8[at] <= c"9" else utf8[at]
    words.push_back(Span(b"^", 1))
    at = 0
    while at < size:
        begin = at
        sort = sort_of(character_at(bytes, &at))
        if sort == LETTER:
            at = after_word(bytes, size, begin)
        if sort != BETWEEN:
            words.push_back(Span(text.data() + begin, at - begin))
    words.push_back(Span(b"$", 1))


def feature_codes(str text not None):
    """Return the CRC-32 of the UTF-8 of each feature of a text, each feature once.

    In small letters, figures but 0 taken for 0, a text is "^", its words and "$". A word is a character of Han, Kana or
    Hangul, a run of other letters and figures, maybe with an apostrophe in it, or any other character but "_" and
    space. Features are the words, then runs of two and of three of them with spaces between, then the first 4 letters
    of words with more, as "summ*", then their last 3, as "*ary". Raises UnicodeEncodeError for a surrogate.
    """
    cdef str lower = text.lower()
    cdef Py_ssize_t size = 0
    cdef const char* utf8 = PyUnicode_AsUTF8AndSize(lower, &size)
    cdef vector[uint32_t] found
    with nogil:
        found = codes_in(utf8, size)
    return [found[at] for at in range(found.size())]


cdef vector[uint32_t] codes_in(const char* utf8, Py_ssize_t size) noexcept nogil:
    cdef vector[char] text
    cdef vector[Span] words
    cut(utf8, size, text, words)
    return codes_of(words)


cdef class Weights:
    """What a fitted classifier knows of features, and of vectors, for each of its labels."""

    def __init__(
        self, const int8_t[:, ::1] rows not None, float scale, const float[::1] bias not None,
        const float[:, ::1] meaning not None,
    ):
        """rows: int8[n, labels], n a power of two. bias: float32[labels]. meaning: float32[dimension, labels].

        Raises ValueError.
        """
        cdef Py_ssize_t n = rows.shape[0]
        if n == 0 or n & (n - 1):
            raise ValueError(f"rows must be a power of two, got {n}")
        if bias.shape[0] != rows.shape[1] or meaning.shape[1] != rows.shape[1]:
            raise ValueError(
                f"rows has {rows.shape[1]} columns but bias has {bias.shape[0]} and meaning {meaning.shape[1]}"
            )
        self.rows, self.scale, self.bias = rows, scale, bias
        self.meaning = np.ascontiguousarray(np.asarray(meaning).T)

    cdef int read_named(self, list named, vector[uint32_t]& found) except -1:
        cdef Py_ssize_t n = self.rows.shape[0]
        for row in named:
            if not 0 <= row < n:
                raise ValueError(f"named rows must be in 0..{n - 1}, got {row}")
            found.push_back(row)
        return 0

    cdef void weigh(
        self, const char* utf8, Py_ssize_t size, const vector[uint32_t]& named, const float* meant, float* out,
    ) noexcept nogil:
        """Write the scores of a text in small letters."""
        cdef Py_ssize_t label, labels = self.rows.shape[1]
        cdef uint32_t mask = <uint32_t>(self.rows.shape[0] - 1)
        cdef size_t at
        cdef const int8_t* row
        cdef vector[uint32_t] codes = codes_in(utf8, size)
        cdef vector[int] of_words, of_names
        cdef float share = <float>pow(<double>codes.size(), -0.5)
        of_words.resize(labels)
        of_names.resize(labels)
        for at in range(codes.size()):
            row = &self.rows[codes[at] & mask, 0]
            for label in range(labels):
                of_words[label] += row[label]
        for at in range(named.size()):
            row = &self.rows[named[at], 0]
            for label in range(labels):
                of_names[label] += row[label]
        for label in range(labels):
            out[label] = (
                self.bias[label] + self.scale * (share * <float>of_words[label] + <float>of_names[label])
            ) + float_dot(meant, &self.meaning[label, 0], self.meaning.shape[1])

    def scores(self, list texts not None, list named not None, const float[:, ::1] vectors not None):
        """Return of texts bias + scale · (Σ of features' rows / √(how many) + Σ of named rows) + vector · meaning.

        texts: a feature's row is its code, as of `feature_codes`, modulo n. named: of each text a list of rows,
        0..n - 1. vectors: float32[texts, dimension]. Rows are added as whole numbers, vector · meaning in 16 lanes.
        Returns float32[texts, labels]. Raises ValueError, or UnicodeEncodeError for a surrogate.
        """
        cdef Py_ssize_t place, size = 0, count = len(texts)
        cdef vector[uint32_t] of_text
        cdef const char* utf8
        cdef str lower
        if len(named) != count or vectors.shape[0] != count or vectors.shape[1] != self.meaning.shape[1]:
            raise ValueError(
                f"{count} texts must have as many of named and vectors of {self.meaning.shape[1]}, "
                f"got {len(named)} and {vectors.shape[0]} of {vectors.shape[1]}"
            )
        found = np.empty((count, self.rows.shape[1]), dtype=np.float32)
        cdef float[:, ::1] out = found
        for place in range(count):
            of_text.clear()
            self.read_named(named[place], of_text)
            lower = texts[place].lower()
            utf8 = PyUnicode_AsUTF8AndSize(lower, &size)
            with nogil:
                self.weigh(utf8, size, of_text, &vectors[place, 0], &out[place, 0])
        return found
