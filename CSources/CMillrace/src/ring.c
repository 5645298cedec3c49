/* SPDX-License-Identifier: Apache-2.0 */

#include "ring.h"

#include "fault.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

const unsigned char millrace_ring_magic[8] = {0x89, 'M', 'R', 'I', 'N', 'G', '\r', '\n'};

static uint64_t rounded_up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

/* An entry that fits a cache line does not straddle two. */
static uint64_t stride_of(uint64_t words) {
    uint64_t needed = words + 1;
    if (needed > 8) {
        return rounded_up(needed, 8);
    }
    return needed > 4 ? 8 : needed > 2 ? 4 : 2;
}

millrace_result millrace_ring_lay_out(uint64_t words, uint64_t capacity, uint64_t text_bytes,
                                      millrace_ring_layout *out) {
    if (words < 1 || words > MILLRACE_RING_MOST_WORDS || capacity < 2 || (capacity & (capacity - 1)) != 0 ||
        capacity > MILLRACE_RING_MOST_BYTES || text_bytes % 8 != 0 || text_bytes > MILLRACE_RING_MOST_BYTES) {
        return MILLRACE_INVALID_ARGUMENT;
    }
    out->stride = stride_of(words);
    out->text_offset = sizeof(millrace_ring_header);
    out->entries_offset = rounded_up(out->text_offset + text_bytes, MILLRACE_CACHE_LINE);
    /* At most 2^30 entries of 72 words of 8 bytes: far from an overflow. */
    out->total_bytes = out->entries_offset + capacity * out->stride * sizeof(uint64_t);
    return out->total_bytes <= MILLRACE_RING_MOST_BYTES ? MILLRACE_OK : MILLRACE_INVALID_ARGUMENT;
}

uint64_t millrace_ring_checksum(const millrace_ring_header *header) {
    uint64_t sum = 0xCBF29CE484222325u; /* FNV-1a */
    for (size_t index = 0; index < offsetof(millrace_ring_header, checksum); index++) {
        sum = (sum ^ ((const unsigned char *)header)[index]) * 0x100000001B3u;
    }
    return sum;
}

void millrace_ring_boot_id(unsigned char *out) {
    memset(out, 0, 40);
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    ssize_t got = read(file, out, 36);
    close(file);
    if (got != 36) {
        memset(out, 0, 40);
    }
}

static uint64_t wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void write_header(millrace_ring_header *header, const millrace_ring *ring) {
    memcpy(header->magic, millrace_ring_magic, sizeof header->magic);
    header->order = MILLRACE_RING_ORDER;
    header->version = MILLRACE_RING_VERSION;
    header->header_bytes = sizeof *header;
    header->words = ring->words;
    header->capacity = ring->mask + 1;
    header->text_bytes = ring->text_bytes;
    header->total_bytes = ring->total_bytes;
    header->process = (uint64_t)getpid();
    millrace_ring_boot_id(header->boot_id);
    header->tick_rate = millrace_clock_nanoseconds((uint64_t)1 << 32); /* calibrates: before the stamps */
    header->wall = wall_clock();
    header->monotonic = millrace_clock_monotonic();
    header->ticks = millrace_clock_ticks();
    header->checksum = millrace_ring_checksum(header);
    /* relaxed: the file gets its name later, by rename. Whoever opens it by that name sees the whole header, by the order of
     * the system calls. A reader copies the header by one pread, which acquires nothing. If it sees the mark and not yet
     * a field, the checksum is wrong, and it refuses the file. */
    atomic_store_explicit(&header->finished, 1, memory_order_relaxed);
}

millrace_result millrace_ring_make(int file, const millrace_ring_layout *layout, uint64_t words, uint64_t capacity,
                                   uint64_t text_bytes, millrace_ring **out) {
    millrace_ring *ring = millrace_fault_here() ? NULL : calloc(1, sizeof *ring);
    if (!ring) {
        return MILLRACE_OUT_OF_MEMORY;
    }
    int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
    void *memory =
        millrace_fault_here() ? MAP_FAILED : mmap(NULL, layout->total_bytes, PROT_READ | PROT_WRITE, flags, file, 0);
    if (memory == MAP_FAILED) {
        free(ring);
        return MILLRACE_OUT_OF_MEMORY;
    }
    ring->header = memory;
    ring->entries = (_Atomic uint64_t *)(void *)((unsigned char *)memory + layout->entries_offset);
    ring->mask = capacity - 1;
    ring->stride = layout->stride;
    ring->words = words;
    ring->text_bytes = text_bytes;
    ring->total_bytes = layout->total_bytes;
    ring->file = file;
    write_header(ring->header, ring);
    if (file >= 0) {
        millrace_ring_watch(ring);
    }
    *out = ring;
    return MILLRACE_OK;
}

millrace_result millrace_ring_create(uint64_t words, uint64_t capacity, uint64_t text_bytes, millrace_ring **out) {
    millrace_ring_layout layout;
    millrace_result result = millrace_ring_lay_out(words, capacity, text_bytes, &layout);
    return result == MILLRACE_OK ? millrace_ring_make(-1, &layout, words, capacity, text_bytes, out) : result;
}

void millrace_ring_end(millrace_ring *ring) {
    /* release: what this thread did before, if it is the writer. A reader of the file looks at the lock first. */
    atomic_store_explicit(&ring->header->ended, 1, memory_order_release);
}

void millrace_ring_close(int file) {
    /* A process that another thread is starting has the descriptor, too, until it runs its own program: it must not keep
     * the lock. */
    struct flock whole = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    fcntl(file, F_OFD_SETLK, &whole);
    close(file);
}

void millrace_ring_destroy(millrace_ring *ring) {
    millrace_ring_end(ring);
    if (ring->file >= 0) {
        millrace_ring_unwatch(ring);
        millrace_ring_close(ring->file);
    }
    munmap(ring->header, ring->total_bytes);
    free(ring);
}

void millrace_ring_leave_file(millrace_ring *ring) {
    size_t size = ring->total_bytes;
    void *memory = millrace_fault_here()
                       ? MAP_FAILED
                       : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    } else {
        memcpy(memory, ring->header, sizeof *ring->header + ring->text_used);
        millrace_ring_header *header = memory;
        /* relaxed: the child has one thread. */
        atomic_store_explicit(&header->next, 0, memory_order_relaxed);
        ring->next = 0;
    }
    if (memory == MAP_FAILED || mremap(memory, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, ring->header) == MAP_FAILED) {
        millrace_stop("a child of fork cannot give up the file of an event ring (mmap, mremap)");
    }
    /* The parent's descriptor keeps the lock. */
    close(ring->file);
    ring->file = -1;
}

bool millrace_ring_read(const millrace_ring *ring, uint64_t position, uint64_t *words) {
    const _Atomic uint64_t *entry = ring->entries + (position & ring->mask) * ring->stride;
    uint64_t stamp = (position + 1) << 1;
    /* [R1] acquire: the words after the stamp; pairs with [W3]. */
    if (atomic_load_explicit(entry, memory_order_acquire) != stamp) {
        return false;
    }
    for (uint64_t index = 0; index < ring->words; index++) {
        MILLRACE_INTERLEAVE();
        /* [R2] acquire: the second look comes after the word, and sees the [W1] that came before the word; pairs with
         * [W2]. */
        words[index] = atomic_load_explicit(entry + 1 + index, memory_order_acquire);
    }
    /* [R3] relaxed: the acquires of [R2] keep it after [R2]; pairs with [W1]. */
    return atomic_load_explicit(entry, memory_order_relaxed) == stamp;
}

void millrace_ring_remember(millrace_ring *ring, const void *address, uint64_t bytes, uint64_t id) {
    uint64_t slot = ((uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15u) >> 57; /* as in millrace_ring_known */
    ring->names[slot] = (millrace_ring_name){address, bytes, id};
}

_Static_assert(MILLRACE_RING_NAMES == (uint64_t)1 << (64 - 57), "the hash keeps as many bits as there are names");

uint64_t millrace_ring_intern(millrace_ring *ring, const void *text, uint64_t bytes) {
    uint64_t left = ring->text_bytes - ring->text_used;
    /* The first test keeps the sum in the second from overflowing. */
    if (bytes > left || sizeof(uint64_t) + rounded_up(bytes, sizeof(uint64_t)) > left) {
        uint64_t missed = millrace_ring_texts_missed(ring);
        /* relaxed: a statistic, with one writer. */
        atomic_store_explicit(&ring->header->texts_missed, missed + 1, memory_order_relaxed);
        return 0;
    }
    unsigned char *record = (unsigned char *)ring->header + sizeof(millrace_ring_header) + ring->text_used;
    memcpy(record, &bytes, sizeof bytes);
    if (bytes > 0) {
        memcpy(record + sizeof bytes, text, bytes);
    }
    MILLRACE_INTERLEAVE();
    ring->text_used += sizeof(uint64_t) + rounded_up(bytes, sizeof(uint64_t));
    /* release: the record before the size that includes it; pairs with millrace_ring_texts. */
    atomic_store_explicit(&ring->header->text_used, ring->text_used, memory_order_release);
    return ++ring->texts;
}
