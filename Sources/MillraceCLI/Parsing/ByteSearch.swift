// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A position in a chunk.
typealias BytePointer = UnsafePointer<UInt8>

/// The bytes with a meaning in the grammar.
enum Byte {
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let dash = UInt8(ascii: "-")
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let tab = UInt8(ascii: "\t")
    static let zero = UInt8(ascii: "0")

    /// Returns the small letter for a capital ASCII letter, and any other byte as it is.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}

/// Searches in bytes that are followed by at least `padding` readable bytes. The buffer of each chunk has them.
enum ByteSearch {
    /// The number of bytes behind the end that a search may read. It never finds anything there.
    static let padding = 32

    /// Returns the length of the UTF-8 byte order mark that a text begins with; 0 if it has none. Some editors write
    /// it; it is not a part of the first line.
    static func markLength(_ start: BytePointer, _ end: BytePointer) -> Int {
        end - start >= 3 && start[0] == 0xEF && start[1] == 0xBB && start[2] == 0xBF ? 3 : 0
    }

    /// Returns eight bytes, with the first one in the lowest bits.
    @inline(__always)
    static func word(_ place: BytePointer) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
    }

    /// Returns the high bit of each byte of `word` that equals `byte`. The result is exact up to the first such byte.
    @inline(__always)
    static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (0x0101_0101_0101_0101 &* UInt64(byte))
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }

    /// Returns the first `byte` in `start ..< end`. Fast for short distances.
    @inline(__always)
    static func near(_ byte: UInt8, _ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        var place = start
        while place < end {
            let found = matches(word(place), byte)
            if found != 0 {
                let hit = place + found.trailingZeroBitCount >> 3
                return hit < end ? hit : nil
            }
            place += 8
        }
        return nil
    }

    /// Returns the first `byte` in `start ..< end`. Fast for long distances.
    @inline(__always)
    static func far(_ byte: UInt8, _ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        guard let hit = memchr(start, Int32(byte), end - start) else { return nil }
        return BytePointer(hit.assumingMemoryBound(to: UInt8.self))
    }

    /// Returns the last `byte` in `start ..< end`.
    static func last(_ byte: UInt8, _ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        var place = end
        while place > start {
            place -= 1
            if place.pointee == byte { return place }
        }
        return nil
    }

    /// Returns the quote that closes a quoted field whose text begins at `start`. A quote after an odd number of
    /// backslashes is part of the text.
    @inline(__always)
    static func closingQuote(_ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        var place = start
        while let quote = far(Byte.quote, place, end) {
            if !isEscaped(quote, since: start) { return quote }
            place = quote + 1
        }
        return nil
    }

    /// Returns whether an odd number of backslashes is directly before `place`. Backslashes before `start` do not
    /// count.
    @inline(__always)
    static func isEscaped(_ place: BytePointer, since start: BytePointer) -> Bool {
        guard place > start, place[-1] == Byte.backslash else { return false }
        var first = place - 1
        while first > start, first[-1] == Byte.backslash { first -= 1 }
        return (place - first) & 1 == 1
    }
}
