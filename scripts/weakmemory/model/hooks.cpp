// SPDX-License-Identifier: Apache-2.0
//
// How the C core reaches the model: it is compiled with -fsanitize=thread, and instead of ThreadSanitizer's library these
// functions are linked. So the model sees every access as the compiler made it, without a change to the sources: each
// atomic operation is one of the calls below, and each plain access is announced by one.

#include "memory.hpp"

#include <cstring>

using namespace model;

namespace {

Order order(int number) { return (Order)number; }

template <typename Word> Word updated(volatile void *address, Update kind, Word operand, int by, const void *place) {
    return (Word)memory().update((void *)address, sizeof(Word), kind, operand, order(by), place);
}

} // namespace

#define PLACE __builtin_return_address(0)

extern "C" {

void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}

#define PLAIN(bytes)                                                                                                   \
    void __tsan_read##bytes(void *a) { memory().plain(a, bytes, Access::plainRead, PLACE); }                           \
    void __tsan_write##bytes(void *a) { memory().plain(a, bytes, Access::plainWrite, PLACE); }                         \
    void __tsan_unaligned_read##bytes(void *a) { memory().plain(a, bytes, Access::plainRead, PLACE); }                 \
    void __tsan_unaligned_write##bytes(void *a) { memory().plain(a, bytes, Access::plainWrite, PLACE); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(void *a, size_t bytes) { memory().plain(a, bytes, Access::plainRead, PLACE); }
void __tsan_write_range(void *a, size_t bytes) { memory().plain(a, bytes, Access::plainWrite, PLACE); }

void *__tsan_memset(void *to, int byte, size_t bytes) {
    memory().plain(to, bytes, Access::plainWrite, PLACE);
    return memset(to, byte, bytes);
}

void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
    memory().plain(from, bytes, Access::plainRead, PLACE);
    memory().plain(to, bytes, Access::plainWrite, PLACE);
    return memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, size_t bytes) {
    memory().plain(from, bytes, Access::plainRead, PLACE);
    memory().plain(to, bytes, Access::plainWrite, PLACE);
    return memmove(to, from, bytes);
}

// Clang calls compare_exchange_val, GCC the two others.
#define ATOMIC(bits, Word)                                                                                             \
    Word __tsan_atomic##bits##_load(const volatile void *a, int o) {                                                   \
        return (Word)memory().load((const void *)a, sizeof(Word), order(o), PLACE);                                    \
    }                                                                                                                  \
    void __tsan_atomic##bits##_store(volatile void *a, Word v, int o) {                                                \
        memory().store((void *)a, sizeof(Word), v, order(o), PLACE);                                                   \
    }                                                                                                                  \
    Word __tsan_atomic##bits##_exchange(volatile void *a, Word v, int o) {                                             \
        return updated<Word>(a, Update::exchange, v, o, PLACE);                                                        \
    }                                                                                                                  \
    Word __tsan_atomic##bits##_fetch_add(volatile void *a, Word v, int o) {                                            \
        return updated<Word>(a, Update::add, v, o, PLACE);                                                             \
    }                                                                                                                  \
    Word __tsan_atomic##bits##_fetch_sub(volatile void *a, Word v, int o) {                                            \
        return updated<Word>(a, Update::subtract, v, o, PLACE);                                                        \
    }                                                                                                                  \
    Word __tsan_atomic##bits##_fetch_and(volatile void *a, Word v, int o) {                                            \
        return updated<Word>(a, Update::conjunction, v, o, PLACE);                                                     \
    }                                                                                                                  \
    Word __tsan_atomic##bits##_fetch_or(volatile void *a, Word v, int o) {                                             \
        return updated<Word>(a, Update::disjunction, v, o, PLACE);                                                     \
    }                                                                                                                  \
    Word __tsan_atomic##bits##_fetch_xor(volatile void *a, Word v, int o) {                                            \
        return updated<Word>(a, Update::difference, v, o, PLACE);                                                      \
    }                                                                                                                  \
    Word __tsan_atomic##bits##_compare_exchange_val(volatile void *a, Word e, Word v, int o, int f) {                  \
        uint64_t expected = e;                                                                                         \
        memory().compareExchange((void *)a, sizeof(Word), expected, v, order(o), order(f), PLACE);                     \
        return (Word)expected;                                                                                         \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile void *a, Word *e, Word v, int o, int f) {               \
        uint64_t expected = *e;                                                                                        \
        bool done = memory().compareExchange((void *)a, sizeof(Word), expected, v, order(o), order(f), PLACE);         \
        *e = (Word)expected;                                                                                           \
        return done;                                                                                                   \
    }                                                                                                                  \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile void *a, Word *e, Word v, int o, int f) {                 \
        return __tsan_atomic##bits##_compare_exchange_strong(a, e, v, o, f);                                           \
    }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

void __tsan_atomic_signal_fence(int) {}
void __tsan_atomic_thread_fence(int) { fail("a stand-alone fence: the project uses none, the model knows none"); }
}
