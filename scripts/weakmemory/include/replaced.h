/* SPDX-License-Identifier: Apache-2.0
 *
 * Included into every file of the C core by the command line (-include): the functions by which its macros are
 * replaced.
 */
#include <stdint.h>

uint64_t model_ticks(void);
void model_interleave(void);

void model_reuse_in(const void *);
void model_reuse_out(const void *);
void model_reuse_has(const void *);
void model_reuse_uses(const void *);
void model_reuse_spare(const void *);
void model_reuse_taken(const void *);
