// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A new file that is written from its start to its end. After an error nothing more is written.
struct FrameSink: ~Copyable {
    let path: String
    private let descriptor: Int32
    private var failure: RecordFileError?

    /// Creates a file that only this user may read and write. The path must not exist yet; symbolic links are not
    /// followed.
    init(path: String) throws(RecordFileError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .system(call: "open", path: path, reason: "That is not a path")
        }
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if number < 0 { throw systemError("open", path) }
        descriptor = number
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    mutating func write(_ bytes: [UInt8]) throws(RecordFileError) {
        try bytes.lend { (bytes) throws(RecordFileError) in try write(bytes) }
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(RecordFileError) {
        if let failure { throw failure }
        guard let code = writeAll(bytes, to: descriptor) else { return }
        errno = code
        throw failed("write")
    }

    mutating func sync() throws(RecordFileError) {
        if let failure { throw failure }
        guard fsync(descriptor) == 0 else { throw failed("fsync") }
        // The system also says that a file is on the disk that was removed meanwhile.
        var (ours, there) = (stat(), stat())
        guard fstat(descriptor, &ours) == 0, ours.st_nlink == 0 else { return }
        // Some file systems do not count names.
        if stat(path, &there) == 0, (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino) { return }
        errno = ENOENT
        throw failed("fsync")
    }

    /// After a failed sync nobody knows what is on the disk, although the next sync may succeed. So the first failure
    /// is final.
    private mutating func failed(_ call: String) -> RecordFileError {
        let error = systemError(call, path)
        failure = error
        return error
    }

    /// Syncs the file, renames it, and syncs the folder. A file that had this name is replaced.
    mutating func rename(to name: String) throws(RecordFileError) {
        try sync()
        guard Foundation.rename(path, name) == 0 else { throw failed("rename") }
        let folder = open(
            URL(fileURLWithPath: name).deletingLastPathComponent().path,
            O_RDONLY | O_CLOEXEC | O_DIRECTORY
        )
        guard folder >= 0 else { throw failed("open") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failed("fsync") }
    }

    /// A name beside `path`, for a file that is renamed to it when it is complete.
    static func temporary(_ path: String) -> String { "\(path).partial-\(UInt32.random(in: 0 ... .max))" }

    /// Creates a file that begins with these bytes. If they find no room, no file is left.
    static func create(_ path: String, beginning bytes: [UInt8]) throws(RecordFileError) -> FrameSink {
        var sink = try FrameSink(path: path)
        do throws(RecordFileError) {
            try sink.write(bytes)
        } catch {
            sink.remove()
            throw error
        }
        return sink
    }

    /// Removes the file, if it was not renamed.
    func remove() {
        unlink(path)
    }
}
