// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// The last so many events: a ring of fixed size in which the newest entry overwrites the oldest. In memory, or in a
/// file that can be read while the program runs and after it was killed.
///
/// ```swift
/// let ring = try EventRing(path: "flight.ring", capacity: 65_536, wordsPerEntry: 4)
/// let kind = ring.intern("order placed")
/// ring.append(Ticks.now.rawValue, kind, 42)
/// let recent = ring.snapshot()                              // here
/// let found = try EventRingFile.read("flight.ring")         // or in another process
/// ```
///
/// An entry is a number of 64-bit words; what they mean is up to you. Texts are interned once, and entries hold ids.
///
/// **Threads.** `append` and `intern`: one thread at a time, the writer; it is up to you that there is only one.
/// `snapshot` and the properties: any thread, while the writer runs. Nobody waits for anybody.
///
/// **Cost.** `append` stores the words, the entry's stamp twice and a counter: no allocation, no lock, no system call,
/// a few nanoseconds. All memory is taken at creation.
///
/// **What it does not do.** It keeps no more than `capacity` entries: count what you must not lose elsewhere. A file
/// outlives the process, killed or not; of a crash of the machine it shows what the system had written back. A file
/// that somebody makes shorter while the writer runs stops the program (SIGBUS).
public final class EventRing: @unchecked Sendable {
    // Unchecked because the memory is shared by design: millrace_ring.h says who may do what.
    @usableFromInline let ring: UnsafeMutablePointer<millrace_ring>

    /// The writer's: the ids of the texts in the table.
    var ids: [String: UInt64] = [:]

    /// A constant: where the file is; nil in memory.
    public let path: String?

    /// A ring in memory.
    /// - Parameters:
    ///   - capacity: how many entries it keeps; rounded up to a power of two.
    ///   - wordsPerEntry: 1 to 64. With 7 or fewer an entry lies within one line of the cache.
    ///   - textBytes: the room for texts: each takes its UTF-8, 8 bytes more, and is filled up to a multiple of 8.
    /// - Throws: ``EventRingError/sizes(_:)`` or ``EventRingError/outOfMemory(bytes:)``.
    public init(capacity: Int, wordsPerEntry: Int = 7, textBytes: Int = 65_536) throws(EventRingError) {
        let sizes = try RingSizes(capacity: capacity, words: wordsPerEntry, textBytes: textBytes)
        var made: UnsafeMutablePointer<millrace_ring>?
        guard millrace_ring_create(sizes.words, sizes.capacity, sizes.textBytes, &made) == MILLRACE_OK, let made else {
            throw .outOfMemory(bytes: Int(sizes.layout.total_bytes))
        }
        ring = made
        path = nil
    }

    /// A ring in a new file, which only this user may read and write. What was at the path is replaced in one step,
    /// once the new file is complete and all its blocks are reserved; a ring that still writes to it is not disturbed.
    /// - Parameters:
    ///   - path: where the file shall be; its folder must exist.
    ///   - capacity: as in memory.
    ///   - wordsPerEntry: as in memory.
    ///   - textBytes: as in memory.
    /// - Throws: ``EventRingError/sizes(_:)``, ``EventRingError/outOfMemory(bytes:)`` or
    ///   ``EventRingError/cannotCreate(path:reason:)``, which also says that the disk is full.
    public init(
        path: String,
        capacity: Int,
        wordsPerEntry: Int = 7,
        textBytes: Int = 65_536
    ) throws(EventRingError) {
        let sizes = try RingSizes(capacity: capacity, words: wordsPerEntry, textBytes: textBytes)
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .cannotCreate(path: path, reason: "That is not a path")
        }
        var made: UnsafeMutablePointer<millrace_ring>?
        var code: Int32 = 0
        let result = millrace_ring_create_file(path, sizes.words, sizes.capacity, sizes.textBytes, &code, &made)
        guard result == MILLRACE_OK, let made else {
            if result == MILLRACE_OUT_OF_MEMORY { throw .outOfMemory(bytes: Int(sizes.layout.total_bytes)) }
            throw .cannotCreate(path: path, reason: systemErrorText(code))
        }
        ring = made
        self.path = path
    }

    deinit {
        millrace_ring_destroy(ring)
    }

    /// How many entries the ring keeps.
    public var capacity: Int { Int(ring.pointee.mask + 1) }

    /// How many words an entry holds.
    public var wordsPerEntry: Int { Int(ring.pointee.words) }

    /// How many entries were ever appended. Any thread.
    public var appended: UInt64 {
        var first: UInt64 = 0
        return millrace_ring_window(ring, &first)
    }
}

/// Sizes that were checked, and what they come to.
struct RingSizes {
    let words, capacity, textBytes: UInt64
    let layout: millrace_ring_layout

    init(capacity: Int, words: Int, textBytes: Int) throws(EventRingError) {
        let most = Int(MILLRACE_RING_MOST_BYTES)
        guard (1...most).contains(capacity), (0...most).contains(textBytes), words > 0 else {
            throw .sizes("capacity \(capacity), \(words) words an entry, \(textBytes) bytes of text")
        }
        self.words = UInt64(words)
        self.textBytes = UInt64((textBytes + 7) / 8 * 8)
        var power: UInt64 = 2
        while power < capacity { power *= 2 }
        self.capacity = power
        var layout = millrace_ring_layout()
        guard millrace_ring_lay_out(self.words, power, self.textBytes, &layout) == MILLRACE_OK else {
            throw .sizes("capacity \(power), \(words) words an entry, \(textBytes) bytes of text")
        }
        self.layout = layout
    }
}
