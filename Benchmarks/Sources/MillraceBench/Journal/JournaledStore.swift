// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Foundation
import Millrace
import MillraceEffects
import MillraceJournal
import MillraceRecords

/// An action of 64 bytes. If its first word is not 0, it wants an IO or an effect.
struct JournaledOrder: BitwiseCopyable, Sendable {
    var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 1, 2, 3, 4, 5, 6, 7)

    /// The bytes that it takes in a segment.
    static let recordBytes = 88
    /// The bytes of a frame besides its records.
    static let frameBytes = 64
}

/// The same in JSON.
struct CodableOrder: Codable, Sendable {
    var id: UInt64 = 7
    var cents: Int64 = 1_250
    var symbol = "MILL"
}

struct OrderCount: Sendable, Codable {
    var count: UInt64 = 0
}

/// The stores of the section.
@MainActor
enum JournaledStore {
    typealias Store = ReduxStoreBase<JournaledOrder, OrderCount>

    static let reducer = Reducer<JournaledOrder, OrderCount>.reduce { order, state in
        state.count &+= order.words.1
    }

    static func journal(_ path: String, _ durability: Durability) throws -> Journal<JournaledOrder> {
        try Journal(directory: path, codec: .bitwise(version: 1), durability: durability, capacity: 65_536)
    }

    /// Actions of which one in `part` begins an effect that does nothing; 0: none does.
    static func batch(_ count: Int, effectIn part: Int = 0) -> [JournaledOrder] {
        (0..<count).map { index in
            var order = JournaledOrder()
            if part > 0, index % part == 0 { order.words.0 = 1 }
            return order
        }
    }

    static func effects() -> SimpleEffectMiddleware<JournaledOrder, OrderCount> {
        .onAction { order, _, _ in order.words.0 == 0 ? .doNothing : .fireAndForget {} }
    }

    /// Dispatches so many actions, and waits until the journal has all of them; returns the nanoseconds.
    static func time(_ store: Store, _ batch: [JournaledOrder], _ operations: Int) async throws -> UInt64 {
        let start = bench_now()
        var left = operations
        while left > 0 {
            store.dispatch(contentsOf: left >= batch.count ? batch : Array(batch[..<left]))
            left -= min(left, batch.count)
        }
        try await store.journaled()
        return bench_now() - start
    }

    /// The processor time of this thread in nanoseconds.
    static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
