// SPDX-License-Identifier: Apache-2.0

import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

/// Failures are final: after a failed write or sync nothing is acknowledged; a full disk is waited for.
@Suite struct FaultTests {
    /// Ten groups, with a snapshot and rotations; returns the last sequence that was acknowledged.
    private func work(_ disk: PowerCutDisk, _ account: inout Account, again: Bool) throws {
        var writer = try open(disk.folder).write()
        func insist<Result>(_ body: () throws -> Result) throws -> Result {
            do {
                return try body()
            } catch JournalError.full where again {
                disk.fault = nil
                return try body()
            }
        }
        for number in 1...10 as ClosedRange<UInt64> {
            _ = try writer.append(number * 3)
            account.add(number * 3)
            let before = account.acknowledged
            do {
                _ = try insist { try writer.write() }
                account.acknowledged = try insist { try writer.sync() }
            } catch JournalError.full {
                throw JournalError.closed(path: "")
            } catch {
                // The first error is final, although the disk works again.
                disk.fault = nil
                #expect(writer.failure != nil)
                #expect(throws: JournalError.self) { try writer.sync() }
                #expect(throws: JournalError.self) { try writer.write() }
                #expect(throws: JournalError.self) { try writer.confirm() }
                #expect(writer.syncedThrough <= max(before, number))
                throw error
            }
            if number == 5 {
                let snapshots = SnapshotFolder(disk.folder, journal: writer.journal, epoch: writer.epoch)
                try insist {
                    try snapshots.write(
                        account.folds[5],
                        at: 5,
                        by: folds,
                        records: [.mark(producer: "p", number: 5)],
                        syncedThrough: writer.syncedThrough
                    )
                }
            }
        }
        try insist { try writer.close() }
    }

    /// At each call in turn the disk fails once, or is full once.
    @Test(arguments: [PowerCutDisk.Fault.failure, .full]) func eachCallInTurn(fault: PowerCutDisk.Fault) throws {
        var call = 1
        while true {
            for (isLasting, isPowerCut) in [(false, true), (false, false), (true, true)] {
                let disk = PowerCutDisk(seed: UInt64(call))
                disk.fault = (call, fault, isLasting)
                var account = Account()
                let result = Result { try work(disk, &account, again: true) }
                disk.fault = nil
                if disk.calls < call {
                    // Nothing went wrong: the work has fewer calls.
                    _ = try result.get()
                    return
                }
                if case .failure(let error) = result { #expect(error is JournalError, "call \(call): \(error)") }
                isPowerCut ? disk.restart() : disk.kill()
                let opened = try open(disk.folder)
                let failure = account.check(opened.fold)
                #expect(failure == nil, "call \(call)")
                // What a failed sync has lost in silence must not be missed after the next power cut.
                var writer = try opened.write()
                let more = account.folds.count
                _ = try writer.append(1)
                account.add(1)
                try writer.write()
                account.acknowledged = try writer.sync()
                #expect(account.acknowledged == UInt64(more))
                disk.restart()
                let last = account.check(try open(disk.folder).fold)
                #expect(last == nil, "call \(call), later")
            }
            call += 1
        }
    }

    @Test func aFullDiskIsWaitedFor() throws {
        let disk = PowerCutDisk(seed: 1)
        var writer = try open(disk.folder).write()
        _ = try writer.append(1)
        try writer.write()
        _ = try writer.append(2)
        disk.fault = (disk.calls + 1, .full, true)
        for _ in 0..<3 {
            #expect { try writer.write() } throws: { if case JournalError.full = $0 { true } else { false } }
            #expect { try writer.sync() } throws: { if case JournalError.full = $0 { true } else { false } }
        }
        #expect(writer.writtenThrough == 1)
        disk.fault = nil
        #expect(try writer.sync() == 2)
        disk.restart()
        #expect(try open(disk.folder).fold.count == 2)
    }

}
