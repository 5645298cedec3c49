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

    private func rights(_ name: String) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
        return try #require(facts[.posixPermissions] as? Int)
    }

    @Test("a file that is replaced keeps its rights, whatever writes it", arguments: [0o600, 0o640, 0o444, 0o666])
    func keepsRights(mode: Int) throws {
        func prepare(_ name: String) throws -> String {
            let path = folder.path + "/" + name
            try "before".write(toFile: path, atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }
        let snapshot = SampleSnapshots.small
        try HTMLReport(snapshot).write(toFile: try prepare("page.html"))
        try JSONReport(snapshot).write(toFile: try prepare("report.json"))
        try PrometheusReport(snapshot).write(toFile: try prepare("report.prom"))
        try LatencyTable(snapshot).write(toFile: try prepare("table.txt"))
        try PercentileReport.write(snapshot, toFolder: folder.path + "/hgrm")
        let histogram = try #require(try folder.files("hgrm").first)
        try PercentileReport.write(
            snapshot,
            toFolder: String(try prepare("hgrm/" + histogram).dropLast(histogram.count))
        )
        for name in ["page.html", "report.json", "report.prom", "table.txt", "hgrm/" + histogram] {
            #expect(try rights(name) == mode, "\(name)")
            #expect(try folder.read(name) != "before", "\(name)")
        }
    }

    @Test("a new file has the rights 0666, less what the umask removes", arguments: [0, 0o027, 0o077] as [mode_t])
    func newFile(mask: mode_t) async {
        await #expect(processExitsWith: .success) { [mask] in
            umask(mask)
            let folder = NSTemporaryDirectory() + "/millrace-rights-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try HTMLReport(SampleSnapshots.small).write(toFile: folder + "/page.html")
            let facts = try FileManager.default.attributesOfItem(atPath: folder + "/page.html")
            #expect(facts[.posixPermissions] as? Int == Int(0o666 & ~mask))
        }
    }

    @Test("a link's file is replaced whole, keeps its rights, and the link stays")
    func linkedRights() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/real", withIntermediateDirectories: false)
        try "before".write(toFile: folder.path + "/real/file", atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/real/file")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder.path + "/second", withDestinationPath: "real/file")
        try manager.createSymbolicLink(atPath: folder.path + "/first", withDestinationPath: folder.path + "/second")
        let reader = try #require(FileHandle(forReadingAtPath: folder.path + "/first"))
        try JSONReport(SampleSnapshots.small).write(toFile: folder.path + "/first")
        // Who had it open reads what was there: it was replaced, not written over.
        #expect(try reader.readToEnd() == Data("before".utf8))
        #expect(try folder.read("real/file") == JSONReport(SampleSnapshots.small).description)
        #expect(try rights("real/file") == 0o600)
        #expect(try folder.files() == ["first", "real", "second"] && folder.files("real") == ["file"])
        #expect(try manager.destinationOfSymbolicLink(atPath: folder.path + "/first") == folder.path + "/second")
    }

    @Test("links that lead to each other are an error of the system's words")
    func circle() throws {
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder.path + "/a", withDestinationPath: "b")
        try manager.createSymbolicLink(atPath: folder.path + "/b", withDestinationPath: "a")
        let path = folder.path + "/a"
        #expect(throws: ReportFileError.cannotCreate(path: path, reason: "Too many levels of symbolic links")) {
            try LatencyTable(SampleSnapshots.small).write(toFile: path)
        }
    }

    @Test("a name that stands for an open file is written to that file")
    func openFile() throws {
        try "".write(toFile: folder.path + "/out", atomically: false, encoding: .utf8)
        let out = try #require(FileHandle(forUpdatingAtPath: folder.path + "/out"))
        try JSONReport(SampleSnapshots.empty).write(toFile: "/dev/fd/\(out.fileDescriptor)")
        #expect(try out.readToEnd() == Data(JSONReport(SampleSnapshots.empty).description.utf8))
        #expect(try folder.files() == ["out"])
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
        #expect("\(ReportFileError.cannotCreate(path: "a", reason: "b"))".hasPrefix("'a' cannot be created: b."))
        #expect("\(ReportFileError.cannotWrite(path: "a", reason: "b"))".hasPrefix("'a' cannot be written: b."))
    }
}
