// SPDX-License-Identifier: Apache-2.0

import CDecompress

/// The bytes of a compressed stream: one or more members of gzip, or frames of zstd. Its memory does not depend on the
/// length of the input.
final class DecompressedStream: ByteStream {
    private static let inputSize = 128 << 10

    private let source: PlainStream
    private let kind: Compression
    private let decompressor: OpaquePointer
    private let input: UnsafeMutablePointer<UInt8>
    /// The bytes of `input` that were read and not yet used.
    private var unused = 0..<0
    /// The compressed bytes that were used so far.
    private var position: UInt64 = 0
    /// Whether the position is behind the beginning of a member or frame, and before its end.
    private var isInside = false
    /// Whether the decompressor may hold bytes for which the last call had no room.
    private var mayHoldMore = false
    private var hasEnded = false
    private var members = 0
    /// Where the last member or frame ended. The decompressor may use some bytes after it before it finds them wrong.
    private var endOfMember: UInt64 = 0
    /// An error that is thrown at the next call, because bytes came before it.
    private var failure: InputError?

    init(_ source: PlainStream, _ kind: Compression) throws(InputError) {
        self.source = source
        self.kind = kind
        guard let decompressor = millrace_decompress_create(kind == .gzip ? MILLRACE_GZIP : MILLRACE_ZSTD) else {
            throw .system(.noMemory)
        }
        self.decompressor = decompressor
        input = .allocate(capacity: Self.inputSize)
    }

    deinit {
        millrace_decompress_free(decompressor)
        input.deallocate()
    }

    func read(into place: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
        if let failure { throw failure }
        var done = 0
        do throws(InputError) {
            // Fills the memory, so that chunks are not too small. But it returns the bytes that it has before it waits
            // for more.
            while done < count, !hasEnded {
                if unused.isEmpty, !mayHoldMore {
                    if done > 0 { break }
                    try fill()
                    continue
                }
                done += try step(place + done, count - done)
            }
        } catch {
            failure = error
            if done == 0 { throw error }
        }
        return done
    }

    private func fill() throws(InputError) {
        let got = try source.read(into: input, count: Self.inputSize)
        unused = 0..<got
        guard got == 0 else { return }
        hasEnded = true
        if isInside, !source.isInterrupted { throw .cutOff(kind, at: position) }
    }

    private func step(_ place: UnsafeMutablePointer<UInt8>, _ room: Int) throws(InputError) -> Int {
        if !isInside, members > 0, kind == .gzip, try skipPadding() { return 0 }
        var (taken, made) = (unused.count, room)
        var reason: UnsafePointer<CChar>?
        let result = millrace_decompress(decompressor, input + unused.lowerBound, &taken, place, &made, &reason)
        position += UInt64(taken)
        unused = (unused.lowerBound + taken)..<unused.upperBound
        mayHoldMore = result == MILLRACE_DECOMPRESS_MORE && made == room
        switch result {
        case MILLRACE_DECOMPRESS_MORE: isInside = true
        case MILLRACE_DECOMPRESS_ENDED:
            isInside = false
            members += 1
            endOfMember = position
        case MILLRACE_DECOMPRESS_WINDOW: failure = .window(kind, at: endOfMember)
        case MILLRACE_DECOMPRESS_MEMORY: failure = .system(.noMemory)
        case MILLRACE_DECOMPRESS_FOREIGN where members > 0: failure = .trailing(kind, at: endOfMember)
        default:
            failure = .damaged(kind, at: position, reason: reason.map { String(cString: $0) } ?? "invalid data")
        }
        if let failure, made == 0 { throw failure }
        if failure != nil { hasEnded = true }
        return made
    }

    /// Skips zeros after a member, which tapes and some programs leave there. Returns whether it used all bytes.
    /// Throws an error if what follows is no member.
    private func skipPadding() throws(InputError) -> Bool {
        while let first = unused.first, input[first] == 0 {
            unused = (first + 1)..<unused.upperBound
            position += 1
        }
        guard let first = unused.first else { return true }
        guard input[first] == 0x1F else { throw .trailing(kind, at: position) }
        return false
    }
}
