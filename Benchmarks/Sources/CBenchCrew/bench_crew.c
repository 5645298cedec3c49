/* SPDX-License-Identifier: Apache-2.0 */
#include "CBenchCrew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

typedef struct bench_member {
    struct bench_crew *crew;
    pthread_t thread;
    int index;
    uint64_t ended;
    uint64_t cpu;
} bench_member;

struct bench_crew {
    pthread_mutex_t mutex; /* guards the fields from `run` to `context` */
    pthread_cond_t changed;
    uint64_t run;  /* number of the run that the members should do */
    int finished;  /* members that have returned from that run */
    bool stopping; /* the members should end */
    bench_crew_body body;
    void *context;
    int size;
    bool pinned;
    bench_member *members;
    /* The common start of a run: each member adds itself to `arrived`. The last one stores the time and sets `open`. */
    _Atomic int arrived;
    _Atomic uint64_t open; /* number of the run that may start */
    uint64_t began;        /* written by the last member to arrive, before it sets `open` */
};

uint64_t bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t bench_thread_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void pin(int index) {
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return;
    }
    int wanted = index % CPU_COUNT(&allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &allowed) && wanted-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            pthread_setaffinity_np(pthread_self(), sizeof one, &one);
            return;
        }
    }
}

/* Waits for all members. It yields after a short spin, because there may be more members than processors. */
static void start_together(bench_crew *crew, uint64_t run) {
    /* acq_rel: the last member to arrive has seen all others arrive. */
    if (atomic_fetch_add_explicit(&crew->arrived, 1, memory_order_acq_rel) + 1 == crew->size) {
        crew->began = bench_now();
        /* release: pairs with the acquire in the loop below. */
        atomic_store_explicit(&crew->open, run, memory_order_release);
        return;
    }
    for (int turns = 0; atomic_load_explicit(&crew->open, memory_order_acquire) != run; turns++) {
        if (turns < 2000) {
            bench_pause();
        } else {
            sched_yield();
        }
    }
}

static void *member_main(void *argument) {
    bench_member *member = argument;
    bench_crew *crew = member->crew;
    pthread_setname_np(pthread_self(), "bench-crew");
    if (crew->pinned) {
        pin(member->index);
    }
    for (uint64_t run = 1;; run++) {
        pthread_mutex_lock(&crew->mutex);
        while (crew->run < run && !crew->stopping) {
            pthread_cond_wait(&crew->changed, &crew->mutex);
        }
        bool stopping = crew->stopping;
        bench_crew_body body = crew->body;
        void *context = crew->context;
        pthread_mutex_unlock(&crew->mutex);
        if (stopping) {
            return NULL;
        }
        start_together(crew, run);
        uint64_t cpu = bench_thread_time();
        body(context, member->index);
        member->ended = bench_now();
        member->cpu = bench_thread_time() - cpu;
        pthread_mutex_lock(&crew->mutex);
        crew->finished++;
        pthread_cond_broadcast(&crew->changed);
        pthread_mutex_unlock(&crew->mutex);
    }
}

bench_crew *bench_crew_create(int members, int pinned) {
    bench_crew *crew = calloc(1, sizeof *crew);
    if (crew == NULL || (crew->members = calloc((size_t)members, sizeof *crew->members)) == NULL) {
        free(crew);
        return NULL;
    }
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->changed, NULL);
    crew->pinned = pinned != 0;
    for (; crew->size < members; crew->size++) {
        bench_member *member = &crew->members[crew->size];
        member->crew = crew;
        member->index = crew->size;
        if (pthread_create(&member->thread, NULL, member_main, member) != 0) {
            bench_crew_destroy(crew);
            return NULL;
        }
    }
    return crew;
}

bench_crew_times bench_crew_run(bench_crew *crew, bench_crew_body body, void *context) {
    atomic_store_explicit(&crew->arrived, 0, memory_order_relaxed); /* ordered by the mutex */
    pthread_mutex_lock(&crew->mutex);
    crew->body = body;
    crew->context = context;
    crew->finished = 0;
    crew->run++;
    pthread_cond_broadcast(&crew->changed);
    while (crew->finished < crew->size) {
        pthread_cond_wait(&crew->changed, &crew->mutex);
    }
    pthread_mutex_unlock(&crew->mutex);

    bench_crew_times times = {crew->began, 0, 0};
    uint64_t ended = crew->began;
    for (int i = 0; i < crew->size; i++) {
        if (crew->members[i].ended > ended) {
            ended = crew->members[i].ended;
        }
        times.cpu_nanoseconds += crew->members[i].cpu;
    }
    times.wall_nanoseconds = ended - crew->began;
    return times;
}

void bench_crew_destroy(bench_crew *crew) {
    pthread_mutex_lock(&crew->mutex);
    crew->stopping = true;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
    for (int i = 0; i < crew->size; i++) {
        pthread_join(crew->members[i].thread, NULL);
    }
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->mutex);
    free(crew->members);
    free(crew);
}
