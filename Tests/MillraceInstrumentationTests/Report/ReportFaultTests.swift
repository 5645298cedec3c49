// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceInstrumentation
import TestSupport
import Testing

/// Reports whose disk is full, or whose folder goes while they are written.
@Suite("Reports whose folder or disk fails")
struct ReportFaultTests {
    private let folder = TemporaryFolder()

    /// Does something to the folder between the first byte and the last one.
    private struct Interfering: InstrumentationReport {
        let interfere: @Sendable () -> Void

        func write<Target: TextOutputStream>(to target: inout Target) {
            target.write("new")
            interfere()
        }
    }

    /// Writes a report whose `.partial` file finds no room, over an old file and where there is none.
    private static func expectFull(_ folder: String, _ report: some InstrumentationReport, _ reason: String) throws {
        let (old, new) = (folder + "/old", folder + "/new")
        for path in [old, new] {
            #expect(throws: ReportFileError.cannotWrite(path: path, reason: reason)) { try report.write(toFile: path) }
        }
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "before")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "filler" } == ["old"])
    }

    @Test("files that may not grow: an error, the old file stays, and no partial file is left")
    func limited() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            try "before".write(toFile: folder.path + "/old", atomically: false, encoding: .utf8)
            // In the middle of a large report, and in the only piece of a small one.
            limitFiles(to: 100_000)
            try Self.expectFull(folder.path, PrometheusReport(SampleSnapshots.hostile), "File too large")
            limitFiles(to: 10)
            try Self.expectFull(folder.path, LatencyTable(SampleSnapshots.small), "File too large")
        }
    }

    @Test(
        "a disk that is full: an error, the old file stays, and no partial file is left",
        .enabled(if: SmallDisk.isPossible, "no right to mount a disk")
    )
    func full() async {
        await #expect(processExitsWith: .success) {
            try SmallDisk.with { folder in
                let report = PrometheusReport(SampleSnapshots.hostile)
                try "before".write(toFile: folder + "/old", atomically: false, encoding: .utf8)
                try Self.expectFull(folder, report, "No space left on device")
                let filler = SmallDisk.fill(folder)
                try Self.expectFull(folder, LatencyTable(SampleSnapshots.small), "No space left on device")
                try FileManager.default.removeItem(atPath: filler)
                try LatencyTable(SampleSnapshots.small).write(toFile: folder + "/old")
            }
        }
    }

    @Test("a folder that is removed before the file gets its name")
    func removed() throws {
        let place = folder.path + "/reports"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let error = ReportFileError.cannotCreate(path: place + "/page", reason: "No such file or directory")
        #expect(throws: error) {
            try Interfering { try? FileManager.default.removeItem(atPath: place) }.write(toFile: place + "/page")
        }
        #expect(error.description.contains("Make its folder first"))
        #expect(try folder.files() == [])
    }

    @Test(
        "a folder that is renamed before the file gets its name: no partial file is left in it",
        arguments: [
            false, true,
        ]
    )
    func renamed(isReplaced: Bool) throws {
        let place = folder.path + "/reports"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try "before".write(toFile: place + "/page", atomically: false, encoding: .utf8)
        #expect(throws: ReportFileError.cannotCreate(path: place + "/page", reason: "No such file or directory")) {
            try Interfering {
                try? FileManager.default.moveItem(atPath: place, toPath: place + ".1")
                guard isReplaced else { return }
                try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            }.write(toFile: place + "/page")
        }
        #expect(try folder.files("reports.1") == ["page"] && folder.read("reports.1/page") == "before")
        #expect(try folder.files() == (isReplaced ? ["reports", "reports.1"] : ["reports.1"]))
        if isReplaced { #expect(try folder.files("reports") == []) }
    }

    @Test("histograms that may not grow: the error names the first of them, and the old one stays")
    func limitedHistograms() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let place = folder.path + "/hgrm"
            let paths = try PercentileReport.write(SampleSnapshots.small, toFolder: place)
            let (first, names) = (try #require(paths.first), try folder.files("hgrm"))
            let old = try String(contentsOfFile: first, encoding: .utf8)
            limitFiles(to: 100)
            #expect(throws: ReportFileError.cannotWrite(path: first, reason: "File too large")) {
                try PercentileReport.write(SampleSnapshots.small, toFolder: place)
            }
            #expect(try folder.files("hgrm") == names && String(contentsOfFile: first, encoding: .utf8) == old)
        }
    }

    @Test(
        "histograms on a full disk: those before the error are whole, and no partial file is left",
        .enabled(if: SmallDisk.isPossible, "no right to mount a disk")
    )
    func fullHistograms() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let paths = try PercentileReport.write(SampleSnapshots.small, toFolder: folder.path + "/hgrm")
            // Each file takes a page at least, so not all of them find room.
            try #require(paths.count > 2)
            try SmallDisk.with(bytes: 2 * 4_096) { disk in
                let error = #expect(throws: ReportFileError.self) {
                    try PercentileReport.write(SampleSnapshots.small, toFolder: disk + "/hgrm")
                }
                guard case .cannotWrite(let path, "No space left on device") = error else { throw error! }
                let left = try FileManager.default.contentsOfDirectory(atPath: disk + "/hgrm").sorted()
                #expect(!left.isEmpty && left.count < paths.count && !FileManager.default.fileExists(atPath: path))
                for name in left {
                    let text = try String(contentsOfFile: "\(disk)/hgrm/\(name)", encoding: .utf8)
                    #expect(try text == folder.read("hgrm/" + name))
                }
            }
        }
    }
}
