/* Products of vectors: of stored bytes with whole numbers, and of floats. Plain C that compilers turn into SIMD.
 *
 * A stored vector is d signed bytes and the scale that they count, a float. A query becomes whole numbers of 16 bits
 * before it meets them: sums are exact in any order, so every machine gives the same bits. Floats are summed in 16 lanes,
 * which are then added half to half: the same bits too, as long as multiplication and addition are not contracted
 * (setup.py says so to the compiler).
 */
#ifndef SMARTBRAIN_PRODUCTS_H
#define SMARTBRAIN_PRODUCTS_H

#include <stdint.h>
#include <string.h>

#define LANES 16
#define TOGETHER 4 /* vectors whose products with another one are summed side by side */
#define BYTE_MOST 127
#define WHOLE_MOST 32767
#define EXACT 512 /* products of a byte and a whole number whose sum 32 bits hold: 512 · 128 · 32767 < 2^31 */
#define MOST_BITS 0x47800000u /* of 65536, which no half float reaches */

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define PRODUCTS_X86
#include <immintrin.h>
#endif

#if defined(PRODUCTS_X86) && defined(__gnu_linux__) && !defined(__clang__)
#define CLONES __attribute__((unused, target_clones("avx512f", "avx2", "default")))
#else
#define CLONES __attribute__((unused))
#endif

/* So that Cython can call it. */
static inline void prefetch(const void *place)
{
    __builtin_prefetch(place);
}

/* Rows that a search picks stand far apart: asked for early, they arrive while others are being summed. */
static inline void prefetch_all(const void *place, long bytes)
{
    for (long i = 0; i < bytes; i += 64)
        prefetch((const char *)place + i);
}

/* Bits of the greatest size of any number: ascending with it, those of infinities and NaN above all. */
CLONES
static uint32_t greatest_bits(const float *numbers, long size)
{
    uint32_t greatest = 0, bits;
    for (long i = 0; i < size; i++) {
        memcpy(&bits, numbers + i, sizeof bits);
        bits &= 0x7fffffffu;
        greatest = bits > greatest ? bits : greatest;
    }
    return greatest;
}

/* What 1 of whole numbers up to `most` counts, for the greatest of numbers to be `most`. 0 where one is infinite, no
 * number or beyond ±65536, as none of a half float is: such a vector points nowhere. */
static inline float scale_of(const float *numbers, long size, int most)
{
    uint32_t bits = greatest_bits(numbers, size);
    float greatest;
    if (bits > MOST_BITS)
        return 0;
    memcpy(&greatest, &bits, sizeof greatest);
    return greatest / (float)most;
}

/* A scale rounded to 17 significant bits: times a byte it is exact, so that a vector in full gives the same bytes
 * again. */
static inline float short_scale(float scale)
{
    uint32_t bits;
    memcpy(&bits, &scale, sizeof bits);
    bits = (bits + 0x40u) & ~0x7fu;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

/* A number in scales, a whole one: half to even. With a scale of 0 all are 0. */
static inline float in_scales(float number, float scale, float most)
{
    float whole = scale > 0 ? __builtin_rintf(number / scale) : 0;
    return whole > most ? most : whole < -most ? -most : whole;
}

CLONES
static void to_bytes(const float *numbers, float scale, int8_t *out, long size)
{
    for (long i = 0; i < size; i++)
        out[i] = (int8_t)in_scales(numbers[i], scale, BYTE_MOST);
}

CLONES
static void to_wholes(const float *numbers, float scale, int16_t *out, long size)
{
    for (long i = 0; i < size; i++)
        out[i] = (int16_t)in_scales(numbers[i], scale, WHOLE_MOST);
}

CLONES
static void bytes_expand(const int8_t *bytes, float scale, float *out, long size)
{
    for (long i = 0; i < size; i++)
        out[i] = (float)bytes[i] * scale;
}

static int64_t bytes_dot_portable(const int8_t *bytes, const int16_t *wholes, long size)
{
    int64_t total = 0;
    for (long i = 0; i < size;) {
        long stop = size - i > EXACT ? i + EXACT : size;
        int32_t sum = 0;
        for (; i < stop; i++)
            sum += bytes[i] * wholes[i];
        total += sum;
    }
    return total;
}

#ifdef PRODUCTS_X86
/* The same sum by the processor's own sixteen products at once. */
__attribute__((target("avx2")))
static int64_t bytes_dot_avx2(const int8_t *bytes, const int16_t *wholes, long size)
{
    int64_t total = 0;
    long i = 0, whole = size - size % 16;
    while (i < whole) {
        long stop = whole - i > EXACT ? i + EXACT : whole;
        __m256i sums = _mm256_setzero_si256();
        for (; i < stop; i += 16) {
            __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(bytes + i)));
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(wide, _mm256_loadu_si256((const __m256i *)(wholes + i))));
        }
        __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
        total += _mm_cvtsi128_si32(half);
    }
    return total + bytes_dot_portable(bytes + whole, wholes + whole, size - whole);
}
#endif

#ifdef PRODUCTS_X86
/* And thirty-two at once. */
__attribute__((target("avx512bw")))
static int64_t bytes_dot_avx512(const int8_t *bytes, const int16_t *wholes, long size)
{
    int64_t total = 0;
    long i = 0, whole = size - size % 32;
    while (i < whole) {
        long stop = whole - i > EXACT ? i + EXACT : whole;
        __m512i sums = _mm512_setzero_si512();
        for (; i < stop; i += 32) {
            __m512i wide = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(bytes + i)));
            sums = _mm512_add_epi32(sums, _mm512_madd_epi16(wide, _mm512_loadu_si512(wholes + i)));
        }
        total += _mm512_reduce_add_epi32(sums);
    }
    return total + bytes_dot_portable(bytes + whole, wholes + whole, size - whole);
}
#endif

typedef int64_t (*bytes_product)(const int8_t *, const int16_t *, long);

static inline bytes_product bytes_dot_of_this_machine(void)
{
#ifdef PRODUCTS_X86
    if (__builtin_cpu_supports("avx512bw"))
        return bytes_dot_avx512;
    if (__builtin_cpu_supports("avx2"))
        return bytes_dot_avx2;
#endif
    return bytes_dot_portable;
}

static inline float lanes_sum(float *lanes)
{
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int lane = 0; lane < width; lane++)
            lanes[lane] += lanes[lane + width];
    return lanes[0];
}

CLONES
static float float_dot(const float *left, const float *right, long size)
{
    float lanes[LANES] = {0};
    long i = 0;
    for (; i + LANES <= size; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] += left[i + lane] * right[i + lane];
    for (int lane = 0; i + lane < size; lane++)
        lanes[lane] += left[i + lane] * right[i + lane];
    return lanes_sum(lanes);
}

/* float_dot of four vectors with one, the same bits. A sum waits for its last addition; four side by side do not. */
CLONES
static void float_dots(const float *const *lefts, const float *right, float *out, long size)
{
    typedef float floats __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float))));
    const float *left0 = lefts[0], *left1 = lefts[1], *left2 = lefts[2], *left3 = lefts[3];
    floats sums[TOGETHER] = {{0}};
    long i = 0;
    for (; i + LANES <= size; i += LANES) {
        floats other = *(const floats *)(right + i);
        sums[0] += *(const floats *)(left0 + i) * other;
        sums[1] += *(const floats *)(left1 + i) * other;
        sums[2] += *(const floats *)(left2 + i) * other;
        sums[3] += *(const floats *)(left3 + i) * other;
    }
    for (int one = 0; one < TOGETHER; one++) {
        float lanes[LANES];
        memcpy(lanes, &sums[one], sizeof lanes);
        for (int lane = 0; i + lane < size; lane++)
            lanes[lane] += lefts[one][i + lane] * right[i + lane];
        out[one] = lanes_sum(lanes);
    }
}

#endif
