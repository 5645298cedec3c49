// SPDX-License-Identifier: Apache-2.0

import CBenchCrew

/// When actions are due.
struct Timetable: Sendable {
    let rate: Int
    let count: Int

    func run(_ body: (_ number: Int, _ due: UInt64) -> Void) {
        let start = bench_now() + 1_000_000
        for number in 0..<count {
            let due = start + UInt64(number * (1_000_000_000 / rate))
            // A fast rate leaves no time to sleep, a slow one would measure the sleep.
            while bench_now() < due { bench_pause() }
            body(number, due)
        }
    }
}
