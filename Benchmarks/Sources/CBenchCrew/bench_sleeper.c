/* SPDX-License-Identifier: Apache-2.0 */

#include "CBenchSleeper.h"

#include "CBenchCrew.h"

#include <dirent.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct bench_sleeper {
    _Atomic uint32_t word; /* 1: another thread has called call() */
    _Atomic uint32_t ended;
    _Atomic uint64_t woke; /* the time that the sleeper read after it woke; 0 until then */
    pthread_t thread;
};

static void *sleep_and_wake(void *argument) {
    bench_sleeper *sleeper = argument;
    while (!atomic_load(&sleeper->ended)) {
        while (atomic_load(&sleeper->word) == 0) {
            syscall(SYS_futex, &sleeper->word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
        }
        atomic_store(&sleeper->word, 0);
        atomic_store(&sleeper->woke, bench_now());
    }
    return NULL;
}

bench_sleeper *bench_sleeper_create(void) {
    bench_sleeper *sleeper = calloc(1, sizeof *sleeper);
    if (sleeper && pthread_create(&sleeper->thread, NULL, sleep_and_wake, sleeper) != 0) {
        free(sleeper);
        return NULL;
    }
    return sleeper;
}

static void call(bench_sleeper *sleeper) {
    atomic_store(&sleeper->word, 1);
    syscall(SYS_futex, &sleeper->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

uint64_t bench_sleeper_wake(bench_sleeper *sleeper) {
    atomic_store(&sleeper->woke, 0);
    uint64_t began = bench_now();
    call(sleeper);
    uint64_t woke;
    while ((woke = atomic_load(&sleeper->woke)) == 0) {
        bench_pause();
    }
    return woke - began;
}

void bench_sleeper_destroy(bench_sleeper *sleeper) {
    atomic_store(&sleeper->ended, 1);
    call(sleeper);
    pthread_join(sleeper->thread, NULL);
    free(sleeper);
}

struct bench_bell {
    _Atomic uint64_t number;
    char padding[128 - sizeof(uint64_t)]; /* the reader writes `asleep`, the writer `number` */
    _Atomic uint32_t asleep;              /* 1: the reader sleeps, or is about to */
};

bench_bell *bench_bell_create(void) { return calloc(1, sizeof(bench_bell)); }

void bench_bell_publish(bench_bell *bell, uint64_t number) {
    /* seq_cst: either this thread sees that the reader is asleep, or the reader sees the number before it sleeps. */
    atomic_store(&bell->number, number);
    if (atomic_load(&bell->asleep) != 0 && atomic_exchange(&bell->asleep, 0) != 0) {
        syscall(SYS_futex, &bell->asleep, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

void bench_bell_await(bench_bell *bell, uint64_t number) {
    /* acquire: pairs with the store of the number. */
    while (atomic_load_explicit(&bell->number, memory_order_acquire) <= number) {
        atomic_store(&bell->asleep, 1);
        if (atomic_load(&bell->number) <= number) {
            syscall(SYS_futex, &bell->asleep, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
        }
        atomic_store_explicit(&bell->asleep, 0, memory_order_relaxed);
    }
}

void bench_bell_destroy(bench_bell *bell) { free(bell); }

int64_t bench_voluntary_switches(const char *name) {
    int64_t total = -1;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry = tasks ? readdir(tasks) : NULL; entry; entry = readdir(tasks)) {
        char path[300], line[256];
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *file = fopen(path, "r");
        int found = 0;
        while (file && fgets(line, sizeof line, file)) {
            char read[64];
            long long switches;
            if (sscanf(line, "Name: %63s", read) == 1) {
                found = strcmp(read, name) == 0;
            } else if (found && sscanf(line, "voluntary_ctxt_switches: %lld", &switches) == 1) {
                total = (total < 0 ? 0 : total) + switches;
            }
        }
        if (file) {
            fclose(file);
        }
    }
    if (tasks) {
        closedir(tasks);
    }
    return total;
}

uint64_t bench_resident_bytes(void) {
    unsigned long long kilobytes = 0;
    char line[256];
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "Rss: %llu", &kilobytes) == 1) {
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return kilobytes * 1024;
}
