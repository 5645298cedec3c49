// SPDX-License-Identifier: Apache-2.0

import Foundation
import JournalProbeModel
import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournal
import MillraceRecords
import TestSupport
import Testing

/// A program with a journal is killed at random moments and started again. `MILLRACE_JOURNAL_KILLS` is how often for each
/// level; 4 by default.
@Suite("kill -9", .timeLimit(.minutes(30)))
struct KillTests {
    private static let kills = ProcessInfo.processInfo.environment["MILLRACE_JOURNAL_KILLS"].flatMap(Int.init) ?? 4

    @Test(
        "the recovered state is a prefix with every acknowledged action; none of a lost action ran; IOs and effects ran at most once, effects that begin again at least once",
        arguments: ["process", "interval", "grouped", "every"],
        [UnfinishedEffects.forget, .restart]
    )
    func killed(level: String, effects: UnfinishedEffects) async throws {
        let folder = TemporaryFolder()
        var generator = SystemRandomNumberGenerator()
        var mains = 0
        for round in 1...Self.kills {
            var seed = UInt64.random(in: 0..<1_000_000, using: &generator)
            // Every fourth program, whose kill meets it at work, has the engine `.main`.
            if round % 4 == 2 { seed = seed / 12 * 12 + 6 }
            let (probe, output) = try start(folder, level, seed, effects)
            // Killed while it recovers, while it runs, or while a snapshot is written. Every second time it runs, however
            // busy the machine is.
            if round % 2 == 0 {
                let before = try lines(folder, "acknowledged").count
                _ = await eventually { ((try? lines(folder, "acknowledged").count) ?? 0) > before + 1 }
            }
            usleep(useconds_t.random(in: 1_000..<300_000, using: &generator))
            kill(probe.processIdentifier, SIGKILL)
            probe.waitUntilExit()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(
                probe.terminationReason == .uncaughtSignal,
                "round \(round), seed \(seed): it ended by itself: \(text)"
            )
            if text.hasPrefix("main") { mains += 1 }
            let comment = Comment(rawValue: "round \(round), level \(level), seed \(seed)")
            try await check(folder, effects, comment)
        }
        // The kills have met a program at work.
        #expect(try lines(folder, "acknowledged").count > Self.kills)
        #expect(try lines(folder, "told").count > 0)
        #expect(mains > 0 || Self.kills < 2)
        if effects != .forget { try await finish(folder) }
    }

    private func start(
        _ folder: TemporaryFolder,
        _ level: String,
        _ seed: UInt64,
        _ effects: UnfinishedEffects
    ) throws -> (Process, Pipe) {
        let probe = Process()
        probe.executableURL = Bundle.main.bundleURL.appendingPathComponent("JournalProbe")
        probe.arguments = [folder.path, level, "\(seed)", effects == .forget ? "forget" : "restart"]
        let output = Pipe()
        probe.standardOutput = output
        try probe.run()
        return (probe, output)
    }

    @Test("a second process gets an error that names the first one, and the journal as soon as that one is killed")
    func secondProcess() async throws {
        for round in 1...3 as ClosedRange<UInt64> {
            let folder = TemporaryFolder()
            let (probe, output) = try start(folder, "grouped", round, .forget)
            defer { kill(probe.processIdentifier, SIGKILL) }
            #expect(await eventually { ((try? lines(folder, "acknowledged").count) ?? 0) > 1 })
            await #expect(
                throws: JournalError.locked(path: folder.path + "/journal", process: probe.processIdentifier)
            ) { _ = try await open(folder) }
            // A third one, too: it ends with the error.
            let (other, text) = try start(folder, "grouped", round, .forget)
            other.waitUntilExit()
            let refusal = String(decoding: text.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(other.terminationReason == .exit && other.terminationStatus == 1)
            #expect(refusal.contains("process \(probe.processIdentifier)"), "\(refusal)")

            kill(probe.processIdentifier, SIGKILL)
            probe.waitUntilExit()
            _ = output
            // At once, and with everything that was acknowledged.
            let store = try await open(folder)
            let state = store.state
            #expect(try lines(folder, "acknowledged").allSatisfy { $0.1 <= state.last[$0.0, default: 0] })
            let own = JournalError.locked(
                path: folder.path + "/journal",
                process: ProcessInfo.processInfo.processIdentifier
            )
            await #expect(throws: own) { _ = try await open(folder) }
            _ = await store.shutdown()
        }
    }

    /// The journal of the program, with its snapshots, for this process.
    private func open(_ folder: TemporaryFolder) async throws -> ReduxStoreBase<Payment, Accounts> {
        try await ReduxStoreBase(
            recovering: Journal<Payment>(
                directory: folder.path + "/journal",
                codec: .bitwise(version: 1),
                segmentBytes: 1 << 18
            ),
            initialState: Accounts(),
            reducer: Accounts.paying,
            snapshots: .every(actions: 500, by: .codable(version: 1))
        )
    }

    /// Lets the effects end that had not, and looks whether each has run and answered.
    private func finish(_ folder: TemporaryFolder) async throws {
        let begun = Shared<[[Int]]>(try lines(folder, "begun").map { [$0.0, $0.1] })
        let again = Shared(0)
        let middleware = SimpleEffectMiddleware<Payment, Accounts>.onAction { payment, _, _ in
            guard payment.number % 7 == 0, payment.producer < 50 else { return .doNothing }
            return .task { _ in
                begun.update { $0.append([payment.producer, payment.number]) }
                again.update { $0 += 1 }
                return Payment(producer: 100 + payment.producer, number: payment.number, amount: 1)
            }
        }
        let journal = try Journal<Payment>(directory: folder.path + "/journal", codec: .bitwise(version: 1))
        let store = try await ReduxStoreBase(
            recovering: journal,
            initialState: Accounts(),
            reducer: Accounts.paying,
            middleware: middleware,
            snapshots: .every(actions: 500, by: .codable(version: 1)),
            effects: .restart
        )
        await store.drain()
        #expect(await eventually { journal.metrics.unfinishedEffects == 0 })
        await store.drain()
        let state = store.state
        for (producer, last) in state.last {
            for number in stride(from: 7, through: last, by: 7) {
                #expect(begun.value.contains([producer, number]), "\(producer) \(number) never ran")
                #expect(state.answers[producer]?[number] ?? 0 > 0, "the answer to \(producer) \(number) is lost")
            }
        }
        print("\(again.value) of \(begun.value.count) effects began again at the end")
        _ = await store.shutdown()
    }

    private func check(_ folder: TemporaryFolder, _ effects: UnfinishedEffects, _ comment: Comment) async throws {
        guard FileManager.default.fileExists(atPath: folder.path + "/journal") else { return }
        let journal = try Journal<Payment>(
            directory: folder.path + "/journal",
            codec: .bitwise(version: 1),
            durability: .process,
            segmentBytes: 1 << 18
        )
        // With the snapshots; the state without them is folded below.
        let store = try await ReduxStoreBase(
            recovering: journal,
            initialState: Accounts(),
            reducer: Accounts.paying,
            snapshots: .every(actions: 500, by: .codable(version: 1))
        )
        let state = store.state
        let sequence = try #require(store.recovery).lastSequence
        let folded = try await journal.state(at: sequence, initialState: Accounts(), reducer: Accounts.paying)
        #expect(state == folded, comment)
        #expect(state.count == Int(sequence) && state.misplaced == 0, comment)
        for (producer, number) in state.last {
            let mark = await store.lastNumber(of: "p\(producer)")
            #expect(mark == UInt64(number), comment)
        }
        let lost = try lines(folder, "acknowledged").filter { $0.1 > state.last[$0.0, default: 0] }
        #expect(lost.isEmpty, comment)
        for file in ["told", "begun"] {
            let done = try lines(folder, file)
            let early = done.filter { $0.1 > state.last[$0.0, default: 0] }
            #expect(early.isEmpty, comment)
            if file == "told" || effects == .forget {
                #expect(Set(done.map { [$0.0, $0.1] }).count == done.count, comment)
            }
        }
        _ = await store.shutdown()
    }

    private func lines(_ folder: TemporaryFolder, _ name: String) throws -> [(Int, Int)] {
        // Not by String(contentsOfFile:), which leaks with an empty file.
        guard let file = FileHandle(forReadingAtPath: folder.path + "/" + name), let data = try file.readToEnd()
        else { return [] }
        let text = String(decoding: data, as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
        }
    }
}
