// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

extension Cliff {
    /// The cost of an action of this number of bytes, from one producer thread, with engine `.thread()`.
    static var actionBytes: Cliff {
        Cliff(
            "an action of so many bytes",
            sizes: [8, 64, 256, 4_096],
            rule: .documented("copied into the queue and read from it once")
        ) { size in
            switch size {
            case 8: try await Bytes<1>.nanoseconds(actions: 1_000_000)
            case 64: try await Bytes<8>.nanoseconds(actions: 500_000)
            case 256: try await Bytes<32>.nanoseconds(actions: 200_000)
            default: try await Bytes<512>.nanoseconds(actions: 20_000)
            }
        }
    }

    /// The cost of an action that holds a value of these kinds. All actions hold the same object.
    static var actionContents: Cliff {
        Cliff(
            "an action that holds",
            sizes: [0, 1, 2, 3, 4],
            labels: ["an Int", "a String of 10 bytes", "a String of 40 bytes", "an array of 8", "a class"],
            rule: .documented("a retain by the producer and a release by the pipeline, of one shared object")
        ) { size in
            switch size {
            case 0: try await Self.nanoseconds(holding: 7)
            case 1: try await Self.nanoseconds(holding: "0123456789")
            case 2: try await Self.nanoseconds(holding: String(repeating: "0123456789", count: 4))
            case 3: try await Self.nanoseconds(holding: Array(0..<8))
            default: try await Self.nanoseconds(holding: Held())
            }
        }
    }

    private final class Held: Sendable {}

    private struct Holding<Value: Sendable>: Sendable {
        let value: Value
        let amount: Int
    }

    private static func nanoseconds<Value: Sendable>(holding value: Value) async throws -> Double {
        try await nanoseconds(Holding(value: value, amount: 1), actions: 500_000) { $0.amount }
    }

    /// Returns the nanoseconds per action of a store to which one thread dispatches the same action.
    fileprivate static func nanoseconds<Action: Sendable>(
        _ action: Action,
        actions: Int,
        amount: @escaping @Sendable (Action) -> Int
    ) async throws -> Double {
        let crew = try Crew(1)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Action, Int>.reduce { action, sum in sum &+= amount(action) },
            engine: .thread()
        )
        // The first run fills the memory that the second one uses again.
        var began: UInt64 = 0
        for _ in 0..<2 {
            began =
                crew.run { _ in
                    for _ in 0..<actions { store.dispatch(action) }
                }.began
            await store.drain()
        }
        let time = bench_now() - began
        try expect(store.state, 2 * actions * amount(action), "the sum")
        return Double(time) / Double(actions)
    }
}

/// An action of so many words.
private struct Bytes<let words: Int>: Sendable {
    var all: InlineArray<words, Int>

    @MainActor
    static func nanoseconds(actions: Int) async throws -> Double {
        try await Cliff.nanoseconds(Bytes(all: .init(repeating: 3)), actions: actions) {
            $0.all[0] &+ $0.all[words - 1]
        }
    }
}
