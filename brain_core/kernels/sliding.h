/* The strongest answer of each of some filters anywhere in a run of tokens. A filter's sum is added up in the order of
 * its numbers, in 32 bits, so every machine gives the same bits.
 */
#ifndef SMARTBRAIN_SLIDING_H
#define SMARTBRAIN_SLIDING_H

#include "products.h"

#define TOGETHER 4 /* windows that one pass over the filters serves */

/* What compilers of GCC's family make of the widest registers that a machine has. Loops over an array of so many stay
 * in memory: ten times slower. */
typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

/* Raise strongest[f] to what filter f makes of any window: bias[f] + Σ window[i] · filters[f / LANES][i][f % LANES].
 *
 * Window p is the `span` numbers from tokens + p · step on, p below `windows`, a multiple of TOGETHER. filters: [size /
 * LANES][span][LANES], read from the first to the last: so they arrive before they are asked for. size: a multiple of
 * LANES. */
CLONES
static void slide(
    const float *tokens, long windows, long step, const float *filters, long span, long size, const float *bias,
    float *strongest)
{
    for (long from = 0; from < size; from += LANES, filters += span * LANES) {
        lanes best = *(const lanes *)(strongest + from), begin = *(const lanes *)(bias + from);
        for (long p = 0; p < windows; p += TOGETHER) {
            const float *first = tokens + p * step, *second = first + step, *third = second + step,
                        *fourth = third + step;
            lanes of_first = begin, of_second = begin, of_third = begin, of_fourth = begin;
            for (long i = 0; i < span; i++) {
                lanes numbers = *(const lanes *)(filters + i * LANES);
                of_first += first[i] * numbers;
                of_second += second[i] * numbers;
                of_third += third[i] * numbers;
                of_fourth += fourth[i] * numbers;
            }
            best = of_first > best ? of_first : best;
            best = of_second > best ? of_second : best;
            best = of_third > best ? of_third : best;
            best = of_fourth > best ? of_fourth : best;
        }
        *(lanes *)(strongest + from) = best;
    }
}

#endif
