// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

/// Prefix, torn tails and damage: after any crash the journal holds a prefix of what it was given, with all that was acknowledged.
@Suite struct PowerCutTests {
    /// With `MILLRACE_JOURNAL_SCHEDULES=10000` in the environment as many.
    static let schedules = ProcessInfo.processInfo.environment["MILLRACE_JOURNAL_SCHEDULES"].flatMap(Int.init) ?? 2000
    static let first = ProcessInfo.processInfo.environment["MILLRACE_JOURNAL_SEED"].flatMap(UInt64.init) ?? 1

    /// Four parts, so that they run beside one another.
    @Test(arguments: 0..<4) func aPrefixWithAllThatWasAcknowledged(part: Int) {
        for index in stride(from: part, to: Self.schedules, by: 4) {
            let seed = Self.first &+ UInt64(index)
            var schedule = Schedule(seed: seed)
            if let failure = schedule.run() {
                Issue.record("seed \(seed): \(failure). Repeat it with MILLRACE_JOURNAL_SEED=\(seed)")
                return
            }
        }
    }
}

/// Some lives of a program with a journal, each of which ends by a power cut, a kill, a failure of the disk or a close.
struct Schedule {
    var random: SplitMix64
    let disk: PowerCutDisk
    var account = Account()

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        disk = PowerCutDisk(seed: seed &* 31)
    }

    /// Runs it; returns what is wrong, or nil.
    mutating func run() -> String? {
        for _ in 0..<Int.random(in: 2...5, using: &random) {
            // A short time to the fault cuts a recovery short.
            let span = [12, 40, 80].randomElement(using: &random)!
            let call = disk.calls + Int.random(in: 1...span, using: &random)
            let what: PowerCutDisk.Fault = [.cut, .cut, .cut, .failure, .full].randomElement(using: &random)!
            disk.fault = (call, what, false)
            if let failure = live() { return failure }
            if Int.random(in: 0..<4, using: &random) == 0 { disk.kill() } else { disk.restart() }
        }
        disk.fault = nil
        return live()
    }

    private var hasFailed: Bool { disk.isOff || (disk.fault.map { disk.calls >= $0.call } ?? false) }

    private mutating func live() -> String? {
        do {
            let opened = try open(disk.folder)
            if let failure = account.check(opened.fold) { return failure }
            var writer = try opened.write()
            for _ in 0..<Int.random(in: 1...12, using: &random) { try step(&writer) }
            if Bool.random(using: &random) {
                try writer.close()
                account.acknowledged = max(account.acknowledged, writer.syncedThrough)
            }
            return nil
        } catch {
            return hasFailed ? nil : "a refused start or a needless error: \(error)"
        }
    }

    private mutating func step(_ writer: inout JournalWriter<PowerCutFolder>) throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...6:
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let number = random.next() % 1000
                _ = try writer.append(number)
                account.add(number)
            }
            _ = try again { try writer.write() }
        case 7...8:
            account.acknowledged = max(account.acknowledged, try again { try writer.sync() })
        default:
            let sequence = writer.syncedThrough
            let fold = account.folds[Int(sequence)]
            let snapshots = SnapshotFolder(disk.folder, journal: writer.journal, epoch: writer.epoch)
            try snapshots.write(
                fold,
                at: sequence,
                by: folds,
                records: [.mark(producer: "p", number: fold.mark)],
                syncedThrough: sequence
            )
            if Bool.random(using: &random) { try snapshots.retain(removingSegments: true) }
        }
    }

    /// A full disk is no failure: the same call is made again.
    private func again<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch JournalError.full { return try body() }
    }
}
