/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of sources: threads ask for the numbers of the same places, and read the entries. Entries are plain memory
 * except for the field that is stored last.
 */
/* The model watches only memory that was allocated, so the table is allocated here. */
#define millrace_sources (*check_sources)
#define taken (*check_taken)
#define millrace_source_find check_source_find

#ifdef __clang__
#pragma clang diagnostic ignored "-Wnullability-completeness"
#endif

#include "shared.h"

#include "../src/source.c"

enum { PLACES = 4 };

static void ask(void *argument) {
    (void)argument;
    for (unsigned turn = 0; turn < 4; turn++) {
        uint64_t place = 1 + check_random(PLACES);
        uint32_t number = millrace_source_number(place, place * 3, 0);
        if (number == MILLRACE_NO_SOURCE) {
            continue;
        }
        const millrace_source *entry = millrace_source_at(number);
        check_that(entry->function == place * 3, "the entry of another place");
    }
}

void scenario_source(void) {
    check_sources = calloc(1, sizeof *check_sources);
    check_taken = calloc(1, sizeof *check_taken);
    check_spawn("thread 0", ask, NULL);
    check_spawn("thread 1", ask, NULL);
    check_spawn("thread 2", ask, NULL);
    check_join();
    free(check_sources);
    free(check_taken);
}
