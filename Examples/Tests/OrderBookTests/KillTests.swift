// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceRecords
import OrderBookModel
import Testing

private let kills = ProcessInfo.processInfo.environment["MILLRACE_BOOK_KILLS"].flatMap(Int.init) ?? 6

/// The program is killed at random moments, and goes on with the same command. `MILLRACE_BOOK_KILLS` is how often; 6 by
/// default.
@Suite("kill -9", .timeLimit(.minutes(5 + kills)))
struct KillTests {
    /// More for more kills, so that later kills still meet a program at work.
    private static let events = max(200_000, 33_000 * kills)
    private static let seed = Int.random(in: 0..<1_000_000)

    private func start(_ folder: Folder, order: String = "internalFirst") throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("OrderBook")
        process.arguments = [
            "--events", "\(Self.events)", "--seed", "\(Self.seed)", "--order", order, "--journal",
            folder.path + "/book",
            "--durability", "grouped",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    /// The text of a run that nobody kills.
    private func whole(_ folder: Folder, order: String = "internalFirst") throws -> String {
        let (process, output) = try start(folder, order: order)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        return text
    }

    private func hash(_ text: String) -> Substring? {
        text.split(separator: "\n").last.flatMap { $0.hasPrefix("hash ") ? $0.dropFirst(5) : nil }
    }

    /// Kills runs at random moments. Returns how many of them were at work.
    private func killRuns(in folder: Folder, order: String = "internalFirst") async throws -> Int {
        var hits = 0
        for round in 1...kills {
            let (process, output) = try start(folder, order: order)
            // Every second time it is killed when the journal is there, however busy the machine is.
            if round % 2 == 0 {
                while process.isRunning, lines(folder.path + "/book/audit").isEmpty { usleep(5_000) }
            }
            usleep(useconds_t.random(in: 1_000..<150_000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            _ = output.fileHandleForReading.readDataToEndOfFile()
            if process.terminationReason == .uncaughtSignal { hits += 1 }
            try await checkTrail(folder, "kill \(round), seed \(Self.seed)")
        }
        return hits
    }

    /// Each key at most once, and no line of an action that the journal does not have.
    private func checkTrail(_ folder: Folder, _ comment: Comment) async throws {
        let trail = lines(folder.path + "/book/audit")
        let keys = trail.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        #expect(Set(keys).count == keys.count, comment)
        guard FileManager.default.fileExists(atPath: folder.path + "/book/journal") else { return }
        let journal = try Journal<OrderAction>(directory: folder.path + "/book/journal", codec: .bitwise(version: 1))
        var known: Set<String> = []
        for try await entry in journal.entries(from: 1) {
            if let line = AuditTrail.line(of: entry.action) { known.insert(line) }
        }
        #expect(trail.filter { !known.contains($0) } == [], comment)
    }

    @Test("the books, and the audit trail, are those of a run that nobody has killed")
    func killed() async throws {
        let (calm, folder) = (try Folder(), try Folder())
        let expected = try #require(hash(try whole(calm)))
        let hits = try await killRuns(in: folder)
        #expect(hash(try whole(folder)) == expected, "seed \(Self.seed)")
        try await checkTrail(folder, "the end, seed \(Self.seed)")
        #expect(hits > 0, "no kill met a program at work")
        // A report that was lost in a crash is made again. Its line is lost only if the kill came between the journal and
        // the file.
        let (all, trail) = (Set(lines(calm.path + "/book/audit")), Set(lines(folder.path + "/book/audit")))
        #expect(trail.isSubset(of: all), "seed \(Self.seed): \(trail.subtracting(all))")
        #expect(all.count > 8)
        #expect(all.subtracting(trail).count <= hits, "seed \(Self.seed): \(all.subtracting(trail))")
    }

    @Test("with fifo and held work no line is of a lost action, and each key is there once")
    func killedFifo() async throws {
        let folder = try Folder()
        let hits = try await killRuns(in: folder, order: "fifo")
        #expect(hits > 0, "no kill met a program at work")
        _ = try whole(folder, order: "fifo")
        try await checkTrail(folder, "the end, seed \(Self.seed)")
    }
}
