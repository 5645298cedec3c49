// SPDX-License-Identifier: Apache-2.0

public import CMillrace
internal import Glibc

/// A record of the last events: a ring of fixed size in which the newest entry overwrites the oldest. The ring is in
/// memory, or in a file that can be read while the program runs and after it was killed.
///
/// ```swift
/// let ring = try EventRing(path: "flight.ring", capacity: 65_536, wordsPerEntry: 4)
/// let kind = ring.intern("order placed")
/// ring.append(Ticks.now.rawValue, kind, 42)
/// let recent = ring.snapshot()                              // here
/// let found = try EventRingFile.read("flight.ring")         // or in another process
/// ```
///
/// An entry is a fixed number of 64-bit words, whose meaning is up to you. Texts are interned once, and entries hold
/// their ids.
///
/// **Threads.** `append` and `intern`: one thread at a time, the writer. You must ensure that there is only one.
/// `snapshot` and the properties: any thread, while the writer runs. No thread waits for another.
///
/// **Cost.** `append` stores the words, the entry's stamp twice and a counter: no allocation, no lock, no system call,
/// a few nanoseconds. All memory is allocated at creation.
///
/// **Limits.** The ring keeps no more than `capacity` entries: count elsewhere what must not be lost. A file outlives
/// the process, even if the process is killed. After a crash of the machine the file has what the system had written to
/// the disk. If a program makes the file shorter while the writer runs, the writer's program stops (SIGBUS). If a
/// program removes the file, the writer goes on, and nobody can read the entries; a file that is renamed can be read.
public final class EventRing: @unchecked Sendable {
    // Unchecked because the memory is shared by design: millrace_ring.h says which thread may make which call.
    @usableFromInline let ring: UnsafeMutablePointer<millrace_ring>

    /// The ids of the texts in the table. Only the writer uses it.
    var ids: [String: UInt64] = [:]

    /// The path of the file; nil for a ring in memory. It never changes.
    public let path: String?

    /// Creates a ring in memory.
    /// - Parameters:
    ///   - capacity: The number of entries that the ring keeps; rounded up to a power of two, at least 2.
    ///   - wordsPerEntry: The number of words in an entry, 1 to 64. With 7 or fewer an entry fits into one cache line.
    ///   - textBytes: The room for texts. A text takes its UTF-8 bytes plus 8, padded to a multiple of 8.
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

    /// Creates a ring in a new file, which only this user may read and write. The file is complete, with all its blocks
    /// reserved, before it gets its name.
    ///
    /// If the ring of an earlier run is at the path, it is renamed to `PATH.previous` and replaces the file of that
    /// name. An empty file is replaced. Any other file is an error, and so is a ring whose writer is alive, in this
    /// process or another one. The writer holds a lock on the file. The system removes the lock when the process ends,
    /// for whatever reason.
    /// - Parameters:
    ///   - path: The path of the new file; its folder must exist.
    ///   - capacity: The number of entries that the ring keeps; rounded up to a power of two, at least 2.
    ///   - wordsPerEntry: The number of words in an entry, 1 to 64. With 7 or fewer an entry fits into one cache line.
    ///   - textBytes: The room for texts. A text takes its UTF-8 bytes plus 8, padded to a multiple of 8.
    /// - Throws: ``EventRingError/sizes(_:)``, ``EventRingError/outOfMemory(bytes:)``, ``EventRingError/inUse(path:)``,
    ///   ``EventRingError/notReplaced(path:)`` or ``EventRingError/cannotCreate(path:reason:)``, for example if the
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

    /// Marks the ring as ended in the regular way (``EventRingWriter/ended``), also in its file. Any thread.
    ///
    /// Releasing the ring marks it, too, so this method is for rings that a process keeps until it exits. It changes
    /// nothing else.
    public func end() {
        millrace_ring_end(ring)
    }

    /// The number of entries that the ring keeps.
    public var capacity: Int { Int(ring.pointee.mask + 1) }

    /// The number of words in an entry.
    public var wordsPerEntry: Int { Int(ring.pointee.words) }

    /// The number of entries ever appended. Any thread.
    public var appended: UInt64 {
        var first: UInt64 = 0
        return millrace_ring_window(ring, &first)
    }
}
