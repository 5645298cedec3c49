// SPDX-License-Identifier: Apache-2.0

internal import CMillraceJournal

/// A file on a disk.
package final class DiskFile: JournalFile {
    private let descriptor: Int32
    private let path: String

    init(_ descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        millrace_journal_close(descriptor)
    }

    package func size() throws(FileError) -> Int {
        Int(try checked(millrace_journal_size(descriptor), "fstat", path))
    }

    package func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        guard let start = target.baseAddress else { return 0 }
        return Int(
            try checked(millrace_journal_read(descriptor, start, target.count, UInt64(offset)), "read", path)
        )
    }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
        guard let start = bytes.baseAddress else { return }
        try checked(millrace_journal_write(descriptor, start, bytes.count, UInt64(offset)), "write", path)
    }

    package func sync() throws(FileError) {
        try checked(millrace_journal_sync(descriptor), "fdatasync", path)
    }

    package func reserve(_ bytes: Int) throws(FileError) {
        try checked(millrace_journal_reserve(descriptor, UInt64(bytes)), "fallocate", path)
    }

    package func truncate(to bytes: Int) throws(FileError) {
        try checked(millrace_journal_truncate(descriptor, UInt64(bytes)), "ftruncate", path)
    }

    package func lock() throws(FileError) -> Bool {
        let code = millrace_journal_lock(descriptor)
        if code < 0, millrace_journal_is_locked(-code) { return false }
        try checked(code, "fcntl(F_OFD_SETLK)", path)
        return true
    }

    package func identity() throws(FileError) -> FileIdentity {
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) { words in
            let code = millrace_journal_identity(descriptor, words.baseAddress!)
            return Result<FileIdentity, FileError> { () throws(FileError) in
                try checked(code, "fstat", path)
                return FileIdentity(device: words[0], number: words[1])
            }
        }.get()
    }
}
