// SPDX-License-Identifier: Apache-2.0

import CDiskRivals
import Foundation
import MillraceJournal

/// A folder for the files of one run of the section, on the disk of the current directory. It is removed at the end.
final class BenchDisk {
    let path: String
    private var files = 0

    init() throws {
        path = FileManager.default.currentDirectoryPath + "/.millrace-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A name that nothing has yet.
    func name(_ what: String) -> String {
        files += 1
        return "\(path)/\(what)-\(files)"
    }

    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: name) }

    /// Returns the nanoseconds, which are 0 after an error.
    static func check(_ nanoseconds: UInt64, _ what: String) throws -> UInt64 {
        guard nanoseconds > 0 else {
            throw BenchmarkError.wrongResult(contender: what, expected: "its files", found: "an error of the system")
        }
        return nanoseconds
    }
}

/// A file that was written with zeros ahead of time, as the segments of a journal are.
final class RawFile {
    private let file: Int32

    init(_ disk: BenchDisk, bytes: Int) throws {
        file = disk_open(disk.name("raw"), UInt64(bytes))
        guard file >= 0 else {
            throw BenchmarkError.wrongResult(contender: "raw file", expected: "a file", found: "an error of the system")
        }
    }

    deinit { disk_close(file) }

    /// Writes groups from the start of the file; returns the nanoseconds.
    func write(groups: Int, of bytes: Int, syncs: Bool) throws -> UInt64 {
        try BenchDisk.check(disk_write(file, UInt64(bytes), UInt64(groups), syncs), "raw file")
    }

    /// The median time of one write and sync.
    func syncTime(_ bytes: Int, rounds: Int) throws -> Double {
        let times = try (0..<rounds).map { _ in Double(try write(groups: 1, of: bytes, syncs: true)) }
        return Sample(times)?.median ?? 0
    }
}
