"""The run of a text's parts that has most of what is asked for."""

from libcpp.vector cimport vector


cdef struct Asked:
    vector[int] parts, of_part  # parts that have a term, ascending; where the terms of each begin in terms, and their end
    vector[int] terms
    vector[long long] weights


cdef int take(list places, list weights, Py_ssize_t size, Asked& asked) except -1:
    """Turn the parts of each term into the terms of each part."""
    cdef vector[int] ends
    cdef Py_ssize_t part, i, at = 0
    cdef long long weight
    ends.resize(size + 1, 0)
    for weight in weights:
        if weight < 0:
            raise ValueError(f"weights must be ≥ 0, got {weight}")
        asked.weights.push_back(weight)
    for having in places:
        for part in having:
            if not 0 <= part < size:
                raise ValueError(f"part {part} is not in 0..{size - 1}")
            ends[part + 1] += 1
    for i in range(size):
        if ends[i + 1]:
            asked.parts.push_back(<int>i)
            asked.of_part.push_back(<int>at)
        at += ends[i + 1]
        ends[i + 1] = <int>at
    asked.of_part.push_back(<int>at)
    asked.terms.resize(at)
    for i, having in enumerate(places):
        for part in having:
            asked.terms[ends[part]] = <int>i
            ends[part] += 1
    return 0


cdef bint is_told_later(const Asked& asked, const vector[int]& seen, size_t place) noexcept nogil:
    """Whether the run has each term of a part once more."""
    cdef int i
    for i in range(asked.of_part[place], asked.of_part[place + 1]):
        if seen[asked.terms[i]] < 2:
            return False
    return True


cdef void choose(
    const Asked& asked, const int[::1] starts, const int[::1] stops, long long longest, int* chosen
) noexcept nogil:
    cdef vector[int] seen
    cdef size_t first = 0, last
    cdef long long total = 0, length, best = 0, shortest = 0
    cdef int i, term
    seen.resize(asked.weights.size(), 0)
    for last in range(asked.parts.size()):
        for i in range(asked.of_part[last], asked.of_part[last + 1]):
            term = asked.terms[i]
            total += 0 if seen[term] else asked.weights[term]
            seen[term] += 1
        # Its first part goes while the run is too long, or has all that this part has without it.
        while first < last and (
            stops[asked.parts[last]] - starts[asked.parts[first]] > longest or is_told_later(asked, seen, first)
        ):
            for i in range(asked.of_part[first], asked.of_part[first + 1]):
                term = asked.terms[i]
                seen[term] -= 1
                total -= 0 if seen[term] else asked.weights[term]
            first += 1
        length = stops[asked.parts[last]] - starts[asked.parts[first]]
        if total > best or (total == best and length < shortest):
            best, shortest = total, length
            chosen[0], chosen[1] = asked.parts[first], asked.parts[last]


def densest(const int[::1] starts, const int[::1] stops, list places not None, list weights not None, long long longest):
    """Return (first, last) of the run of parts that has most, of equal ones the shortest, then the earliest.

    starts, stops: int32[p], characters of each part, ascending. places: of each term the parts that have it, distinct,
    ascending. weights: of each term, whole numbers ≥ 0; it counts once. longest: characters of a run of more than one
    part. A run begins and ends with a part that has a term, and its first has one that no other part of it has; of those
    that end with one part the longest counts. (0, 0) where nothing weighs anything. Raises ValueError.
    """
    cdef int chosen[2]
    cdef Asked asked
    if stops.shape[0] != starts.shape[0]:
        raise ValueError(f"starts has {starts.shape[0]} parts but stops has {stops.shape[0]}")
    if len(weights) != len(places):
        raise ValueError(f"places has {len(places)} terms but weights has {len(weights)}")
    take(places, weights, starts.shape[0], asked)
    chosen[0] = chosen[1] = 0
    with nogil:
        choose(asked, starts, stops, longest, chosen)
    return chosen[0], chosen[1]
