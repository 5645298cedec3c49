// SPDX-License-Identifier: Apache-2.0
//
// Decompression of gzip and zstd in pieces, for the command-line tool. It hides zlib and libzstd from Swift.
//
// | call                       | threads                                            |
// |----------------------------|----------------------------------------------------|
// | millrace_decompress_create | any                                                |
// | every other                | one at a time for one decompressor                 |

#ifndef MILLRACE_DECOMPRESS_H
#define MILLRACE_DECOMPRESS_H

#include <stddef.h>
#include <stdint.h>

enum millrace_decompress_kind { MILLRACE_GZIP, MILLRACE_ZSTD };

enum millrace_decompress_result {
    /// Input or output is used up. Call again with more of it.
    MILLRACE_DECOMPRESS_MORE,
    /// A gzip member or a zstd frame has ended. What follows is another one, or the end.
    MILLRACE_DECOMPRESS_ENDED,
    /// The data is damaged.
    MILLRACE_DECOMPRESS_DAMAGED,
    /// The data is not of this kind at all.
    MILLRACE_DECOMPRESS_FOREIGN,
    /// A zstd frame needs a window of more than MILLRACE_WINDOW_LOG.
    MILLRACE_DECOMPRESS_WINDOW,
    MILLRACE_DECOMPRESS_MEMORY,
};

/// The largest window of a zstd frame, as a power of two: 128 MiB, the default limit of zstd itself.
enum { MILLRACE_WINDOW_LOG = 27 };

typedef struct millrace_decompressor millrace_decompressor;

/// Returns NULL without memory.
millrace_decompressor *millrace_decompress_create(enum millrace_decompress_kind kind);
void millrace_decompress_free(millrace_decompressor *self);

/// Decompresses `in` to `out`. `*in_count` and `*out_count` are the sizes of the two, and then how much of them was
/// used. `*reason` is a constant text if the result is MILLRACE_DECOMPRESS_DAMAGED.
enum millrace_decompress_result millrace_decompress(millrace_decompressor *self, const uint8_t *in, size_t *in_count,
                                                    uint8_t *out, size_t *out_count, const char **reason);

#endif
