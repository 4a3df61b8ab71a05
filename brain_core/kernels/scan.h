/* Sums of codes, 32 rows at a time: each half byte names one of 16 numbers, which the processor looks up in a register.
 *
 * Codes lie as FAISS packs them (pq4_pack_codes, blocks of 32): of each two parts of a vector 16 bytes for the first
 * and 16 for the second. In these the low halves are of rows 0, 8, 1, 9, … 7, 15, the high ones of 16, 24, … 23, 31.
 */
#ifndef SMARTBRAIN_SCAN_H
#define SMARTBRAIN_SCAN_H

#include <stdint.h>
#include <vector>

#include "products.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#define CENTROIDS 16
#define ROWS_OF_BLOCK 32
#define BYTES_OF_PAIR 32
#define TABLE_MOST 255
#define SUM_MOST 65535
#define AHEAD_BYTES 4096 /* of codes that are on their way: processors fetch ahead by themselves to the end of a page */
#define AT_ONCE 32768 /* of what 16 bits can count */

/* What each centroid of a part makes with that part of a query, its numbers added up in their order; the table has it in
 * equal steps above the least of its part: so fine that each is a byte, and their sum has 16 bits. */
CLONES
static void make_table(
    const float *centroids, const float *query, long parts, long size, float *products, uint8_t *table)
{
    float widest = 0, together = 0, steps = 0;
    for (long part = 0; part < parts; part++) {
        float made[CENTROIDS] = {0}, least, greatest;
        for (long i = 0; i < size; i++, query++, centroids += CENTROIDS)
            for (int one = 0; one < CENTROIDS; one++)
                made[one] += *query * centroids[one];
        least = greatest = made[0];
        for (int one = 1; one < CENTROIDS; one++) {
            least = made[one] < least ? made[one] : least;
            greatest = made[one] > greatest ? made[one] : greatest;
        }
        for (int one = 0; one < CENTROIDS; one++)
            products[part * CENTROIDS + one] = made[one] - least;
        widest = greatest - least > widest ? greatest - least : widest;
        together += greatest - least;
    }
    if (widest > 0) {
        float of_parts = TABLE_MOST / widest, of_sums = (SUM_MOST - (float)parts) / together;
        steps = of_parts < of_sums ? of_parts : of_sums;
    }
    for (long i = 0; i < parts * CENTROIDS; i++)
        table[i] = (uint8_t)(int)__builtin_rintf(products[i] * steps);
}

/* sums[r] = what the codes of row r name in the table, 16 numbers for each part, added up; below 65,536. */
typedef void (*summing)(const uint8_t *codes, long blocks, long pairs, const uint8_t *table, uint16_t *sums);

static void sums_portable(const uint8_t *codes, long blocks, long pairs, const uint8_t *table, uint16_t *sums)
{
    memset(sums, 0, blocks * ROWS_OF_BLOCK * sizeof *sums);
    for (long block = 0; block < blocks; block++, sums += ROWS_OF_BLOCK)
        for (long half = 0; half < 2 * pairs; half++, codes += 16)
            for (int i = 0; i < 16; i++) {
                int row = i / 2 + i % 2 * 8;
                sums[row] += table[half * 16 + (codes[i] & 15)];
                sums[row + 16] += table[half * 16 + (codes[i] >> 4)];
            }
}

#ifdef PRODUCTS_X86
__attribute__((target("avx2")))
static __m128i both_parts(__m256i sums)
{
    return _mm_add_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

/* Added as 16 bits, each sum of even bytes has that of the odd ones above it in its upper half, to be taken off. */
__attribute__((target("avx2")))
static void sums_avx2(const uint8_t *codes, long blocks, long pairs, const uint8_t *table, uint16_t *sums)
{
    const __m256i low_halves = _mm256_set1_epi8(15);
    for (long block = 0; block < blocks; block++, sums += ROWS_OF_BLOCK) {
        __m256i low = _mm256_setzero_si256(), low_odd = low, high = low, high_odd = low;
        for (long pair = 0; pair < pairs; pair++, codes += BYTES_OF_PAIR) {
            __m256i bytes = _mm256_loadu_si256((const __m256i *)codes);
            __m256i numbers = _mm256_loadu_si256((const __m256i *)(table + pair * BYTES_OF_PAIR));
            __m256i lows = _mm256_shuffle_epi8(numbers, _mm256_and_si256(bytes, low_halves));
            __m256i highs = _mm256_shuffle_epi8(numbers, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low_halves));
            low = _mm256_add_epi16(low, lows);
            low_odd = _mm256_add_epi16(low_odd, _mm256_srli_epi16(lows, 8));
            high = _mm256_add_epi16(high, highs);
            high_odd = _mm256_add_epi16(high_odd, _mm256_srli_epi16(highs, 8));
        }
        low = _mm256_sub_epi16(low, _mm256_slli_epi16(low_odd, 8));
        high = _mm256_sub_epi16(high, _mm256_slli_epi16(high_odd, 8));
        _mm_storeu_si128((__m128i *)sums, both_parts(low));
        _mm_storeu_si128((__m128i *)(sums + 8), both_parts(low_odd));
        _mm_storeu_si128((__m128i *)(sums + 16), both_parts(high));
        _mm_storeu_si128((__m128i *)(sums + 24), both_parts(high_odd));
    }
}

__attribute__((target("avx512bw")))
static __m128i four_parts(__m512i sums)
{
    __m256i two = _mm256_add_epi16(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1));
    return _mm_add_epi16(_mm256_castsi256_si128(two), _mm256_extracti128_si256(two, 1));
}

/* The same of two pairs at once. */
__attribute__((target("avx512bw")))
static void sums_avx512(const uint8_t *codes, long blocks, long pairs, const uint8_t *table, uint16_t *sums)
{
    const __m512i low_halves = _mm512_set1_epi8(15);
    for (long block = 0; block < blocks; block++, codes += pairs * BYTES_OF_PAIR, sums += ROWS_OF_BLOCK) {
        __m512i low = _mm512_setzero_si512(), low_odd = low, high = low, high_odd = low;
        for (long at = 0; at < pairs * BYTES_OF_PAIR; at += 2 * BYTES_OF_PAIR) {
            prefetch(codes + at + AHEAD_BYTES);
            __mmask16 there = at + BYTES_OF_PAIR < pairs * BYTES_OF_PAIR ? 0xffff : 0xff;
            __m512i bytes = _mm512_maskz_loadu_epi32(there, codes + at);
            __m512i numbers = _mm512_maskz_loadu_epi32(there, table + at);
            __m512i lows = _mm512_shuffle_epi8(numbers, _mm512_and_si512(bytes, low_halves));
            __m512i highs = _mm512_shuffle_epi8(numbers, _mm512_and_si512(_mm512_srli_epi16(bytes, 4), low_halves));
            low = _mm512_add_epi16(low, lows);
            low_odd = _mm512_add_epi16(low_odd, _mm512_srli_epi16(lows, 8));
            high = _mm512_add_epi16(high, highs);
            high_odd = _mm512_add_epi16(high_odd, _mm512_srli_epi16(highs, 8));
        }
        low = _mm512_sub_epi16(low, _mm512_slli_epi16(low_odd, 8));
        high = _mm512_sub_epi16(high, _mm512_slli_epi16(high_odd, 8));
        _mm_storeu_si128((__m128i *)sums, four_parts(low));
        _mm_storeu_si128((__m128i *)(sums + 8), four_parts(low_odd));
        _mm_storeu_si128((__m128i *)(sums + 16), four_parts(high));
        _mm_storeu_si128((__m128i *)(sums + 24), four_parts(high_odd));
    }
}
#endif

#if defined(__aarch64__)
static void sums_neon(const uint8_t *codes, long blocks, long pairs, const uint8_t *table, uint16_t *sums)
{
    for (long block = 0; block < blocks; block++, sums += ROWS_OF_BLOCK) {
        uint16x8_t low = vdupq_n_u16(0), low_odd = low, high = low, high_odd = low;
        for (long half = 0; half < 2 * pairs; half++, codes += 16) {
            uint8x16_t bytes = vld1q_u8(codes), numbers = vld1q_u8(table + half * 16);
            uint16x8_t lows = vreinterpretq_u16_u8(vqtbl1q_u8(numbers, vandq_u8(bytes, vdupq_n_u8(15))));
            uint16x8_t highs = vreinterpretq_u16_u8(vqtbl1q_u8(numbers, vshrq_n_u8(bytes, 4)));
            low = vaddq_u16(low, lows);
            low_odd = vsraq_n_u16(low_odd, lows, 8);
            high = vaddq_u16(high, highs);
            high_odd = vsraq_n_u16(high_odd, highs, 8);
        }
        vst1q_u16(sums, vsubq_u16(low, vshlq_n_u16(low_odd, 8)));
        vst1q_u16(sums + 8, low_odd);
        vst1q_u16(sums + 16, vsubq_u16(high, vshlq_n_u16(high_odd, 8)));
        vst1q_u16(sums + 24, high_odd);
    }
}
#endif

static inline summing summing_of_this_machine(void)
{
#ifdef PRODUCTS_X86
    if (__builtin_cpu_supports("avx512bw"))
        return sums_avx512;
    if (__builtin_cpu_supports("avx2"))
        return sums_avx2;
#endif
#if defined(__aarch64__)
    return sums_neon;
#endif
    return sums_portable;
}

CLONES
static void leave_out(const uint8_t *allowed, uint16_t *sums, long size)
{
    for (long i = 0; i < size; i++)
        sums[i] = allowed[i] ? sums[i] : 0;
}

CLONES
static void raise_to(const uint16_t *sums, uint16_t *tops, long size)
{
    for (long i = 0; i < size; i++)
        tops[i] = tops[i] > sums[i] ? tops[i] : sums[i];
}

CLONES
static long count_of(const uint16_t *sums, long size, uint16_t least)
{
    long total = 0;
    for (long first = 0; first < size; first += AT_ONCE) {
        long stop = size - first < AT_ONCE ? size : first + AT_ONCE;
        uint16_t count = 0;
        for (long i = first; i < stop; i++)
            count += sums[i] >= least;
        total += count;
    }
    return total;
}

/* The greatest number that at least k sums reach; 0 if there are fewer. */
static inline uint16_t reached_by(const uint16_t *sums, long size, long k)
{
    uint16_t reached = 0;
    for (uint16_t bit = 1 << 15; bit; bit >>= 1)
        if (count_of(sums, size, reached | bit) >= k)
            reached |= bit;
    return reached;
}

/* A number that at least k sums reach, and not many more: the greatest of each of some four times as many groups do. */
static inline uint16_t about_reached_by(const uint16_t *sums, long size, long k)
{
    long groups = size < 4 * k ? size : 4 * k;
    std::vector<uint16_t> tops(sums, sums + groups);
    for (long first = groups; first < size; first += groups)
        raise_to(sums + first, tops.data(), size - first < groups ? size - first : groups);
    return reached_by(tops.data(), groups, k);
}

/* Two bits, one above the other, for each of eight sums that reach the least. */
static inline unsigned which_reach(const uint16_t *sums, uint16_t least)
{
#ifdef PRODUCTS_X86
    __m128i missing = _mm_subs_epu16(_mm_set1_epi16((short)least), _mm_loadu_si128((const __m128i *)sums));
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi16(missing, _mm_setzero_si128()));
#else
    unsigned bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= sums[i] >= least ? 3u << 2 * i : 0;
    return bits;
#endif
}

/* Fill in the allowed rows whose sums reach the least, and these sums. sums: of `size` rows and on to a whole block. */
static inline void gather_reaching(
    const uint16_t *sums, const uint8_t *allowed, long size, uint16_t least, std::vector<int> &rows,
    std::vector<uint16_t> &theirs)
{
    for (long first = 0; first < size; first += 8)
        for (unsigned bits = which_reach(sums + first, least); bits; bits &= bits - 1, bits &= bits - 1) {
            long row = first + __builtin_ctz(bits) / 2;
            if (row < size && allowed[row]) {
                rows.push_back((int)row);
                theirs.push_back(sums[row]);
            }
        }
}

/* Leave of rows those whose sums are among the k best, and all that equal the last of these. */
static inline void keep_reaching(std::vector<int> &rows, const std::vector<uint16_t> &sums, long k)
{
    uint16_t least = reached_by(sums.data(), (long)sums.size(), k);
    size_t kept = 0;
    for (size_t i = 0; i < rows.size(); i++) {
        rows[kept] = rows[i];
        kept += sums[i] >= least;
    }
    rows.resize(kept);
}

#endif
