// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import TestSupport

/// A folder of a ``PowerCutDisk`` that several threads may use: one call at a time. The lock guards a number, because
/// ThreadSanitizer takes the place of an empty value for that of its neighbour.
struct SharedFolder: JournalFolder {
    let base: PowerCutFolder
    let lock: Locked<Int>
    /// Where each sync of a file waits.
    var gate: SyncGate?
    /// Which read of a file fails.
    var reads: FailingReads?
    /// How many files are gone when they are opened next, although they were listed.
    var missing: Shared<Int>?

    var path: String { base.path }
    var memoryFileSystem: String? { nil }

    /// Ends the program as `kill -9` does, while its threads use the disk: their later calls fail.
    func kill() { lock.withLock { _ in base.disk.kill() } }

    private func locked<Value>(_ body: () throws(FileError) -> Value) throws(FileError) -> Value {
        let result: Result<Value, FileError> = lock.withLock { _ in
            do throws(FileError) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func file(_ base: PowerCutFile) -> SharedFile {
        SharedFile(base: base, guardian: lock, gate: gate, reads: reads)
    }

    func names() throws(FileError) -> [String] { try locked { () throws(FileError) in try base.names() } }

    func open(_ name: String, forWriting: Bool) throws(FileError) -> SharedFile {
        let isMissing = missing?.update { left in
            left -= 1
            return left >= 0
        }
        if isMissing == true {
            throw FileError(call: "open", path: "\(path)/\(name)", reason: "No such file", meaning: .missing)
        }
        return try locked { () throws(FileError) in
            file(try base.open(name, forWriting: forWriting))
        }
    }

    func create(_ name: String) throws(FileError) -> SharedFile {
        try locked { () throws(FileError) in file(try base.create(name)) }
    }

    func openOrCreate(_ name: String) throws(FileError) -> SharedFile {
        try locked { () throws(FileError) in file(try base.openOrCreate(name)) }
    }

    func rename(_ name: String, to newName: String) throws(FileError) {
        try locked { () throws(FileError) in try base.rename(name, to: newName) }
    }

    func remove(_ name: String) throws(FileError) {
        try locked { () throws(FileError) in try base.remove(name) }
    }

    func sync() throws(FileError) { try locked { () throws(FileError) in try base.sync() } }

    func identity(of name: String) throws(FileError) -> FileIdentity? {
        try locked { () throws(FileError) in try base.identity(of: name) }
    }
}

/// A file of such a folder.
struct SharedFile: JournalFile {
    let base: PowerCutFile
    let guardian: Locked<Int>
    let gate: SyncGate?
    let reads: FailingReads?

    private func locked<Value>(_ body: () throws(FileError) -> Value) throws(FileError) -> Value {
        let result: Result<Value, FileError> = guardian.withLock { _ in
            do throws(FileError) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func size() throws(FileError) -> Int { try locked { () throws(FileError) in try base.size() } }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try reads?.pass()
        return try locked { () throws(FileError) in try base.read(at: offset, into: target) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
        try locked { () throws(FileError) in try base.write(bytes, at: offset) }
    }

    func sync() throws(FileError) {
        gate?.pass()
        try locked { () throws(FileError) in try base.sync() }
    }

    func reserve(_ bytes: Int) throws(FileError) {
        try locked { () throws(FileError) in try base.reserve(bytes) }
    }

    func truncate(to bytes: Int) throws(FileError) {
        try locked { () throws(FileError) in try base.truncate(to: bytes) }
    }

    func lock() throws(FileError) -> Bool { try locked { () throws(FileError) in try base.lock() } }

    func identity() throws(FileError) -> FileIdentity {
        try locked { () throws(FileError) in try base.identity() }
    }
}
