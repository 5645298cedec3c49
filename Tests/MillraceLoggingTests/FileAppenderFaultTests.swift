// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceLogging
import TestSupport
import Testing

/// The folder of a log goes while the log is open, or its disk is full.
@Suite("Logger: files whose folder or disk fails", .timeLimit(.minutes(5)))
final class FileAppenderFaultTests {
    private let folder = NSTemporaryDirectory() + "/millrace-log-" + UUID().uuidString
    private let errors = Recorder<FileAppenderError>()
    private var path: String { folder + "/log" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        for path in [folder, folder + ".moved"] { try? FileManager.default.removeItem(atPath: path) }
    }

    private func makeAppender() -> FileAppender {
        let errors = errors
        return FileAppender(path: path, onError: { errors.record($0) }, timestamp: { "" })
    }

    private func missing(lostLines: Int) -> FileAppenderError {
        .cannotOpen(path: path, reason: "No such file or directory", lostLines: lostLines)
    }

    @Test("a folder that is removed while the file is open: an error for the next lines, until the folder is back")
    func removedFolder() throws {
        let file = makeAppender()
        file.write("one")
        try FileManager.default.removeItem(atPath: folder)
        file.write("two")
        file.write("three")
        #expect(errors.all == [missing(lostLines: 1), missing(lostLines: 1)])
        #expect(file.metrics.writtenLines == 1 && file.metrics.lostLines == 2 && file.metrics.errors == 2)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        file.write("four")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "four\n")
        #expect(file.metrics.writtenLines == 2 && errors.count == 2)
    }

    @Test("a file that is removed while it is open is made again, and no line is lost")
    func removedFile() throws {
        let file = makeAppender()
        file.write("one")
        try FileManager.default.removeItem(atPath: path)
        file.write("two")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "two\n")
        #expect(file.metrics.lostLines == 0 && errors.all.isEmpty)
    }

    @Test("a folder that is renamed takes the lines with it, until the file is opened again")
    func renamedFolder() throws {
        let moved = folder + ".moved"
        let file = makeAppender()
        file.write("one")
        try FileManager.default.moveItem(atPath: folder, toPath: moved)
        file.write("two")
        file.reopen()
        #expect(errors.all.isEmpty)
        file.write("three")
        #expect(errors.all == [missing(lostLines: 1)])
        #expect(try String(contentsOfFile: moved + "/log", encoding: .utf8) == "one\ntwo\n")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        file.write("four")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "four\n")
        #expect(file.metrics.writtenLines == 3 && file.metrics.lostLines == 1)
    }

    @Test(
        "a disk that is full: the lines before stay whole, and the next one after there is room has a line of its own",
        .enabled(if: SmallDisk.isPossible, "no right to mount a disk")
    )
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            try SmallDisk.with { folder in
                let errors = Recorder<FileAppenderError>()
                let path = folder + "/log"
                let file = FileAppender(path: path, onError: { errors.record($0) }, timestamp: { "" })
                file.write("one")
                let filler = SmallDisk.fill(folder)
                // More than what is left of the file's page.
                file.write(String(repeating: "x", count: 5_000))
                #expect(
                    errors.all
                        == [.cannotWrite(path: path, reason: "No space left on device", lostLines: 1)]
                )
                try FileManager.default.removeItem(atPath: filler)
                file.write("two")
                let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                #expect(lines.count == 3 && lines.first == "one" && lines.last == "two")
                #expect(lines.dropFirst().first?.allSatisfy { $0 == "x" } == true)
                #expect(file.metrics.writtenLines == 2 && file.metrics.lostLines == 1)
            }
        }
    }
}
