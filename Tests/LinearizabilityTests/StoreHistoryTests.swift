// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Histories of real stores. `MILLRACE_HISTORIES` is the number for each store, `MILLRACE_SEED` the first seed.
@Suite("Linearizability of stores", .serialized, .timeLimit(.minutes(60)))
struct StoreHistoryTests {
    static let environment = ProcessInfo.processInfo.environment
    static let histories = environment["MILLRACE_HISTORIES"].flatMap { UInt64($0) } ?? (isSanitized ? 6 : 40)
    static let firstSeed = environment["MILLRACE_SEED"].flatMap { UInt64($0) } ?? 1

    @Test("every history has an order that the specification allows", arguments: StoreOptions.all)
    func linearizable(options: StoreOptions) async {
        let failure = Shared<String?>(nil)
        // A thread of its own, as the calls block.
        await elsewhere { failure.value = Self.firstFailure(options) }
        #expect(failure.value == nil)
    }

    private static func firstFailure(_ options: StoreOptions) -> String? {
        for seed in firstSeed..<firstSeed + histories {
            var random = SplitMix64(seed: seed)
            let recorder = HistoryRecorder(
                options: options,
                threads: Int.random(in: 3...4, using: &random),
                calls: Int.random(in: 4...8, using: &random)
            )
            let record = recorder.record(seed: seed, on: NumberedStore(options))
            let verdict = record.check(options.traits)
            if verdict != .linearizable { return "seed \(seed), \(options): \(verdict)\n\(record)" }
        }
        return nil
    }
}
