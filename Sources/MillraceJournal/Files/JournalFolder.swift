// SPDX-License-Identifier: Apache-2.0

/// The folder of a journal, opened: what the journal asks of a file system.
///
/// The real one is ``DiskFolder``. Tests have one in memory whose power can be cut. The calls of a journal are generic over
/// it, so there is no table of functions between them.
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

    /// Gives a file another name, which no file may have. It lasts after ``sync()``.
    func rename(_ name: String, to newName: String) throws(FileError)

    /// Removes a file. It lasts after ``sync()``.
    func remove(_ name: String) throws(FileError)

    /// Waits until the names are on the disk.
    func sync() throws(FileError)

    /// Which file has a name; nil if none has.
    func identity(of name: String) throws(FileError) -> FileIdentity?

    /// The name of the file system if it keeps its files in memory only.
    var memoryFileSystem: String? { get }
}

/// A file of a journal, opened. It is closed when the last reference goes.
///
/// **Threads.** Any; two writes to the same bytes are not ordered.
package protocol JournalFile: Sendable {
    /// The number of bytes.
    func size() throws(FileError) -> Int

    /// Copies bytes from an offset: fewer than there is room for only at the end of the file.
    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(FileError) -> Int

    /// Writes all bytes. After an error some of them may have been written.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError)

    /// Waits until the bytes are on the disk.
    func sync() throws(FileError)

    /// Finds room on the disk for so many bytes, if the file system can.
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
