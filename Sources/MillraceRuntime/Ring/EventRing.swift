// SPDX-License-Identifier: Apache-2.0

public import CMillrace
internal import Glibc

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

    /// A ring in a new file, which only this user may read and write: complete, and with all its blocks reserved, before
    /// it gets its name.
    ///
    /// The ring of an earlier run that is at the path is kept, as `PATH.previous`, in place of the one before it. An
    /// empty file is replaced; any other one, and a ring that somebody still writes, here or in another process, is an
    /// error. The writer has a lock on the file, which the system takes away when the process ends in whatever way.
    /// - Parameters:
    ///   - path: where the file shall be; its folder must exist.
    ///   - capacity: as in memory.
    ///   - wordsPerEntry: as in memory.
    ///   - textBytes: as in memory.
    /// - Throws: ``EventRingError/sizes(_:)``, ``EventRingError/outOfMemory(bytes:)``, ``EventRingError/inUse(path:)``,
    ///   ``EventRingError/notReplaced(path:)`` or ``EventRingError/cannotCreate(path:reason:)``, which also says that the
    ///   disk is full.
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
            switch code {
            case EBUSY: throw .inUse(path: path)
            case EEXIST: throw .notReplaced(path: path)
            default: throw .cannotCreate(path: path, reason: systemErrorText(code))
            }
        }
        ring = made
        self.path = path
    }

    deinit {
        millrace_ring_destroy(ring)
    }

    /// Says in the file that the writer has come to its end as it should (``EventRingWriter/ended``). Any thread.
    ///
    /// Releasing the ring says so, too: this is for those that a process keeps until it exits. Nothing else changes.
    public func end() {
        millrace_ring_end(ring)
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
