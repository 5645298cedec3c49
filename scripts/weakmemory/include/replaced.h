/* SPDX-License-Identifier: Apache-2.0
 *
 * Forced into every file of the C core: what a macro alone can not replace.
 */
#include <stdint.h>

uint64_t model_ticks(void);
void model_interleave(void);
