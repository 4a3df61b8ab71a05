/* Orders of what is ranked. Of entries as function objects: the compiler puts those into its sort, not pointers. */
#ifndef SMARTBRAIN_ORDER_H
#define SMARTBRAIN_ORDER_H

#include <algorithm>
#include <stdint.h>
#include <string.h>
#include <vector>

#include "products.h"

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

#define MANY 4096 /* places of which the best are found before they are put in order */

/* Put places in order, the lowest first: by one byte after the other of those in which they differ (radix sort), for
 * a sort that compares has a branch for each comparison, and guesses half of these wrong. */
static inline void put_in_order(std::vector<uint64_t> &places)
{
    std::vector<uint64_t> other(places.size());
    uint64_t differing = 0;
    for (uint64_t place : places)
        differing |= place ^ places[0];
    for (int shift = 0; shift < 64; shift += 8) {
        if (!(differing >> shift & 255))
            continue;
        uint32_t starts[257] = {0};
        for (uint64_t place : places)
            starts[(place >> shift & 255) + 1]++;
        for (int byte = 0; byte < 256; byte++)
            starts[byte + 1] += starts[byte];
        for (uint64_t place : places)
            other[starts[place >> shift & 255]++] = place;
        places.swap(other);
    }
}

/* Leave the k best of places, in order; all if there are no more than k. */
static inline void keep_best(std::vector<uint64_t> &places, size_t k)
{
    if (places.size() > std::max<size_t>(k, MANY)) {
        std::nth_element(places.begin(), places.begin() + k, places.end());
        places.resize(k);
    }
    put_in_order(places);
    places.resize(std::min(k, places.size()));
}

/* Without a branch: which of two is greater cannot be foreseen. */
static inline float greater(float left, float right)
{
#ifdef PRODUCTS_X86
    return _mm_cvtss_f32(_mm_max_ss(_mm_set_ss(left), _mm_set_ss(right)));
#else
    return left > right ? left : right;
#endif
}

#define BLOCK 16 /* scores that are passed over together where none can be among the best */
#define AHEAD_OF_SCORES 4096 /* bytes on their way: processors fetch ahead by themselves to the end of a page */

#ifdef PRODUCTS_X86
/* Four scores, 0 where one is left out or not above 0. */
static inline __m128 above_zero(const float *scores, __m128i left_out)
{
    __m128 four = _mm_loadu_ps(scores);
    return _mm_andnot_ps(_mm_castsi128_ps(left_out), _mm_and_ps(four, _mm_cmpgt_ps(four, _mm_setzero_ps())));
}
#endif

/* The greatest allowed score of a whole block, 0 where none is positive. */
static inline float top_of_block(const float *scores, const unsigned char *allowed)
{
#ifdef PRODUCTS_X86
    __m128i out = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)allowed), _mm_setzero_si128());
    __m128i first = _mm_unpacklo_epi8(out, out), last = _mm_unpackhi_epi8(out, out);
    __m128 left = _mm_max_ps(
        above_zero(scores, _mm_unpacklo_epi16(first, first)), above_zero(scores + 4, _mm_unpackhi_epi16(first, first)));
    __m128 right = _mm_max_ps(
        above_zero(scores + 8, _mm_unpacklo_epi16(last, last)), above_zero(scores + 12, _mm_unpackhi_epi16(last, last)));
    left = _mm_max_ps(left, right);
    left = _mm_max_ps(left, _mm_movehl_ps(left, left));
    return _mm_cvtss_f32(_mm_max_ss(left, _mm_shuffle_ps(left, left, 1)));
#else
    float top = 0;
    for (int i = 0; i < BLOCK; i++)
        top = allowed[i] && scores[i] > top ? scores[i] : top;
    return top;
#endif
}

/* The greatest allowed score of each block of scores, 0 where none is positive. */
static inline void tops_of_blocks(const float *scores, const unsigned char *allowed, long size, float *tops)
{
    long first = 0;
    for (; first + BLOCK <= size; first += BLOCK) {
        prefetch((const char *)(scores + first) + AHEAD_OF_SCORES);
        *tops++ = top_of_block(scores + first, allowed + first);
    }
    if (first == size)
        return;
    *tops = 0;
    for (; first < size; first++)
        *tops = allowed[first] && scores[first] > *tops ? scores[first] : *tops;
}

CLONES
static long count_reaching(const float *scores, long size, float least)
{
    int count = 0;
    for (long i = 0; i < size; i++)
        count += scores[i] >= least;
    return count;
}

/* The place of the lowest bit that is set; of at least one. */
static inline int first_of(unsigned bits)
{
    return __builtin_ctz(bits);
}

/* A bit for each of the scores of a whole block that is allowed, above 0 and reaches the least. */
static inline unsigned which_reach(const float *scores, const unsigned char *allowed, float least)
{
#ifdef PRODUCTS_X86
    __m128 lowest = _mm_set1_ps(least), zero = _mm_setzero_ps();
    __m128i reach[4], out = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)allowed), _mm_setzero_si128());
    for (int i = 0; i < 4; i++) {
        __m128 four = _mm_loadu_ps(scores + 4 * i);
        reach[i] = _mm_castps_si128(_mm_and_ps(_mm_cmpge_ps(four, lowest), _mm_cmpgt_ps(four, zero)));
    }
    reach[0] = _mm_packs_epi16(_mm_packs_epi32(reach[0], reach[1]), _mm_packs_epi32(reach[2], reach[3]));
    return (unsigned)_mm_movemask_epi8(_mm_andnot_si128(out, reach[0]));
#else
    unsigned bits = 0;
    for (int i = 0; i < BLOCK; i++)
        bits |= (unsigned)(allowed[i] && scores[i] > 0 && scores[i] >= least) << i;
    return bits;
#endif
}

/* A score that at least k scores reach, of which the tops of blocks are some; 0 if there are fewer blocks. */
static inline float reached_by(const std::vector<float> &tops, size_t k)
{
    if (tops.size() < k)
        return 0;
    std::vector<float> groups(std::min(tops.size(), 4 * k), 0.0f);
    for (size_t first = 0; first < tops.size(); first += groups.size())
        for (size_t i = 0; i < groups.size() && first + i < tops.size(); i++)
            groups[i] = std::max(groups[i], tops[first + i]);
    uint32_t reached = 0;
    for (uint32_t bit = 1u << 30; bit; bit >>= 1) {
        uint32_t higher = reached | bit;
        float least;
        memcpy(&least, &higher, sizeof least);
        if (count_reaching(groups.data(), (long)groups.size(), least) >= (long)k)
            reached = higher;
    }
    float least;
    memcpy(&least, &reached, sizeof least);
    return least;
}

/* What a term gains each of some groups: gain · count / (count + flat + slope · length). lengths become the gains. */
CLONES
static void gain_groups(
    const double *__restrict counts, double *__restrict lengths, long size, double gain, double flat, double slope)
{
    for (long i = 0; i < size; i++)
        lengths[i] = gain * counts[i] / (counts[i] + flat + slope * lengths[i]);
}

/* Add what a bit counts to the sums of the masks that have it. */
CLONES
static void add_where(const uint64_t *masks, int bit, double gain, long size, double *sums)
{
    for (long i = 0; i < size; i++)
        sums[i] += masks[i] >> bit & 1 ? gain : 0.0;
}

struct Entry {
    double score;
    long long tie;
    int row;
    int place;
};

/* Which place each row has: a table of at least twice as many slots as rows, so that a free one is soon met. */
class RowPlaces {
  public:
    explicit RowPlaces(size_t rows)
    {
        int bits = 6;
        while (((size_t)1 << bits) < 2 * rows)
            bits++;
        shift = 32 - bits;
        slots.assign((size_t)1 << bits, Slot{0, -1});
    }

    /* The place of a row, -1 until it is set. Of no more rows than were told. */
    int &operator[](int row)
    {
        size_t at = (uint32_t)row * 2654435769u >> shift;
        while (slots[at].place >= 0 && slots[at].row != row)
            at = (at + 1) & (slots.size() - 1);
        slots[at].row = row;
        return slots[at].place;
    }

  private:
    struct Slot {
        int row, place;
    };
    std::vector<Slot> slots;
    int shift;
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
