/* SPDX-License-Identifier: Apache-2.0
 *
 * Ring: a fixed number of entries, the newest overwrites the oldest. The flight recorder: in memory, or in a mapped
 * file that another process can read while the writer runs, and after a kill -9.
 *
 * X = the caller must exclude the pair; - = any threads at once, no lock.
 *
 *                        [1] [2] [3] [4]
 *   [1] append            X   X   -   X    the writer: wait-free; no allocation, no system call
 *   [2] intern            X   X   -   X    the writer: wait-free; copies the text, no allocation
 *   [3] window, read,     -   -   -   X    any thread: wait-free; read fails for an entry that is being overwritten
 *       texts
 *   [4] destroy           X   X   X   X    after the last of the others
 *
 * The writer is whoever excludes itself. A signal handler that interrupts it must not write to the same ring.
 *
 * An entry is a stamp and a fixed number of 64-bit words. The entry of position p, which is the p-th ever appended,
 * counted from 0, lives in slot p mod capacity. Its stamp is
 *       0                  never used
 *       2 (p + 1) + 1      p is being written
 *       2 (p + 1)          p is there
 * Stamps of a slot only grow, so none is ever seen twice.
 *
 * Why a torn entry is never accepted, on any machine. Writer, for position p:   Reader, for position p:
 *       [W1] stamp   = 2 (p + 1) + 1   relaxed                                  [R1] first  = stamp      acquire
 *       [W2] words   = ...             release, each                            [R2] words              acquire, each
 *       [W3] stamp   = 2 (p + 1)       release                                  [R3] second = stamp     relaxed
 *       [W4] next    = p + 1           release        accepted if first and second both are 2 (p + 1)
 *   Nothing older: [R1] read what [W3] of p stored, so [W2] of p happens before [R2]: each word is that of p, or newer.
 *   Nothing newer: if [R2] read a word of a later position q, it synchronised with that release store, and [W1] of q,
 *     which stands before it, happens before [R3]. So [R3] reads the stamp of [W1] of q or a later one, all of them
 *     greater than 2 (p + 1), and the entry is refused.
 *   No fence is needed: the orders are on the accesses themselves, plain moves on x86-64, stlr and ldar on arm64.
 *
 * A reader goes from the newest position in the window down: the writer overwrites from the old end, so what a reader
 * keeps is in one piece and ends with the newest, however fast the writer is.
 *
 * Texts (names of kinds, places in the source) are appended once to a table, and entries hold their ids: 1 for the
 * first, 2 for the second. A record is a length word and the bytes, filled up to a multiple of 8; `text_used` publishes
 * it. An id is in the table before the entry that holds it is published: who reads entries first and texts after knows
 * them all.
 *
 * The memory, byte for byte the same in a file:
 *       millrace_ring_header     320 bytes: constants, then two lines that the writer changes
 *       text table               text_bytes
 *       entries                  from a multiple of 64: capacity times stride words, each a stamp, the words, padding
 * Words have the order of the machine, which `order` shows. The writer takes sizes and positions from its own handle,
 * never from the shared memory: whoever damages the file damages the record, not the program. But a file that is made
 * shorter under the writer's hands stops it with SIGBUS, as every mapped file does.
 */
#ifndef MILLRACE_RING_H
#define MILLRACE_RING_H

#include "millrace_platform.h"

#define MILLRACE_RING_VERSION ((uint64_t)1)
#define MILLRACE_RING_ORDER ((uint64_t)0x0102030405060708)
#define MILLRACE_RING_MOST_WORDS ((uint64_t)64)
/* Of header, texts and entries together: 1 GiB. */
#define MILLRACE_RING_MOST_BYTES ((uint64_t)1 << 30)

/* What begins a file: not text, and damaged by whoever transfers it as text. */
extern const unsigned char millrace_ring_magic[8];

typedef struct millrace_ring_header {
    /* Lines 0 to 2: written before the ring is seen by anybody, constant afterwards. */
    unsigned char magic[8];
    uint64_t order;   /* MILLRACE_RING_ORDER, as the writer's machine has it */
    uint64_t version; /* MILLRACE_RING_VERSION */
    uint64_t header_bytes;
    uint64_t words;    /* an entry, without its stamp */
    uint64_t capacity; /* entries, a power of two */
    uint64_t text_bytes;
    uint64_t total_bytes;
    uint64_t process;          /* of the writer */
    unsigned char boot_id[40]; /* text, filled up with 0; empty where the system does not tell */
    uint64_t wall;             /* nanoseconds since 1970, at creation */
    uint64_t monotonic;        /* nanoseconds of CLOCK_MONOTONIC, at the same moment */
    uint64_t ticks;            /* of millrace_clock_ticks, at the same moment */
    uint64_t tick_rate;        /* nanoseconds a tick, with 32 fractional bits */
    uint64_t checksum;         /* of everything above */
    _Atomic uint64_t finished; /* 1 once all of the above is there */
    _Atomic uint64_t ended;    /* 1 once the writer said that this is its end */
    char pad0[24];
    /* Line 3, stored with every entry. */
    _Atomic uint64_t next; /* the position after the last entry that is there */
    char pad1[MILLRACE_CACHE_LINE - sizeof(uint64_t)];
    /* Line 4, stored with every new text. */
    _Atomic uint64_t text_used;    /* bytes */
    _Atomic uint64_t texts_missed; /* how often a text found no room; orders nothing */
    char pad2[MILLRACE_CACHE_LINE - 2 * sizeof(uint64_t)];
} millrace_ring_header;

/* Where a reader of files finds what Swift can not see of the struct. */
enum {
    MILLRACE_RING_CHECKSUM_AT = 144,
    MILLRACE_RING_FINISHED_AT = 152,
    MILLRACE_RING_ENDED_AT = 160,
    MILLRACE_RING_NEXT_AT = 192,
    MILLRACE_RING_TEXT_USED_AT = 256,
    MILLRACE_RING_TEXTS_MISSED_AT = 264,
    MILLRACE_RING_HEADER_BYTES = 320,
};

_Static_assert(offsetof(millrace_ring_header, checksum) == MILLRACE_RING_CHECKSUM_AT, "part of the format");
_Static_assert(offsetof(millrace_ring_header, finished) == MILLRACE_RING_FINISHED_AT, "part of the format");
_Static_assert(offsetof(millrace_ring_header, ended) == MILLRACE_RING_ENDED_AT, "part of the format");
_Static_assert(offsetof(millrace_ring_header, next) == MILLRACE_RING_NEXT_AT, "part of the format");
_Static_assert(offsetof(millrace_ring_header, text_used) == MILLRACE_RING_TEXT_USED_AT, "part of the format");
_Static_assert(offsetof(millrace_ring_header, texts_missed) == MILLRACE_RING_TEXTS_MISSED_AT, "part of the format");
_Static_assert(sizeof(millrace_ring_header) == MILLRACE_RING_HEADER_BYTES, "part of the format");

/* What the sizes of a ring come to. */
typedef struct millrace_ring_layout {
    uint64_t stride; /* words from one entry to the next */
    uint64_t text_offset;
    uint64_t entries_offset;
    uint64_t total_bytes;
} millrace_ring_layout;

/* MILLRACE_INVALID_ARGUMENT unless `words` is 1...64, `capacity` a power of two from 2, `text_bytes` a multiple of 8,
 * and the whole at most 1 GiB. Any values are safe: nothing overflows. */
millrace_result millrace_ring_lay_out(uint64_t words, uint64_t capacity, uint64_t text_bytes,
                                      millrace_ring_layout *_Nonnull out);

/* What `checksum` must be. */
uint64_t millrace_ring_checksum(const millrace_ring_header *_Nonnull header);

/* A static text that has an id already, by its address. */
typedef struct millrace_ring_name {
    const void *_Nullable address;
    uint64_t bytes;
    uint64_t id;
} millrace_ring_name;

enum { MILLRACE_RING_NAMES = 128 };

/* The handle, in memory of its own. */
typedef struct millrace_ring {
    /* Constant. */
    millrace_ring_header *_Nonnull header;
    _Atomic uint64_t *_Nonnull entries;
    uint64_t mask;
    uint64_t stride;
    uint64_t words;
    uint64_t text_bytes;
    uint64_t total_bytes;
    int file; /* holds the lock; -1 in memory */
    /* The writer's. */
    uint64_t next;
    uint64_t text_used;
    uint64_t texts;
    millrace_ring_name names[MILLRACE_RING_NAMES];
} millrace_ring;

/* In memory that mmap gives. */
millrace_result millrace_ring_create(uint64_t words, uint64_t capacity, uint64_t text_bytes,
                                     millrace_ring *_Nullable *_Nonnull out);

/* In a new file, which only the user may read and write. Made beside `path` and renamed when it is complete. All its
 * blocks are reserved, so that a full disk is an error here and not a SIGBUS later.
 *
 * What is at `path` is replaced if it is empty, and gets the name `path`.previous if it is the file of a ring, in place
 * of the one before it. MILLRACE_SYSTEM_ERROR: `error` is the errno, and nothing has changed on the disk:
 *       EEXIST   something else is at one of the two, a device or another program's file
 *       EBUSY    the writer of the ring at one of the two is alive
 * The writer has a lock of its open file description (F_OFD_SETLK) on the file. The system takes it away with the last
 * descriptor, however the process ends; a child that was forked and never called exec keeps it. */
millrace_result millrace_ring_create_file(const char *_Nonnull path, uint64_t words, uint64_t capacity,
                                          uint64_t text_bytes, int *_Nonnull error,
                                          millrace_ring *_Nullable *_Nonnull out);

/* Whether a writer has its lock on an open file. */
bool millrace_ring_is_locked(int file);

/* Any thread: writes down that the writer has come to its end as it should. */
void millrace_ring_end(millrace_ring *_Nonnull ring);

static inline bool millrace_ring_has_ended(const millrace_ring *_Nonnull ring) {
    /* relaxed: nothing is read on the strength of it. */
    return atomic_load_explicit(&ring->header->ended, memory_order_relaxed) != 0;
}

/* Ends it and gives the memory back; a file stays, complete. */
void millrace_ring_destroy(millrace_ring *_Nonnull ring);

/* Writer: appends an entry of `count` words, at most the ring's; the others are 0. Returns its position. */
static inline uint64_t millrace_ring_append(millrace_ring *_Nonnull ring, const uint64_t *_Nonnull words,
                                            uint64_t count) {
    uint64_t position = ring->next;
    _Atomic uint64_t *entry = ring->entries + (position & ring->mask) * ring->stride;
    uint64_t stamp = (position + 1) << 1;
    /* [W1] relaxed: comes before the words because each of them is released; pairs with [R3]. */
    atomic_store_explicit(entry, stamp | 1, memory_order_relaxed);
    MILLRACE_INTERLEAVE();
    for (uint64_t index = 0; index < count; index++) {
        /* [W2] release: [W1] before the word; pairs with [R2]. */
        atomic_store_explicit(entry + 1 + index, words[index], memory_order_release);
        MILLRACE_INTERLEAVE();
    }
    for (uint64_t index = count; index < ring->words; index++) {
        atomic_store_explicit(entry + 1 + index, 0, memory_order_release); /* [W2] */
    }
    /* [W3] release: the words before the stamp that says they are there; pairs with [R1]. */
    atomic_store_explicit(entry, stamp, memory_order_release);
    MILLRACE_INTERLEAVE();
    ring->next = position + 1;
    /* [W4] release: the entry before the count of entries; pairs with millrace_ring_window. */
    atomic_store_explicit(&ring->header->next, position + 1, memory_order_release);
    return position;
}

/* Any thread: copies the entry of a position. False: it is not there yet, or is being overwritten, or was. */
bool millrace_ring_read(const millrace_ring *_Nonnull ring, uint64_t position, uint64_t *_Nonnull words);

/* Any thread: returns the position after the newest entry, and in `first` the oldest that may still be there. */
static inline uint64_t millrace_ring_window(const millrace_ring *_Nonnull ring, uint64_t *_Nonnull first) {
    /* acquire: the entries before it; pairs with [W4]. */
    uint64_t next = atomic_load_explicit(&ring->header->next, memory_order_acquire);
    *first = next > ring->mask ? next - ring->mask - 1 : 0;
    return next;
}

/* Writer: the id of a static text by its address, or UINT64_MAX when it has to be interned. */
static inline uint64_t millrace_ring_known(const millrace_ring *_Nonnull ring, const void *_Nonnull address,
                                           uint64_t bytes) {
    /* Fibonacci hashing: literals stand close together, and rarely at a round address. */
    uint64_t slot = ((uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15u) >> 57;
    const millrace_ring_name *name = &ring->names[slot];
    return name->address == address && name->bytes == bytes ? name->id : UINT64_MAX;
}

/* Writer: remembers the id of a static text; it may be forgotten for another. */
void millrace_ring_remember(millrace_ring *_Nonnull ring, const void *_Nonnull address, uint64_t bytes, uint64_t id);

/* Writer: appends a text to the table and returns its id, without looking whether it is there already. 0, "unknown":
 * there is no room, which `texts_missed` counts. */
uint64_t millrace_ring_intern(millrace_ring *_Nonnull ring, const void *_Nullable text, uint64_t bytes);

/* Any thread: the records of the table so far, and how many bytes. They never change. */
static inline const unsigned char *_Nonnull millrace_ring_texts(const millrace_ring *_Nonnull ring,
                                                                uint64_t *_Nonnull bytes) {
    /* acquire: the records before their number; pairs with millrace_ring_intern. */
    uint64_t used = atomic_load_explicit(&ring->header->text_used, memory_order_acquire);
    *bytes = used < ring->text_bytes ? used : ring->text_bytes;
    return (const unsigned char *)ring->header + MILLRACE_RING_HEADER_BYTES;
}

static inline uint64_t millrace_ring_texts_missed(const millrace_ring *_Nonnull ring) {
    /* relaxed: a statistic. */
    return atomic_load_explicit(&ring->header->texts_missed, memory_order_relaxed);
}

/* The id of this boot of the machine, filled up with 0; empty where the system does not tell. */
void millrace_ring_boot_id(unsigned char *_Nonnull out_40_bytes);

#endif
