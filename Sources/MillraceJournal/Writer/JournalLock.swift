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
    /// Where the process of the writer is, after the epoch.
    private static var processOffset: Int { 24 }
    private static var bytesWithProcess: Int { 40 }

    private let folder: Folder
    private let file: Folder.File
    private let identity: FileIdentity
    /// The epoch of this writer.
    private(set) var epoch: UInt64 = 0

    /// Takes the lock.
    init(_ folder: Folder) throws(JournalError) {
        self.folder = folder
        file = try system(try folder.openOrCreate(Self.name))
        guard try (system(try file.lock())) else {
            throw .locked(path: folder.path, process: Self.process(in: file, folder))
        }
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
        let process = folder.process
        let bytes = process == nil ? Self.bytes : Self.bytesWithProcess
        do {
            try withUnsafeTemporaryAllocation(byteCount: bytes, alignment: 8) { place in
                Self.encode(epoch, place)
                if let process { Self.encode(process: process, place) }
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

    private static func encode(process: Int32, _ place: UnsafeMutableRawBufferPointer) {
        place.storeBytes(of: UInt64(process).littleEndian, toByteOffset: processOffset, as: UInt64.self)
        let checksum = CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: place[processOffset..<processOffset + 8]))
        place.storeBytes(of: UInt64(checksum).littleEndian, toByteOffset: processOffset + 8, as: UInt64.self)
    }

    /// The process that has the lock, for an error; nil if it is not known. A process that took the lock at this moment
    /// has not written its id yet, so that of an older process may be there: it is told only if that process exists.
    private static func process(in file: Folder.File, _ folder: Folder) -> Int32? {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { place in
            guard (try? file.read(at: processOffset, into: place)) == 16,
                place.load(fromByteOffset: 8, as: UInt64.self).littleEndian
                    == UInt64(CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: place[..<8]))),
                let process = Int32(exactly: place.load(as: UInt64.self).littleEndian), process > 0,
                folder.exists(process: process)
            else { return nil }
            return process
        }
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
