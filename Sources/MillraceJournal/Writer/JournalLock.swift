// SPDX-License-Identifier: Apache-2.0

internal import MillraceRecords

/// The right to write a journal: a lock of the file `lock`, and the epoch that is written in it.
///
/// The lock ends with the process, however the process ends. A writer that takes over a journal raises the epoch before
/// it reads the segments. A writer checks the file and the epoch before it acknowledges anything. So if the check of
/// the old writer finds no change, the old writer had written the actions before the new one read the segments, and the
/// new writer reads them. One risk remains: some network file systems show a change of the lock file late.
///
/// **Threads.** Any. **Cost** of a look: two calls of the system.
struct JournalLock<Folder: JournalFolder>: Sendable {
    private static var name: String { "lock" }
    private static var magic: UInt64 { 0x314B_434C_4A52_4D00 }
    private static var bytes: Int { 24 }

    private let folder: Folder
    private let file: Folder.File
    private let identity: FileIdentity
    /// The epoch of this writer.
    private(set) var epoch: UInt64 = 0

    /// Takes the lock.
    init(_ folder: Folder) throws(JournalError) {
        self.folder = folder
        file = try system(try folder.openOrCreate(Self.name))
        guard try (system(try file.lock())) else { throw .locked(path: folder.path) }
        identity = try system(try file.identity())
        // The file may have been removed before it was locked.
        guard try (system(try folder.identity(of: Self.name))) == identity else {
            throw .locked(path: folder.path)
        }
    }

    /// Begins a new epoch: above that of the file, which may be torn, and above that of each segment.
    mutating func raise(above known: UInt64) throws(JournalError) {
        let last = max(try (system(try readEpoch())) ?? 0, known)
        guard last < .max else {
            let reason = "the epoch in 'lock' or in the name of a segment is the largest number: a file was changed"
            throw .corrupt(at: CorruptPlace(path: folder.path, offset: 0, reason: reason))
        }
        epoch = last + 1
        // Not synced: after a power cut there is no older writer, and the epochs of the segments are known.
        let epoch = epoch
        let file = file
        do {
            try withUnsafeTemporaryAllocation(byteCount: Self.bytes, alignment: 8) { place in
                Self.encode(epoch, place)
                return Result { () throws(FileError) in try file.write(UnsafeRawBufferPointer(place), at: 0) }
            }.get()
        } catch {
            throw JournalError(error)
        }
    }

    /// Throws an error if another writer has the journal.
    func check() throws(JournalError) {
        guard try (system(try folder.identity(of: Self.name))) == identity else {
            throw .takenOver(path: folder.path, reason: "the file 'lock' was replaced or removed")
        }
        guard try (system(try readEpoch())) == epoch else {
            throw .takenOver(path: folder.path, reason: "the epoch in the file 'lock' is not \(epoch) any more")
        }
    }

    private static func encode(_ epoch: UInt64, _ place: UnsafeMutableRawBufferPointer) {
        place.storeBytes(of: magic.littleEndian, toByteOffset: 0, as: UInt64.self)
        place.storeBytes(of: epoch.littleEndian, toByteOffset: 8, as: UInt64.self)
        let checksum = CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: place[..<16]))
        place.storeBytes(of: UInt64(checksum).littleEndian, toByteOffset: 16, as: UInt64.self)
    }

    private func readEpoch() throws(FileError) -> UInt64? {
        try withUnsafeTemporaryAllocation(byteCount: Self.bytes, alignment: 8) { place in
            Result<UInt64?, FileError> { () throws(FileError) in
                guard try file.read(at: 0, into: place) == Self.bytes else { return nil }
                let checksum = CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: place[..<16]))
                guard place.load(as: UInt64.self).littleEndian == Self.magic,
                    place.load(fromByteOffset: 16, as: UInt64.self).littleEndian == UInt64(checksum)
                else { return nil }
                return place.load(fromByteOffset: 8, as: UInt64.self).littleEndian
            }
        }.get()
    }
}
