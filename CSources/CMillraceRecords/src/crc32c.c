// SPDX-License-Identifier: Apache-2.0

#include "millrace_crc32c.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

// --- With a table: eight bytes at a time, one table for each of them.

static uint32_t tables[8][256];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (0x82F63B78 & (0 - (crc & 1)));
        tables[0][byte] = crc;
    }
    for (int table = 1; table < 8; table++)
        for (int byte = 0; byte < 256; byte++)
            tables[table][byte] = (tables[table - 1][byte] >> 8) ^ tables[0][tables[table - 1][byte] & 0xFF];
}

uint32_t millrace_crc32c_table(uint32_t crc, const void *bytes, size_t count) {
    pthread_once(&tables_once, make_tables);
    const uint8_t *next = bytes;
    crc = ~crc;
    for (; count >= 8; count -= 8, next += 8) {
        crc ^= (uint32_t)next[0] | (uint32_t)next[1] << 8 | (uint32_t)next[2] << 16 | (uint32_t)next[3] << 24;
        crc = tables[7][crc & 0xFF] ^ tables[6][crc >> 8 & 0xFF] ^ tables[5][crc >> 16 & 0xFF] ^ tables[4][crc >> 24] ^
              tables[3][next[4]] ^ tables[2][next[5]] ^ tables[1][next[6]] ^ tables[0][next[7]];
    }
    for (; count > 0; count--)
        crc = (crc >> 8) ^ tables[0][(crc ^ *next++) & 0xFF];
    return ~crc;
}

// --- With the instructions of the processor.

#if defined(__x86_64__)

#include <immintrin.h>

static inline uint64_t word(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/// Returns the value of the bytes of `crc` and of as many zeros as `power` stands for: x^(8 * zeros - 33), reflected.
__attribute__((target("sse4.2,pclmul"))) static inline uint64_t shifted(uint64_t crc, uint32_t power) {
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)crc), _mm_cvtsi32_si128((int32_t)power), 0);
    return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

/// Three streams at a time: the instruction takes three cycles, and one can start in each. `part` bytes a stream.
#define THREE_STREAMS(part, once, twice)                                                                               \
    for (; count >= 3 * (part); count -= 3 * (part), next += 3 * (part)) {                                             \
        uint64_t second = 0, third = 0;                                                                                \
        for (size_t at = 0; at < (part); at += 8) {                                                                    \
            value = _mm_crc32_u64(value, word(next + at));                                                             \
            second = _mm_crc32_u64(second, word(next + (part) + at));                                                  \
            third = _mm_crc32_u64(third, word(next + 2 * (part) + at));                                                \
        }                                                                                                              \
        value = shifted(value, twice) ^ shifted(second, once) ^ third;                                                 \
    }

__attribute__((target("sse4.2,pclmul"))) static uint32_t with_instructions(uint32_t crc, const void *bytes,
                                                                           size_t count) {
    const uint8_t *next = bytes;
    uint64_t value = (uint32_t)~crc;
    THREE_STREAMS(1024, 0x170076FA, 0xA51B6135)
    THREE_STREAMS(128, 0x0D3B6092, 0xB9E02B86)
    for (; count >= 8; count -= 8, next += 8)
        value = _mm_crc32_u64(value, word(next));
    for (; count > 0; count--)
        value = _mm_crc32_u8((uint32_t)value, *next++);
    return ~(uint32_t)value;
}

static bool has_instructions(void) { return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul"); }

#elif defined(__aarch64__) && defined(__linux__)

#include <arm_acle.h>
#include <sys/auxv.h>

__attribute__((target("crc"))) static uint32_t with_instructions(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    crc = ~crc;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t value;
        memcpy(&value, next, sizeof value);
        crc = __crc32cd(crc, value);
    }
    for (; count > 0; count--)
        crc = __crc32cb(crc, *next++);
    return ~crc;
}

/// HWCAP_CRC32 of the kernel.
static bool has_instructions(void) { return (getauxval(AT_HWCAP) & 1 << 7) != 0; }

#else

static uint32_t with_instructions(uint32_t crc, const void *bytes, size_t count) {
    return millrace_crc32c_table(crc, bytes, count);
}

static bool has_instructions(void) { return false; }

#endif

bool millrace_crc32c_is_hardware(void) {
    // 0: not looked yet, 1: no, 2: yes. Relaxed: every thread finds the same, and nothing else depends on it.
    static _Atomic(int) found;
    int known = atomic_load_explicit(&found, memory_order_relaxed);
    if (known == 0) {
        known = has_instructions() ? 2 : 1;
        atomic_store_explicit(&found, known, memory_order_relaxed); // relaxed: as above
    }
    return known == 2;
}

uint32_t millrace_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return millrace_crc32c_is_hardware() ? with_instructions(crc, bytes, count)
                                         : millrace_crc32c_table(crc, bytes, count);
}
