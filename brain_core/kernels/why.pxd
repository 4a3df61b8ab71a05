"""Why a piece of evidence is in a package, in words, written as a message WhySelected (context.proto)."""

from libc.math cimport isnan
from libcpp.string cimport string

from brain_core.kernels.signals cimport MEANING, SIGNAL_COLUMNS, WORDS
from brain_core.kernels.wire cimport Text, put_message, put_text, text_in

cdef extern from *:
    """
    #include <charconv>
    static inline char *fixed_text(char *start, char *end, double value, int digits)
    {
        return std::to_chars(start, end, value, std::chars_format::fixed, digits).ptr;
    }
    static inline char *whole_text(char *start, char *end, int value) { return std::to_chars(start, end, value).ptr; }
    """
    char* fixed_text(char* start, char* end, double value, int digits) noexcept nogil
    char* whole_text(char* start, char* end, int value) noexcept nogil

cdef enum:
    NUMBER_BYTES = 320  # the greatest float64 has 309 digits before its point
    USUAL_BYTES = 224  # a message and its words mostly take less

cdef struct Told:
    Text relation  # to its query; blank is what its ranks say
    Text further  # follows
    Text called  # what stands beside the hit
    Text cut  # said last


cdef inline void put_why(
    string& out, int field, Text id, bint leads, double score, const int* ranks, const double* signals,
    const Told* told, int beside,
) noexcept nogil:
    """One message of a repeated field of this number. beside: how many rows stand beside the hit."""
    cdef string one, why
    one.reserve(USUAL_BYTES)
    why.reserve(USUAL_BYTES)
    put_text(one, 1, id)
    say_why(why, leads, score, ranks, signals, told.relation)
    why.append(<const char*>told.further.start, told.further.size)
    if beside > 0:
        say_beside(why, beside, told.called)
    why.append(<const char*>told.cut.start, told.cut.size)
    put_text(one, 2, text_in(why))
    put_message(out, field, one)


cdef inline void say_why(
    string& out, bint leads, double score, const int* ranks, const double* signals, Text relation
) noexcept nogil:
    cdef int i
    out.append(b"top: score ") if leads else out.append(b"long_tail: score ")
    say_fixed(out, score, 3)
    if ranks[WORDS]:
        say_rank(out, b"words", ranks[WORDS], b"BM25", signals[WORDS])
    if ranks[MEANING]:
        say_rank(out, b"meaning", ranks[MEANING], b"cosine", signals[MEANING])
    if relation.size:
        out.append(b"; ").append(<const char*>relation.start, relation.size)
        return
    if ranks[WORDS] or ranks[MEANING]:
        return
    for i in range(SIGNAL_COLUMNS):
        if not isnan(signals[i]):
            out.append(b"; stands beside a hit in its session")
            return


cdef inline void say_beside(string& out, int count, Text what) noexcept nogil:
    cdef char[NUMBER_BYTES] text
    out.append(b"; with ")
    out.append(&text[0], whole_text(&text[0], &text[0] + NUMBER_BYTES, count) - &text[0]).push_back(c" ")
    out.append(<const char*>what.start, what.size)


cdef inline void say_rank(string& out, const char* what, int rank, const char* measure, double score) noexcept nogil:
    cdef char[NUMBER_BYTES] text
    out.append(b"; ").append(what).append(b": rank ")
    out.append(&text[0], whole_text(&text[0], &text[0] + NUMBER_BYTES, rank) - &text[0])
    out.append(b" (").append(measure).push_back(c" ")
    say_fixed(out, score, 2)
    out.push_back(c")")


cdef inline void say_fixed(string& out, double value, int digits) noexcept nogil:
    cdef char[NUMBER_BYTES] text
    if isnan(value):
        out.append(b"nan")
    else:
        out.append(&text[0], fixed_text(&text[0], &text[0] + NUMBER_BYTES, value, digits) - &text[0])
