// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceLogging

extension Cliff {
    /// The time that the formatting queue needs for one changed element of an array. The two arrays share no storage,
    /// like the states before and after a change. Both are read once, at the speed of memory, so for large arrays the
    /// time grows with their size.
    static var recursiveDiff: Cliff {
        Cliff(
            "recursive diff, one change in [Int]",
            sizes: [100, 10_000, 100_000],
            rule: .flat(atMost: 20)
        ) { size in
            let before = Array(0..<size)
            var after = before
            after[size * 7 / 10] = -1
            let rounds = 200
            var begin = timespec(), end = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
            var told = 0
            for _ in 0..<rounds {
                let text = LoggerMiddleware<Void, [Int]>
                    .recursiveDiff(prefixLines: "", stateName: "S", spelling: .indexed, before: before, after: after)
                told += text == "S[\(size * 7 / 10)]: \(size * 7 / 10) → -1" ? 1 : 0
            }
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
            guard told == rounds else {
                throw BenchmarkError.wrongResult(
                    contender: "recursive diff",
                    expected: "\(rounds) lines",
                    found: "\(told)"
                )
            }
            let time = (end.tv_sec - begin.tv_sec) * 1_000_000_000 + end.tv_nsec - begin.tv_nsec
            return Double(time) / Double(rounds)
        }
    }
}
