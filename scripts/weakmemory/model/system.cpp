// SPDX-License-Identifier: Apache-2.0
//
// What the C core asks of the system. The script compiles it with macros that put these functions in place of the calls:
// -Dsyscall=model_syscall and so on. And the calls that scenarios make (include/checker.h).

#include "../include/checker.h"

#include "grace.hpp"
#include "memory.hpp"
#include "trace.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <ctime>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <memory>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <vector>

using namespace model;

namespace {

struct Sleeper {
    const void *word;
    bool isWoken;
};
std::vector<std::shared_ptr<Sleeper>> sleepers;

long wait(const void *word, uint32_t value) {
    step();
    if ((uint32_t)memory().newest(word, 4) != value) {
        return -1;
    }
    auto sleeper = std::make_shared<Sleeper>(Sleeper{word, false});
    sleepers.push_back(sleeper);
    trace(current(), "sleeps on " + memory().describe(word));
    block("a wake-up", [sleeper] { return sleeper->isWoken; });
    return 0;
}

long wake(const void *word, int most) {
    step();
    trace(current(), "wakes sleepers on " + memory().describe(word));
    long woken = 0;
    for (size_t index = 0; index < sleepers.size() && woken < most;) {
        if (sleepers[index]->word == word) {
            sleepers[index]->isWoken = true;
            sleepers.erase(sleepers.begin() + (long)index);
            woken++;
        } else {
            index++;
        }
    }
    return woken;
}

long barrier() {
    step();
    Thread &caller = *current();
    trace(&caller, "membarrier begins");
    memory().fence(caller);
    std::vector<Thread *> others = threads();
    while (!others.empty()) {
        size_t index = draw(others.size());
        step(); // each core has its barrier at a moment of its own
        memory().fence(*others[index]);
        others.erase(others.begin() + (long)index);
    }
    memory().fence(caller);
    trace(&caller, "membarrier ends");
    return 0;
}

} // namespace

void model::resetSystem() { sleepers.clear(); }

extern "C" {

long model_syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long result = -1;
    if (number == SYS_membarrier) {
        int command = va_arg(arguments, int);
        if (command == MEMBARRIER_CMD_QUERY) {
            result = MEMBARRIER_CMD_PRIVATE_EXPEDITED;
        } else {
            result = command == MEMBARRIER_CMD_PRIVATE_EXPEDITED ? barrier() : 0;
        }
    } else if (number == SYS_futex) {
        const void *word = va_arg(arguments, const void *);
        int operation = va_arg(arguments, int);
        uint32_t value = va_arg(arguments, uint32_t);
        const timespec *limit = va_arg(arguments, const timespec *);
        if ((operation & FUTEX_CMD_MASK) != FUTEX_WAIT) {
            result = wake(word, (int)value);
        } else if (limit && limit->tv_sec < 60 && draw(4) == 0) { // the time of a short wait runs out at any moment
            yield();
            errno = ETIMEDOUT;
            result = -1;
        } else {
            result = wait(word, value);
        }
    } else {
        fail("a system call that the model does not know");
    }
    va_end(arguments);
    return result;
}

int model_sched_yield(void) {
    yield();
    return 0;
}

void *model_calloc(size_t count, size_t bytes) { return memory().allocate("object", count * bytes, 16, true); }
void *model_aligned_alloc(size_t alignment, size_t bytes) {
    return memory().allocate("object", bytes, alignment, false);
}
void model_free(void *address) { memory().free(address); }

void *model_mmap(void *, size_t bytes, int, int, int, long) { return memory().allocate("mapping", bytes, 64, true); }
int model_munmap(void *address, size_t) {
    memory().free(address);
    return 0;
}

void model_interleave(void) { linger(); }

uint64_t model_ticks(void) {
    // Each look may be made on another core, whose counter is up to 40 ticks behind.
    return 1000 + stepsTaken() - draw(41);
}

void model_read_begin(void) { beginSection(); }
void model_read_end(void) { endSection(); }
int model_read_ongoing(void) { return isInSection(); }
void model_call_rcu(void *head, void (*callback)(void *)) { callLater(head, callback); }
void model_synchronize(void) { synchronize(); }
void model_barrier(void) { waitForCallbacks(); }

uint64_t check_random(uint64_t bound) { return draw(bound); }

void check_spawn(const char *name, void (*body)(void *), void *argument) {
    spawn(name, [body, argument] { body(argument); });
}

void check_join(void) {
    auto areDone = [] {
        return std::all_of(threads().begin() + 2, threads().end(), [](Thread *thread) { return thread->isDone; });
    };
    block("the other threads", areDone);
    for (Thread *thread : threads()) {
        if (thread->isDone) {
            current()->view.join(thread->view);
        }
    }
}

void check_yield(void) { yield(); }

void check_that(int condition, const char *format, ...) {
    if (condition) {
        return;
    }
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail(text);
}

void check_note(const char *format, ...) {
    if (!isTracing()) {
        return;
    }
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    trace(current(), text);
}
}
