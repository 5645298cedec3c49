// SPDX-License-Identifier: Apache-2.0
//
// Runs the scenarios in turn for some time, or one execution again.
//
//   checker SECONDS SEED [SCENARIO,…]   for SECONDS of processor time; each execution's seed is made from SEED and its
//                                       number
//   checker --replay SCENARIO SEED      one execution, with its trace
//   checker --litmus EXECUTIONS         tests the model: EXECUTIONS executions of each test in scenarios/litmus.c
//
// Status: 0 nothing found, 1 found something, 2 usage.

#include "include/checker.h"
#include "model/threads.hpp"
#include "model/trace.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr size_t traceLines = 100;
constexpr double progressEvery = 0.2;

// Processor time of this process, so that a busy machine does not leave a mistake unfound.
double seconds() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

uint64_t seedOf(uint64_t base, size_t scenario, uint64_t number) {
    uint64_t z = base * 0x9E3779B97F4A7C15u + scenario * 0xD1B54A32D192ED03u + number;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    return (z ^ z >> 27) & 0xFFFFFFFFFFFF;
}

bool run(const check_scenario &scenario, uint64_t seed, bool isTraced) {
    model::setTracing(isTraced);
    return model::execute(seed, scenario.run);
}

int replay(const check_scenario &scenario, uint64_t seed) {
    bool isGood = run(scenario, seed, true);
    printf("scenario %s, seed %" PRIu64 ": %s\n", scenario.name, seed,
           isGood ? "nothing found" : model::failure().c_str());
    model::printTrace(getenv("MILLRACE_WHOLE_TRACE") ? SIZE_MAX : traceLines);
    return !isGood;
}

struct Progress {
    std::vector<uint64_t> executions;
    double began, next = 0;
    bool isShown = isatty(STDERR_FILENO);

    void show(size_t count, const char *name, double now, double limit) {
        if (!isShown || now < next) {
            return;
        }
        next = now + progressEvery;
        uint64_t all = 0;
        for (size_t index = 0; index < count; index++) {
            all += executions[index];
        }
        fprintf(stderr, "\r\033[K%3.0f of %.0f s, %" PRIu64 " executions, %s", now - began, limit, all, name);
    }

    void clear() const {
        if (isShown) {
            fprintf(stderr, "\r\033[K");
        }
    }
};

/// Whether a list of names, divided by commas, has this one.
bool has(const char *list, const char *name) {
    return ("," + std::string(list) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

int explore(double limit, uint64_t base, const char *only) {
    size_t count = 0;
    while (check_scenarios[count].name) {
        count++;
    }
    Progress progress;
    progress.executions.resize(count);
    progress.began = seconds();
    size_t ran = count;
    while (seconds() - progress.began < limit && ran > 0) {
        ran = 0;
        for (size_t index = 0; index < count; index++) {
            const check_scenario &scenario = check_scenarios[index];
            if (only && !has(only, scenario.name)) {
                continue;
            }
            ran++;
            for (int turn = 0; turn < 20; turn++) {
                uint64_t seed = seedOf(base, index, progress.executions[index]++);
                if (run(scenario, seed, false)) {
                    continue;
                }
                progress.clear();
                printf("FOUND after %.1f s, execution %" PRIu64 " of scenario %s: %s\n", seconds() - progress.began,
                       progress.executions[index], scenario.name, model::failure().c_str());
                printf("replay with: scripts/weakmemory.sh --replay %s %" PRIu64 "\n", scenario.name, seed);
                fflush(stdout);
                return getenv("MILLRACE_NO_TRACE") ? 1 : replay(scenario, seed) | 1;
            }
            progress.show(count, scenario.name, seconds(), limit);
        }
    }
    progress.clear();
    if (ran == 0) {
        fprintf(stderr, "no scenario is named %s\n", only ? only : "so");
        return 2;
    }
    uint64_t all = 0;
    for (size_t index = 0; index < count; index++) {
        all += progress.executions[index];
        if (progress.executions[index] > 0) {
            printf("%-12s %10" PRIu64 " executions\n", check_scenarios[index].name, progress.executions[index]);
        }
    }
    printf("weakmemory: nothing found in %" PRIu64 " executions, %.0f s, seed %" PRIu64 "\n", all,
           seconds() - progress.began, base);
    return 0;
}

/// Whether the model shows each outcome that it should, and none that C11 forbids.
int testModel(uint64_t executions) {
    int wrong = 0;
    size_t count = 0;
    for (const check_litmus *litmus = check_litmuses; litmus->name; litmus++, count++) {
        uint64_t seen = 0, seed = 0;
        for (uint64_t number = 0; number < executions && (seen == 0 || litmus->is_allowed); number++) {
            bool isThere = false;
            seed = seedOf(1, 1000 + count, number);
            if (!model::execute(seed, [&] { isThere = check_run_litmus(litmus); })) {
                printf("litmus: %s: %s\n", litmus->name, model::failure().c_str());
                return 1;
            }
            seen += isThere;
        }
        if ((seen > 0) != litmus->is_allowed) {
            wrong++;
            printf("litmus: %s: %s\n", litmus->name,
                   litmus->is_allowed ? "never seen, though C11 allows it" : "seen, though C11 forbids it");
        } else if (getenv("MILLRACE_WHOLE_TRACE")) {
            printf("litmus: %s: seen in %" PRIu64 " of %" PRIu64 " executions\n", litmus->name, seen, executions);
        }
    }
    if (wrong == 0) {
        printf("weakmemory: the model passes its %zu tests\n", count);
    }
    return wrong > 0;
}

} // namespace

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "--replay") == 0) {
        for (const check_scenario *scenario = check_scenarios; scenario->name; scenario++) {
            if (strcmp(scenario->name, arguments[2]) == 0) {
                return replay(*scenario, strtoull(arguments[3], nullptr, 10));
            }
        }
    } else if (count == 3 && strcmp(arguments[1], "--litmus") == 0) {
        return testModel(strtoull(arguments[2], nullptr, 10));
    } else if (count == 3 || count == 4) {
        return explore(atof(arguments[1]), strtoull(arguments[2], nullptr, 10), count == 4 ? arguments[3] : nullptr);
    }
    fprintf(stderr, "usage: checker SECONDS SEED [SCENARIO,...] | --replay SCENARIO SEED | --litmus EXECUTIONS\n");
    return 2;
}
