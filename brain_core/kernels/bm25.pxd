from libc.stdint cimport uint16_t, uint64_t
from libcpp.vector cimport vector

cdef extern from "postings.h" nogil:
    cdef struct Posting:
        uint16_t gap
        uint16_t tf

    cdef cppclass PostingList:
        const Posting* data() noexcept
        size_t size() noexcept
        const Posting& operator[](size_t) noexcept
        size_t beside() noexcept
        void reserve(size_t)
        void push_back(const Posting&)


cdef struct Row:
    float length
    int group


cdef struct Scale:
    double count, power, k1, flat, slope


cdef struct ByGroup:
    vector[int] runs  # groups of rows that follow one another, of the term at hand
    vector[unsigned int] of_runs  # how often each has it
    vector[unsigned long long] counts  # of each group: how often it has it
    vector[int] touched  # groups that have it
    vector[double] often, gains  # of those touched: how often each has it, and what that gains it


cdef struct Best:
    vector[float] rows  # what the words of one family have gained each so far
    vector[double] groups
    vector[int] rows_reached, groups_reached


cdef struct Families:
    vector[int] members  # places of terms, family by family, each family's first the one that stands for itself
    vector[int] ends  # of each family in members


cdef struct Scored:
    float* rows
    uint64_t* masks
    uint64_t* likes  # as masks, with the bits of what terms stand for; may be the masks themselves
    double* groups


cdef class Postings:
    cdef vector[PostingList] lists
    cdef vector[int] frequencies, last_rows  # of each list: rows in it, the last of them
    cdef vector[Row] rows
    cdef vector[double] group_lengths
    cdef double total_length, total_group_length
    cdef float least_length
    cdef long long entries, beside  # beside: bytes that lists hold beside themselves
    cdef Best best  # blank between two calls

    cdef void append(self, const int[::1] terms, const float[::1] counts, Py_ssize_t n, int group) noexcept nogil
    cdef void post(self, int term, int row, uint16_t tf) noexcept nogil
    cdef void close(self, double length, int group) noexcept nogil
    cdef void accumulate(
        self, const int* terms, const Families& families, const int* bits, const int* likes, const double* shares,
        double power, double k1, double group_k1, double b, Scored out,
    ) noexcept nogil
    cdef void ask_for(self, const int* terms, const Families& families, int member) noexcept nogil
    cdef void add_term(
        self, int term, double share, uint64_t bit, uint64_t like, const Scale& of_rows, const Scale& of_groups,
        ByGroup& by_group, bint is_alone, Scored out,
    ) noexcept nogil
    cdef double idf_of(self, int term) noexcept nogil
    cdef void rarest_of(
        self, const vector[int]& terms, size_t most, long long postings, vector[int]& found
    ) noexcept nogil

cdef int check_formula(double power, double k1, double b, double group_k1) except -1
cdef void families_of(const vector[int]& heads, Families& families) noexcept nogil
