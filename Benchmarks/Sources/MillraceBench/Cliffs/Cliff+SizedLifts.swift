// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

extension Cliff {
    /// The cost of an action whose lifted middlewares read their part of this number of elements, for each of 1, 3 and
    /// 8 middlewares, and each lift.
    static var sizedLifts: [Cliff] {
        SizedLift.allCases.flatMap { lift in
            [1, 3, 8].map { count in
                Cliff(
                    "lifted by \(lift.rawValue), \(count) middleware\(count == 1 ? "" : "s"), for each: elements of the part",
                    sizes: [10, 10_000, 1_000_000],
                    runs: 3,
                    rule: lift == .computed ? .documented("computes the copy at each read") : .flat(atMost: 3)
                ) { size in try nanoseconds(lift, middlewares: count, elements: size) / Double(count) }
            }
        }
    }

    private static func nanoseconds(_ lift: SizedLift, middlewares count: Int, elements size: Int) throws -> Double {
        let sum = Counter()
        let store = lift.store(elements: size, middlewares: count, sum)
        let actions = lift == .computed ? max(2, min(1_000, 10_000_000 / size / count)) : 2_000
        // The first actions make the containers the store's own, and touch the memory.
        for entry in 0..<10 { store.dispatch(lift.action(entry)) }
        let start = bench_thread_time()
        for index in 0..<actions { store.dispatch(lift.action(index % 10)) }
        let time = bench_thread_time() - start
        try expect(sum.count, 2 * size * (actions + 10) * count, "entries read")
        return Double(time) / Double(actions)
    }
}
