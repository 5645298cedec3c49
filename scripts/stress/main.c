/* SPDX-License-Identifier: Apache-2.0 */

#include "millrace_rules.h"
#include "millrace_stress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_rules(void) {
    int failures = 0;
    for (unsigned rule = 0; rule < millrace_rule_count(); rule++) {
        bool holds = millrace_rule_holds(rule);
        printf("%s: %s\n", holds ? "holds" : "BROKEN", millrace_rule_name(rule));
        failures += !holds;
    }
    return failures;
}

/* usage: stress [SECONDS [SEED]] | --rules; SECONDS for each plan and each ring */
int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    int broken = check_rules();
    if (broken > 0 || (count > 1 && strcmp(arguments[1], "--rules") == 0)) {
        return broken != 0;
    }
    double seconds = count > 1 ? atof(arguments[1]) : 2;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 20260101;
    int failures = 0;
    for (unsigned plan = 0; plan < 8; plan++) {
        millrace_stress_report report = millrace_stress((millrace_stress_plan){
            .seed = seed + plan,
            .producers = plan % 2 ? 8 : 3,
            .seconds = seconds,
            .a_round = 2000,
            .parks = plan & 2,
            .trims = plan & 4,
            .leaves_some = plan == 5,
            .windows = plan == 1 || plan == 2 || plan >= 5,
        });
        uint64_t faults = report.lost + report.doubled + report.reordered + report.damaged + report.stuck +
                          (report.received != report.sent) + report.segments_left;
        printf("plan %u: %" PRIu64 " rounds, %" PRIu64 " sent, %" PRIu64 " received (%" PRIu64 " by destroy, %" PRIu64
               " in windows), lost %" PRIu64 ", doubled %" PRIu64 ", reordered %" PRIu64 ", damaged %" PRIu64
               ", stuck %" PRIu64 ", segments left %" PRIu64 "\n",
               plan, report.rounds, report.sent, report.received, report.visited, report.early, report.lost,
               report.doubled, report.reordered, report.damaged, report.stuck, report.segments_left);
        failures += faults != 0;
    }
    for (uint64_t capacity = 2; capacity <= 32; capacity *= 4) {
        millrace_ring_stress_report report = millrace_ring_stress(seed, 3, capacity, seconds);
        printf("ring of %" PRIu64 ": %" PRIu64 " appended, %" PRIu64 " read, %" PRIu64 " refused, damaged %" PRIu64
               "\n",
               capacity, report.appended, report.read, report.refused, report.damaged);
        failures += report.damaged != 0 || report.read == 0;
    }
    printf(failures ? "stress: FAILED, seed %" PRIu64 "\n" : "stress: passed, seed %" PRIu64 "\n", seed);
    return failures != 0;
}
