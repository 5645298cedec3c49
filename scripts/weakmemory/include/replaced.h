/* SPDX-License-Identifier: Apache-2.0
 *
 * Included into every file of the C core by the command line (-include): the functions by which its macros are
 * replaced.
 */
#include <stdint.h>

uint64_t model_ticks(void);
void model_interleave(void);
