/* SPDX-License-Identifier: Apache-2.0
 *
 * Ring: a fixed number of entries; the newest overwrites the oldest. The flight recorder writes to it: in memory, or in
 * a mapped file that another process can read while the writer runs, and after a kill -9.
 *
 * X = the caller must exclude the pair; - = any threads may run both at once, without a lock.
 *
 *                        [1] [2] [3] [4]
 *   [1] append            X   X   -   X    the writer: wait-free; no allocation, no system call
 *   [2] intern            X   X   -   X    the writer: wait-free; copies the text, no allocation
 *   [3] window, read,     -   -   -   X    any thread: wait-free; read fails for an entry that is being overwritten
 *       texts
 *   [4] destroy           X   X   X   X    after the last of the others
 *
 * The writer is one thread at a time; the caller must exclude a second one. A signal handler that interrupts the writer
 * must not write to the same ring.
 *
 * An entry is a stamp and a fixed number of 64-bit words. The entry of position p (the p-th that was appended, counted
 * from 0) is in slot p mod capacity. Its stamp is
 *       0                  the slot was never used
 *       2 (p + 1) + 1      the entry of p is being written
 *       2 (p + 1)          the entry of p is complete
 * The stamps of a slot only grow, so a slot never has the same stamp twice.
 *
 * Why a torn entry is never accepted, on any machine. Writer, for position p:   Reader, for position p:
 *       [W1] stamp   = 2 (p + 1) + 1   relaxed                                  [R1] first  = stamp      acquire
 *       [W2] words   = ...             release, each                            [R2] words              acquire, each
 *       [W3] stamp   = 2 (p + 1)       release                                  [R3] second = stamp     relaxed
 *       [W4] next    = p + 1           release        accepted if first and second both are 2 (p + 1)
 *   No older word: [R1] read the stamp that [W3] of p stored, so [W2] of p happens before [R2]. Each word is that of
 *     p, or a newer one.
 *   No newer word: if [R2] read a word of a later position q, it synchronised with the release store [W2] of q, so
 *     [W1] of q happens before [R3]. Then [R3] reads the stamp of [W1] of q, or a later one. All of these are greater
 *     than 2 (p + 1), and the reader does not accept the entry.
 *   No fence is needed: the orders are on the accesses themselves, plain moves on x86-64, stlr and ldar on arm64.
 *
 * A reader goes from the newest position in the window down to the oldest. The writer overwrites the oldest entries
 * first. So the entries that a reader keeps are consecutive and end with the newest, however fast the writer is.
 *
 * Texts (names of kinds, places in the source) are appended once to a table, and entries hold their ids: 1 for the
 * first text, 2 for the second. A record is a length word and the bytes, padded to a multiple of 8; `text_used`
 * publishes it. A text is in the table before an entry with its id is published. So a reader that reads the entries
 * first and the texts afterwards finds the text of every id.
 *
 * The layout of the memory, which is byte for byte the same in a file:
 *       millrace_ring_header     320 bytes: constants, then two lines that the writer changes
 *       text table               text_bytes
 *       entries                  from a multiple of 64: capacity times stride words, each a stamp, the words, padding
 * Words have the byte order of the machine, which `order` shows. The writer takes sizes and positions from its own
 * handle, never from the shared memory. So a program that damages the file damages the record, but not the writer. Only
 * a file that is made shorter while the writer runs stops the writer, with SIGBUS, as every mapped file does.
 */
#ifndef MILLRACE_RING_H
#define MILLRACE_RING_H

#include "millrace_platform.h"

#define MILLRACE_RING_VERSION ((uint64_t)1)
#define MILLRACE_RING_ORDER ((uint64_t)0x0102030405060708)
#define MILLRACE_RING_MOST_WORDS ((uint64_t)64)
/* The largest size of header, texts and entries together: 1 GiB. */
#define MILLRACE_RING_MOST_BYTES ((uint64_t)1 << 30)

/* The first bytes of a file. They are not text, and a transfer as text damages them visibly. */
extern const unsigned char millrace_ring_magic[8];

typedef struct millrace_ring_header {
    /* Lines 0 to 2: written before any other thread or process sees the ring, constant afterwards. */
    unsigned char magic[8];
    uint64_t order;   /* MILLRACE_RING_ORDER, in the writer's byte order */
    uint64_t version; /* MILLRACE_RING_VERSION */
    uint64_t header_bytes;
    uint64_t words;    /* of an entry, without its stamp */
    uint64_t capacity; /* number of entries, a power of two */
    uint64_t text_bytes;
    uint64_t total_bytes;
    uint64_t process;          /* number of the writer's process */
    unsigned char boot_id[40]; /* text, padded with 0; empty if the system does not tell */
    uint64_t wall;             /* nanoseconds since 1970, at creation */
    uint64_t monotonic;        /* nanoseconds of CLOCK_MONOTONIC, at the same moment */
    uint64_t ticks;            /* of millrace_clock_ticks, at the same moment */
    uint64_t tick_rate;        /* nanoseconds in a tick, with 32 fractional bits */
    uint64_t checksum;         /* of all fields above */
    _Atomic uint64_t finished; /* 1 in a complete header; it orders nothing, the checksum decides */
    _Atomic uint64_t ended;    /* 1 once the writer has ended normally */
    char pad0[24];
    /* Line 3, written with every entry. */
    _Atomic uint64_t next; /* the position after the last complete entry */
    char pad1[MILLRACE_CACHE_LINE - sizeof(uint64_t)];
    /* Line 4, written with every new text. */
    _Atomic uint64_t text_used;    /* bytes */
    _Atomic uint64_t texts_missed; /* how many texts found no room; orders nothing */
    char pad2[MILLRACE_CACHE_LINE - 2 * sizeof(uint64_t)];
} millrace_ring_header;

/* Offsets for a reader of files in Swift, which cannot see the atomic fields of the struct. */
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

/* The layout that follows from the sizes of a ring. */
typedef struct millrace_ring_layout {
    uint64_t stride; /* words from one entry to the next */
    uint64_t text_offset;
    uint64_t entries_offset;
    uint64_t total_bytes;
} millrace_ring_layout;

/* Returns MILLRACE_INVALID_ARGUMENT unless `words` is 1...64, `capacity` a power of two from 2, `text_bytes` a multiple
 * of 8, and the total at most 1 GiB. All arguments are safe: nothing overflows. */
millrace_result millrace_ring_lay_out(uint64_t words, uint64_t capacity, uint64_t text_bytes,
                                      millrace_ring_layout *_Nonnull out);

/* The value that `checksum` must have. */
uint64_t millrace_ring_checksum(const millrace_ring_header *_Nonnull header);

/* The id of a static text, found by the address of the text. */
typedef struct millrace_ring_name {
    const void *_Nullable address;
    uint64_t bytes;
    uint64_t id;
} millrace_ring_name;

enum { MILLRACE_RING_NAMES = 128 };

/* The writer's handle, in memory of its own. */
typedef struct millrace_ring {
    /* Constant. */
    millrace_ring_header *_Nonnull header;
    _Atomic uint64_t *_Nonnull entries;
    uint64_t mask;
    uint64_t stride;
    uint64_t words;
    uint64_t text_bytes;
    uint64_t total_bytes;
    int file; /* its descriptor holds the lock; -1 in memory */
    /* Touched by the writer only. */
    uint64_t next;
    uint64_t text_used;
    uint64_t texts;
    millrace_ring_name names[MILLRACE_RING_NAMES];
    /* The next ring with a file, under a lock of process.c. */
    struct millrace_ring *_Nullable next_ring;
} millrace_ring;

/* Makes a ring in memory from mmap. */
millrace_result millrace_ring_create(uint64_t words, uint64_t capacity, uint64_t text_bytes,
                                     millrace_ring *_Nullable *_Nonnull out);

/* Makes a ring in a new file, which only the user may read and write. The file is made beside `path` and renamed when
 * it is complete. All its blocks are reserved, so that a full disk is an error here and not a SIGBUS later.
 *
 * An empty file at `path` is replaced. The file of a ring at `path` is renamed to `path`.previous, in place of the file
 * that had this name. MILLRACE_SYSTEM_ERROR: `error` is the errno, and nothing has changed on the disk:
 *       EEXIST   something else is at one of the two paths: a device, or another program's file
 *       EBUSY    the writer of the ring at one of the two paths is alive
 * The writer holds a lock of its open file description (F_OFD_SETLK) on the file. millrace_ring_destroy releases it. If the
 * process ends without that, the system releases the lock with the last descriptor. A child of fork has none: its ring
 * is a new one in memory, with the texts, and the file stays the parent's. */
millrace_result millrace_ring_create_file(const char *_Nonnull path, uint64_t words, uint64_t capacity,
                                          uint64_t text_bytes, int *_Nonnull error,
                                          millrace_ring *_Nullable *_Nonnull out);

/* Whether a writer holds the lock on an open file. */
bool millrace_ring_is_locked(int file);

/* Any thread: marks in the header that the writer has ended normally. */
void millrace_ring_end(millrace_ring *_Nonnull ring);

static inline bool millrace_ring_has_ended(const millrace_ring *_Nonnull ring) {
    /* relaxed: no other load depends on it. */
    return atomic_load_explicit(&ring->header->ended, memory_order_relaxed) != 0;
}

/* Ends the ring and gives the memory back. A file stays, and is complete. */
void millrace_ring_destroy(millrace_ring *_Nonnull ring);

/* Writer: stores the stamp and the words of an entry. The entry is a parameter, because Swift's importer reports a local
 * variable of an atomic type, once for each file of a client. */
static inline void millrace_ring_store(_Atomic uint64_t *_Nonnull entry, uint64_t stamp, const uint64_t *_Nonnull words,
                                       uint64_t count, uint64_t all) {
    /* [W1] relaxed: comes before the words because each of them is released; pairs with [R3]. */
    atomic_store_explicit(entry, stamp | 1, memory_order_relaxed);
    MILLRACE_INTERLEAVE();
    for (uint64_t index = 0; index < count; index++) {
        /* [W2] release: [W1] before the word; pairs with [R2]. */
        atomic_store_explicit(entry + 1 + index, words[index], memory_order_release);
        MILLRACE_INTERLEAVE();
    }
    for (uint64_t index = count; index < all; index++) {
        atomic_store_explicit(entry + 1 + index, 0, memory_order_release); /* [W2] */
    }
    /* [W3] release: the words before the stamp that marks them as complete; pairs with [R1]. */
    atomic_store_explicit(entry, stamp, memory_order_release);
}

/* Writer: appends an entry of `count` words, at most `words` of the ring; the others are 0. Returns its position. */
static inline uint64_t millrace_ring_append(millrace_ring *_Nonnull ring, const uint64_t *_Nonnull words,
                                            uint64_t count) {
    uint64_t position = ring->next;
    millrace_ring_store(ring->entries + (position & ring->mask) * ring->stride, (position + 1) << 1, words, count,
                        ring->words);
    MILLRACE_INTERLEAVE();
    ring->next = position + 1;
    /* [W4] release: the entry before the count of entries; pairs with millrace_ring_window. */
    atomic_store_explicit(&ring->header->next, position + 1, memory_order_release);
    return position;
}

/* Any thread: copies the entry of a position. Returns false if the entry is not complete yet, is being overwritten, or
 * was overwritten. */
bool millrace_ring_read(const millrace_ring *_Nonnull ring, uint64_t position, uint64_t *_Nonnull words);

/* Any thread: returns the position after the newest entry, and in `first` the oldest that may still be there. */
static inline uint64_t millrace_ring_window(const millrace_ring *_Nonnull ring, uint64_t *_Nonnull first) {
    /* acquire: the entries before it; pairs with [W4]. */
    uint64_t next = atomic_load_explicit(&ring->header->next, memory_order_acquire);
    *first = next > ring->mask ? next - ring->mask - 1 : 0;
    return next;
}

/* Writer: returns the id of a static text by its address, or UINT64_MAX if the text has to be interned. */
static inline uint64_t millrace_ring_known(const millrace_ring *_Nonnull ring, const void *_Nonnull address,
                                           uint64_t bytes) {
    /* Fibonacci hashing: it spreads the addresses of literals, which lie close together. */
    uint64_t slot = ((uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15u) >> 57;
    const millrace_ring_name *name = &ring->names[slot];
    return name->address == address && name->bytes == bytes ? name->id : UINT64_MAX;
}

/* Writer: keeps the id of a static text. Another text with the same hash may replace it. */
void millrace_ring_remember(millrace_ring *_Nonnull ring, const void *_Nonnull address, uint64_t bytes, uint64_t id);

/* Writer: appends a text to the table and returns its id, without checking whether the text is there already. Returns 0
 * ("unknown") if there is no room; `texts_missed` counts that. */
uint64_t millrace_ring_intern(millrace_ring *_Nonnull ring, const void *_Nullable text, uint64_t bytes);

/* Any thread: returns the records that the table has so far, and their size in `bytes`. Records never change. */
static inline const unsigned char *_Nonnull millrace_ring_texts(const millrace_ring *_Nonnull ring,
                                                                uint64_t *_Nonnull bytes) {
    /* acquire: the records before their size; pairs with millrace_ring_intern. */
    uint64_t used = atomic_load_explicit(&ring->header->text_used, memory_order_acquire);
    *bytes = used < ring->text_bytes ? used : ring->text_bytes;
    return (const unsigned char *)ring->header + MILLRACE_RING_HEADER_BYTES;
}

static inline uint64_t millrace_ring_texts_missed(const millrace_ring *_Nonnull ring) {
    /* relaxed: a statistic. */
    return atomic_load_explicit(&ring->header->texts_missed, memory_order_relaxed);
}

/* Writes the id of this boot of the machine, padded with 0; empty if the system does not tell. */
void millrace_ring_boot_id(unsigned char *_Nonnull out_40_bytes);

#endif
