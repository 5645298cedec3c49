// SPDX-License-Identifier: Apache-2.0

package import MillraceCore
internal import MillraceRecords

/// The open folder of a journal: the calls of a file system that the journal needs.
///
/// ``DiskFolder`` uses the disk. Tests use a folder in memory that simulates a power cut. A journal is generic over
/// this protocol, so that its calls need no witness table.
///
/// **Threads.** Any, at any time.
package protocol JournalFolder: Sendable {
    associatedtype File: JournalFile

    /// Where the folder is, for errors.
    var path: String { get }

    /// The names in the folder, in any order.
    func names() throws(FileError) -> [String]

    /// Opens a file that exists. Links are not followed.
    func open(_ name: String, forWriting: Bool) throws(FileError) -> File

    /// Creates a file that only this user may read and write. It must not exist.
    func create(_ name: String) throws(FileError) -> File

    /// Opens a file for writing, and creates it if there is none.
    func openOrCreate(_ name: String) throws(FileError) -> File

    /// Gives a file another name, which no file may have. The new name survives a power cut after ``sync()``.
    func rename(_ name: String, to newName: String) throws(FileError)

    /// Removes a file. The removal survives a power cut after ``sync()``.
    func remove(_ name: String) throws(FileError)

    /// Waits until the names are on the disk. Threads that share a folder call ``syncNames()``.
    func sync() throws(FileError)

    /// Orders the syncs of this folder; nil: only one thread uses it.
    var syncs: FolderSyncs? { get }

    /// Which file has a name; nil if none has.
    func identity(of name: String) throws(FileError) -> FileIdentity?

    /// The name of the file system if it keeps its files in memory only.
    var memoryFileSystem: String? { get }

    /// The id of this process, for the lock; nil: the folder is no folder of the system.
    var process: Int32? { get }

    /// Whether a process with this id exists.
    func exists(process: Int32) -> Bool

    /// The world that the folder belongs to, and with it the threads and the clock of its journal; nil: the system.
    var world: (any StoreWorld)? { get }
}

extension JournalFolder {
    package var world: (any StoreWorld)? { nil }
    package var syncs: FolderSyncs? { nil }
    package var process: Int32? { nil }
    package func exists(process: Int32) -> Bool { false }

    /// Waits until the names are on the disk. After a sync that has failed, on whichever thread, each later one fails.
    package func syncNames() throws(FileError) {
        guard let syncs else { return try sync() }
        try syncs.run { () throws(FileError) in try sync() }
    }

    /// The identity of a journal that begins.
    var newJournal: JournalID { world.map { JournalID(low: $0.random(), high: $0.random()) } ?? JournalID() }
}

/// A file of a journal, opened. It is closed when the last reference goes.
///
/// **Threads.** Any; two writes to the same bytes are not ordered.
package protocol JournalFile: Sendable {
    /// The number of bytes.
    func size() throws(FileError) -> Int

    /// Copies bytes from an offset. It copies fewer than there is room for only at the end of the file.
    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(FileError) -> Int

    /// Writes all bytes. After an error some of them may have been written.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError)

    /// Waits until the bytes are on the disk.
    func sync() throws(FileError)

    /// Allocates room on the disk for this number of bytes, if the file system can do that.
    func reserve(_ bytes: Int) throws(FileError)

    /// Cuts the file, or adds zeros.
    func truncate(to bytes: Int) throws(FileError)

    /// Takes a lock that ends with this file. False if another has it.
    func lock() throws(FileError) -> Bool

    /// Which file this is.
    func identity() throws(FileError) -> FileIdentity
}

/// Which file a name or a descriptor stands for.
package struct FileIdentity: Hashable, Sendable {
    package var device: UInt64
    package var number: UInt64

    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}
