/* SPDX-License-Identifier: Apache-2.0 */

#include "checker.h"

#include <stddef.h>

void scenario_queue(void), scenario_segments(void), scenario_reuse(void), scenario_doorbell(void), scenario_baton(void),
    scenario_closing(void), scenario_depth(void), scenario_depth_hint(void), scenario_cuts(void), scenario_gate(void),
    scenario_stage(void), scenario_snapshot(void), scenario_ring(void), scenario_ring_end(void), scenario_urgent(void),
    scenario_room(void), scenario_source(void), scenario_readers(void), scenario_window(void),
    scenario_window_baton(void);

const struct check_scenario check_scenarios[] = {
    {"queue", scenario_queue},
    {"segments", scenario_segments},
    {"reuse", scenario_reuse},
    {"doorbell", scenario_doorbell},
    {"baton", scenario_baton},
    {"closing", scenario_closing},
    {"depth", scenario_depth},
    {"depth_hint", scenario_depth_hint},
    {"cuts", scenario_cuts},
    {"gate", scenario_gate},
    {"stage", scenario_stage},
    {"snapshot", scenario_snapshot},
    {"ring", scenario_ring},
    {"ring_end", scenario_ring_end},
    {"urgent", scenario_urgent},
    {"room", scenario_room},
    {"source", scenario_source},
    {"readers", scenario_readers},
    {"window", scenario_window},
    {"window_baton", scenario_window_baton},
    {NULL, NULL},
};
