// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceInstrumentation
import Testing

@Suite("Reports in files")
struct ReportFileTests {
    private let folder = TemporaryFolder()

    @Test("a file takes the place of what was there, and nothing else is left")
    func replaces() throws {
        let path = folder.path + "/table.txt"
        try "before".write(toFile: path, atomically: false, encoding: .utf8)
        try LatencyTable(SampleSnapshots.small).write(toFile: path)
        #expect(try folder.read("table.txt") == LatencyTable(SampleSnapshots.small).description)
        #expect(try folder.files() == ["table.txt"])
    }

    @Test("more than a buffer arrives whole")
    func large() throws {
        try PrometheusReport(SampleSnapshots.hostile).write(toFile: folder.path + "/large")
        let text = try folder.read("large")
        #expect(text.utf8.count > 200_000 && text == PrometheusReport(SampleSnapshots.hostile).description)
    }

    @Test("a link is written through, a device written to")
    func links() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link",
            withDestinationPath: folder.path + "/target"
        )
        try JSONReport(SampleSnapshots.empty).write(toFile: folder.path + "/link")
        #expect(try folder.files() == ["link", "target"])
        #expect(try folder.read("target") == JSONReport(SampleSnapshots.empty).description)
        try JSONReport(SampleSnapshots.empty).write(toFile: "/dev/null")
        #expect(FileManager.default.isWritableFile(atPath: "/dev/null"))
    }

    /// Makes a folder where its file should come to be.
    private struct Interfering: InstrumentationReport {
        let path: String

        func write<Target: TextOutputStream>(to target: inout Target) {
            try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            target.write("text")
        }
    }

    @Test("a file that can not take its place leaves nothing behind")
    func interfered() throws {
        let path = folder.path + "/report"
        #expect(throws: ReportFileError.cannotCreate(path: path, reason: "Is a directory")) {
            try Interfering(path: path).write(toFile: path)
        }
        #expect(try folder.files() == ["report"])
    }

    @Test("a folder that is missing, a path that is a folder, a disk that is full")
    func errors() throws {
        let report = LatencyTable(SampleSnapshots.small)
        #expect(throws: ReportFileError.cannotCreate(path: "/nowhere/x", reason: "No such file or directory")) {
            try report.write(toFile: "/nowhere/x")
        }
        #expect(throws: ReportFileError.cannotCreate(path: folder.path, reason: "Is a directory")) {
            try report.write(toFile: folder.path)
        }
        #expect(throws: ReportFileError.cannotWrite(path: "/dev/full", reason: "No space left on device")) {
            try report.write(toFile: "/dev/full")
        }
        #expect(throws: ReportFileError.cannotCreate(path: "/nowhere/x", reason: "No such file or directory")) {
            try PercentileReport.write(SampleSnapshots.small, toFolder: "/nowhere/x")
        }
        #expect(try folder.files().isEmpty)
        #expect("\(ReportFileError.cannotWrite(path: "a", reason: "b"))".contains("'a'"))
    }
}
