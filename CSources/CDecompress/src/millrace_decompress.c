// SPDX-License-Identifier: Apache-2.0

#if !__has_include(<zlib.h>)
#error "The millrace tool needs zlib: run 'sudo apt-get install zlib1g-dev' (Debian, Ubuntu)"
#endif
#include <zlib.h> // Fatal when missing, so that no other errors follow.
#if !__has_include(<zstd.h>)
#error "The millrace tool needs libzstd: run 'sudo apt-get install libzstd-dev' (Debian, Ubuntu)"
#endif
#include <zstd.h>
#include <zstd_errors.h>

#include <limits.h>
#include <stdlib.h>

#include <millrace_fault.h>

#include "millrace_decompress.h"

struct millrace_decompressor {
    enum millrace_decompress_kind kind;
    z_stream gzip;
    ZSTD_DCtx *zstd;
    /// The number of bytes that libzstd wants next: at most a block.
    size_t wanted;
};

// A window of 32 KiB, and a gzip header.
enum { GZIP_WINDOW_BITS = 15 + 16 };

// The bytes in front of each block of a zstd frame.
enum { BLOCK_HEADER = 3 };

#ifdef MILLRACE_INTERNAL_CHECKS
// What zlib allocates may fail in a test: its state at first, its window with the first output.
static voidpf allocate(voidpf context, uInt items, uInt size) {
    (void)context;
    return millrace_fault_here() ? Z_NULL : calloc(items, size);
}

static void give_back(voidpf context, voidpf memory) {
    (void)context;
    free(memory);
}
#endif

millrace_decompressor *millrace_decompress_create(enum millrace_decompress_kind kind) {
    millrace_decompressor *self = millrace_fault_here() ? NULL : calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->kind = kind;
    if (kind == MILLRACE_GZIP) {
#ifdef MILLRACE_INTERNAL_CHECKS
        self->gzip.zalloc = allocate;
        self->gzip.zfree = give_back;
#endif
        if (inflateInit2(&self->gzip, GZIP_WINDOW_BITS) == Z_OK) {
            return self;
        }
    } else {
        self->zstd = millrace_fault_here() ? NULL : ZSTD_createDCtx();
        if (self->zstd != NULL &&
            !ZSTD_isError(ZSTD_DCtx_setParameter(self->zstd, ZSTD_d_windowLogMax, MILLRACE_WINDOW_LOG))) {
            self->wanted = ZSTD_initDStream(self->zstd);
            return self;
        }
        ZSTD_freeDCtx(self->zstd);
    }
    free(self);
    return NULL;
}

void millrace_decompress_free(millrace_decompressor *self) {
    if (self->kind == MILLRACE_GZIP) {
        inflateEnd(&self->gzip);
    } else {
        ZSTD_freeDCtx(self->zstd);
    }
    free(self);
}

static unsigned clamped(size_t count) { return count > UINT_MAX ? UINT_MAX : (unsigned)count; }

static enum millrace_decompress_result gunzip(millrace_decompressor *self, const uint8_t *in, size_t *in_count,
                                              uint8_t *out, size_t *out_count, const char **reason) {
    z_stream *stream = &self->gzip;
    unsigned in_size = clamped(*in_count);
    unsigned out_size = clamped(*out_count);
    stream->next_in = (Bytef *)in; // zlib does not write to it.
    stream->avail_in = in_size;
    stream->next_out = out;
    stream->avail_out = out_size;
    int code = inflate(stream, Z_NO_FLUSH);
    *in_count = in_size - stream->avail_in;
    *out_count = out_size - stream->avail_out;
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: // No progress without more input or output.
        return MILLRACE_DECOMPRESS_MORE;
    case Z_STREAM_END:
        inflateReset(stream);
        return MILLRACE_DECOMPRESS_ENDED;
    case Z_MEM_ERROR:
        return MILLRACE_DECOMPRESS_MEMORY;
    default:
        *reason = stream->msg != NULL ? stream->msg : "invalid data";
        return MILLRACE_DECOMPRESS_DAMAGED;
    }
}

static enum millrace_decompress_result unzstd(millrace_decompressor *self, const uint8_t *in, size_t *in_count,
                                              uint8_t *out, size_t *out_count, const char **reason) {
    // Block by block: a call that fails forgets what it made before the damage, and how far it came.
    ZSTD_inBuffer input = {in, 0, 0};
    ZSTD_outBuffer output = {out, *out_count, 0};
    size_t left = self->wanted;
    size_t in_size = *in_count;
    do {
        // What libzstd wants includes the header of the next block, which may be the damaged one.
        size_t piece = self->wanted > BLOCK_HEADER ? self->wanted - BLOCK_HEADER : self->wanted;
        input.size = in_size - input.pos < piece ? in_size : input.pos + piece;
        // libzstd allocates its buffers in this call, and has no hook for that.
        left = millrace_fault_here() ? (size_t)-ZSTD_error_memory_allocation
                                     : ZSTD_decompressStream(self->zstd, &output, &input);
        if (ZSTD_isError(left)) {
            break;
        }
        self->wanted = left == 0 ? ZSTD_initDStream(self->zstd) : left;
    } while (left != 0 && input.pos < in_size && output.pos < output.size);
    *in_count = input.pos;
    *out_count = output.pos;
    if (!ZSTD_isError(left)) {
        return left == 0 ? MILLRACE_DECOMPRESS_ENDED : MILLRACE_DECOMPRESS_MORE;
    }
    switch (ZSTD_getErrorCode(left)) {
    case ZSTD_error_prefix_unknown:
        return MILLRACE_DECOMPRESS_FOREIGN;
    case ZSTD_error_frameParameter_windowTooLarge:
        return MILLRACE_DECOMPRESS_WINDOW;
    case ZSTD_error_memory_allocation:
        return MILLRACE_DECOMPRESS_MEMORY;
    default:
        *reason = ZSTD_getErrorName(left);
        return MILLRACE_DECOMPRESS_DAMAGED;
    }
}

enum millrace_decompress_result millrace_decompress(millrace_decompressor *self, const uint8_t *in, size_t *in_count,
                                                    uint8_t *out, size_t *out_count, const char **reason) {
    return self->kind == MILLRACE_GZIP ? gunzip(self, in, in_count, out, out_count, reason)
                                       : unzstd(self, in, in_count, out, out_count, reason);
}
