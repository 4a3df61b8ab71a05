"""What a text's words weigh: a row of a table for each feature of them, alone, side by side, their heads and tails."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.math cimport pow
from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memcmp
from libcpp.vector cimport vector

cdef enum:
    RUN = 3  # words of the longest features
    HEAD = 4  # letters; words with more of them also have features of their head and of their tail
    TAIL = 3
    BLOCK = 128  # numbers that NumPy adds in one go
    LANES = 8  # sums that it adds them in

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


cdef void read_words(list words, vector[Span]& spans):
    cdef str word
    cdef Py_ssize_t size = 0
    cdef const char* bytes
    spans.reserve(len(words))
    for word in words:
        bytes = PyUnicode_AsUTF8AndSize(word, &size)
        spans.push_back(Span(bytes, size))


cdef float sum_of(const float* numbers, Py_ssize_t count) noexcept nogil:
    """Add numbers in the order in which NumPy's sums do."""
    cdef float[LANES] lanes
    cdef float total = 0
    cdef Py_ssize_t at, lane, half
    if count < LANES:
        for at in range(count):
            total += numbers[at]
        return total
    if count > BLOCK:
        half = count // 2 - count // 2 % LANES
        return sum_of(numbers, half) + sum_of(numbers + half, count - half)
    for lane in range(LANES):
        lanes[lane] = numbers[lane]
    for at in range(LANES, count - count % LANES):
        lanes[at % LANES] += numbers[at]
    total = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
    for at in range(count - count % LANES, count):
        total += numbers[at]
    return total


def feature_codes(list words not None):
    """Return the CRC-32 of the UTF-8 of each feature of some words, each feature once.

    Features are the words, then runs of two and of three of them with spaces between, then the first 4 letters of
    words with more, as "summ*", then their last 3, as "*ary". Raises UnicodeEncodeError for a surrogate.
    """
    cdef vector[Span] spans
    cdef vector[uint32_t] found
    read_words(words, spans)
    with nogil:
        found = codes_of(spans)
    return [found[at] for at in range(found.size())]


def weigh_text(
    const int8_t[:, ::1] rows, list words not None, list named not None, const float[::1] bias, float scale,
    float[::1] out,
):
    """Add what a text weighs to out: bias + scale · (Σ of its words' rows / √(how many) + Σ of the named rows).

    rows: int8[n, labels], n a power of two: a feature's row is its code, as of `feature_codes`, modulo n. words: at least one.
    named: row numbers, 0..n - 1. bias: float32[labels]. out: float32[labels]. The sums are those of NumPy's
    `add.reduceat` along the rows. Raises ValueError.
    """
    cdef Py_ssize_t n = rows.shape[0], at, label, own
    cdef vector[Span] spans
    cdef vector[uint32_t] found
    cdef vector[float] column
    cdef float share
    if n == 0 or n & (n - 1):
        raise ValueError(f"rows must be a power of two, got {n}")
    if bias.shape[0] != rows.shape[1] or out.shape[0] != rows.shape[1]:
        raise ValueError(f"rows has {rows.shape[1]} columns but bias has {bias.shape[0]} and out {out.shape[0]}")
    if not words:
        raise ValueError("words must be at least one")
    for row in named:
        if not 0 <= row < n:
            raise ValueError(f"named rows must be in 0..{n - 1}, got {row}")
    read_words(words, spans)
    cdef vector[uint32_t] others = named
    with nogil:
        found = codes_of(spans)
        own = <Py_ssize_t>found.size()
        share = <float>pow(<double>own, -0.5)
        found.insert(found.end(), others.begin(), others.end())
        column.resize(found.size())
        for label in range(rows.shape[1]):
            for at in range(<Py_ssize_t>found.size()):
                column[at] = rows[found[at] & (n - 1), label] * (share if at < own else <float>1)
            out[label] = (bias[label] + scale * (column[0] + sum_of(&column[1], column.size() - 1))) + out[label]
