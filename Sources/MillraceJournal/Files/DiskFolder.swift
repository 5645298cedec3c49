// SPDX-License-Identifier: Apache-2.0

internal import CMillraceJournal
internal import Glibc

/// A folder on a disk.
package final class DiskFolder: JournalFolder {
    package let path: String
    package let syncs: FolderSyncs? = FolderSyncs(in: nil)
    private let descriptor: Int32

    /// Opens a folder. A folder that is created has the rights 0700; the one that it is in must exist.
    package init(path: String, create: Bool) throws(FileError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw FileError(call: "open", path: path, reason: "That is not a path", meaning: .other)
        }
        descriptor = try checked(millrace_journal_open_folder(path, create), "open", path)
        self.path = path
    }

    deinit {
        millrace_journal_close(descriptor)
    }

    package func names() throws(FileError) -> [String] {
        var count = 0
        var error: Int32 = 0
        guard let names = millrace_journal_list(descriptor, &count, &error) else {
            throw FileError(code: error, call: "readdir", path: path)
        }
        defer { names.deallocate() }
        return UnsafeRawBufferPointer(start: names, count: count).split(separator: 0).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    package func open(_ name: String, forWriting: Bool) throws(FileError) -> DiskFile {
        try file(name, forWriting ? MILLRACE_JOURNAL_WRITE : MILLRACE_JOURNAL_READ)
    }

    package func create(_ name: String) throws(FileError) -> DiskFile {
        try file(name, MILLRACE_JOURNAL_CREATE)
    }

    package func openOrCreate(_ name: String) throws(FileError) -> DiskFile {
        try file(name, MILLRACE_JOURNAL_WRITE_OR_CREATE)
    }

    private func file(_ name: String, _ mode: millrace_journal_mode) throws(FileError) -> DiskFile {
        let path = "\(path)/\(name)"
        return DiskFile(try checked(millrace_journal_open(descriptor, name, mode), "open", path), path: path)
    }

    package func rename(_ name: String, to newName: String) throws(FileError) {
        try checked(millrace_journal_rename(descriptor, name, newName), "rename", "\(path)/\(newName)")
    }

    package func remove(_ name: String) throws(FileError) {
        try checked(millrace_journal_remove(descriptor, name), "unlink", "\(path)/\(name)")
    }

    package func sync() throws(FileError) {
        try checked(millrace_journal_sync_folder(descriptor), "fsync", path)
    }

    package func identity(of name: String) throws(FileError) -> FileIdentity? {
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) { words in
            let code = millrace_journal_identity_of(descriptor, name, words.baseAddress!)
            return Result<FileIdentity?, FileError> { () throws(FileError) in
                if code < 0, millrace_journal_is_missing(-code) { return nil }
                try checked(code, "stat", "\(path)/\(name)")
                return FileIdentity(device: words[0], number: words[1])
            }
        }.get()
    }

    package var process: Int32? { getpid() }

    package func exists(process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

    package var memoryFileSystem: String? {
        millrace_journal_memory_file_system(descriptor).map { String(cString: $0) }
    }
}

extension FileError {
    init(code: Int32, call: String, path: String) {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            millrace_journal_error_text(code, text.baseAddress!, text.count)
            return String(cString: text.baseAddress!)
        }
        let meaning: Meaning =
            if millrace_journal_is_full(code) { .full } else if millrace_journal_is_missing(code) {
                .missing
            } else if millrace_journal_is_there(code) { .exists } else { .other }
        self.init(call: call, path: path, reason: text, meaning: meaning)
    }
}

/// Returns the result of a call, or throws the error that it stands for.
@discardableResult
func checked<Number: SignedInteger>(
    _ result: Number,
    _ call: String,
    _ path: @autoclosure () -> String
) throws(FileError) -> Number {
    guard result < 0 else { return result }
    throw FileError(code: Int32(-result), call: call, path: path())
}
