// SPDX-License-Identifier: Apache-2.0

import CMallocCount
import Dispatch
import MillraceEffects

extension Cliff {
    /// The cost of an action that adds a key in the middle, or removes that key again.
    static var supervisedKeyAdded: Cliff {
        Cliff(
            "supervised keys, one added",
            sizes: [10, 1_000, 10_000],
            rule: .documented("a comparison for each key: SupervisingMiddleware, each:")
        ) { size in
            try SupervisedRooms(size).nanoseconds(
                actions: max(20, 200_000 / size),
                mallocsAnAction: .infinity
            ) { rooms, number in
                if number.isMultiple(of: 2) { rooms.insert(-1, at: size / 2) } else { rooms.remove(at: size / 2) }
            }
        }
    }

    /// The cost of an action that does not change the keys.
    static var supervisedKeysKept: Cliff {
        Cliff("supervised keys, none changed", sizes: [10, 1_000, 10_000], rule: .flat(atMost: 3)) { size in
            try SupervisedRooms(size).nanoseconds(actions: 200_000, mallocsAnAction: 0) { _, _ in }
        }
    }

    /// The cost of `cancel(where:)`: the predicate is called for every running effect, and selects one.
    static var cancelWhere: Cliff {
        Cliff(
            "cancel(where:), in flight",
            sizes: [100, 10_000, 100_000],
            rule: .documented("looks at every effect under way: cancel(where:), toCancel(where:)")
        ) { size in
            let middleware = SimpleEffectMiddleware<Int, Int>.onAction { number, _, _ in
                NumberEffect { _, _ in }.withToken(number)
            }.bound(to: { 0 })
            let output = AnyActionHandler<Int> { _ in }
            for number in 0..<size { EffectLoop.act(middleware, number, { 0 }, output) }
            let rounds = min(size / 2, max(3, 100_000 / size))
            let start = DispatchTime.now().uptimeNanoseconds
            for round in 0..<rounds { middleware.cancel { $0.token == AnyHashable(round) } }
            let time = DispatchTime.now().uptimeNanoseconds - start
            guard middleware.runningEffects == size - rounds else {
                throw BenchmarkError.wrongResult(
                    contender: "cancel(where:)",
                    expected: "\(size - rounds)",
                    found: "\(middleware.runningEffects)"
                )
            }
            return Double(time) / Double(rounds)
        }
    }
}

/// A state with numbers and a supervised effect for each number. It runs actions as a store does.
@MainActor
private struct SupervisedRooms {
    private let size: Int

    init(_ size: Int) {
        self.size = size
    }

    func nanoseconds(
        actions: Int,
        mallocsAnAction most: Double,
        _ change: (inout [Int], Int) -> Void
    ) throws -> Double {
        let rooms = Rooms(size)
        let read: GetState<[Int]> = { rooms.numbers }
        let middleware = SimpleEffectMiddleware<Int, [Int]>.supervise(each: { $0 }, key: { $0 }, definition: { $0 }) {
            _ in
            NumberEffect { _, _ in }
        }.bound(to: read)
        let output = AnyActionHandler<Int> { _ in }
        EffectLoop.act(middleware, 0, read, output)
        malloc_count_start()
        let start = DispatchTime.now().uptimeNanoseconds
        for number in 0..<actions {
            change(&rooms.numbers, number)
            EffectLoop.act(middleware, number, read, output)
        }
        let time = DispatchTime.now().uptimeNanoseconds - start
        let mallocs = Double(malloc_count_stop())
        // Other code in the process may allocate now and then.
        guard middleware.runningEffects == rooms.numbers.count, mallocs <= most * Double(actions) + 100 else {
            throw BenchmarkError.wrongResult(
                contender: "supervised keys",
                expected: "\(rooms.numbers.count) effects and at most \(most) allocations an action",
                found: "\(middleware.runningEffects), \(mallocs / Double(actions))"
            )
        }
        return Double(time) / Double(actions)
    }
}

private final class Rooms: @unchecked Sendable {
    // Unchecked because only the thread that calls the middleware uses it.
    var numbers: [Int]

    init(_ size: Int) {
        numbers = Array(0..<size)
    }
}
