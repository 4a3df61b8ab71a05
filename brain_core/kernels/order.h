/* Orders of what is ranked. Of entries as function objects: the compiler puts those into its sort, not pointers. */
#ifndef SMARTBRAIN_ORDER_H
#define SMARTBRAIN_ORDER_H

#include <algorithm>
#include <stdint.h>
#include <string.h>
#include <vector>

/* A score and its row as one number, the lower the better: by higher score, then by lower row. Not of NaN, and -0 is
 * below 0. */
static inline uint64_t place_of(float score, int row)
{
    uint32_t bits;
    memcpy(&bits, &score, sizeof bits);
    /* Bits of positive floats ascend with them, those of negative ones descend. */
    bits = bits >> 31 ? bits : ~(bits | 0x80000000u);
    return (uint64_t)bits << 32 | (uint32_t)row;
}

static inline int row_at(uint64_t place)
{
    return (int)(uint32_t)place;
}

static inline float score_at(uint64_t place)
{
    uint32_t bits = (uint32_t)(place >> 32);
    float score;
    bits = bits >> 31 ? bits : ~bits & 0x7fffffffu;
    memcpy(&score, &bits, sizeof score);
    return score;
}

/* Leave the k best of places, the worst of them last and the others in no order; all if there are no more than k. */
static inline void keep_best(std::vector<uint64_t> &places, size_t k)
{
    if (places.size() <= k)
        return;
    if (k)
        std::nth_element(places.begin(), places.begin() + (k - 1), places.end());
    places.resize(k);
}

/* Whether one of size scores is above a bound. Without an early end: compilers turn it into SIMD. */
static inline int any_above(const float *scores, long size, float least)
{
    int found = 0;
    for (long i = 0; i < size; i++)
        found |= scores[i] > least;
    return found;
}

struct Entry {
    double score;
    long long tie;
    int row;
    int place;
};

struct OfLowerRow {
    bool operator()(const Entry &left, const Entry &right) const
    {
        return left.row < right.row || (left.row == right.row && left.place < right.place);
    }
};

struct ComesFirst {
    bool operator()(const Entry &left, const Entry &right) const
    {
        if (left.score != right.score)
            return left.score > right.score;
        if (left.tie != right.tie)
            return left.tie < right.tie;
        return left.row < right.row;
    }
};

#endif
