// SPDX-License-Identifier: Apache-2.0

import CBenchCrew

/// The times at which actions are due.
struct Timetable: Sendable {
    let rate: Int
    let count: Int

    func run(_ body: (_ number: Int, _ due: UInt64) -> Void) { run(body) { _, _ in } }

    /// Calls `reading` for each reading of the clock, with the number of the action that is due now, or nil.
    func run(
        _ body: (_ number: Int, _ due: UInt64) -> Void,
        reading: (_ number: Int?, _ now: UInt64) -> Void
    ) {
        let start = bench_now() + 1_000_000
        for number in 0..<count {
            let due = start + UInt64(number * (1_000_000_000 / rate))
            // At a fast rate there is no time to sleep. At a slow rate the latency would include the time to wake up.
            var now = bench_now()
            while now < due {
                reading(nil, now)
                bench_pause()
                now = bench_now()
            }
            reading(number, now)
            body(number, due)
        }
    }
}
