// SPDX-License-Identifier: Apache-2.0

import CBenchCrew

/// One run of an open loop: a producer that keeps to a timetable, and a consumer. It records how late each action is, and
/// each time in which one of the two threads had work and did not go on.
final class OpenLoop: @unchecked Sendable {
    // Unchecked because only the producer changes `sent` and `producer`, and only the consumer `log` and `consumer`. The
    // consumer reads a time in `sent` after the action came through the queue. The rest is read after both have ended.
    let timetable: Timetable
    private let sent: UnsafeMutableBufferPointer<UInt64>
    private let log: LatencyLog
    private var producer = ThreadStalls()
    private var consumer = ThreadStalls()
    private var number = 0
    private var lastReduced: UInt64 = 0

    init(_ timetable: Timetable) {
        self.timetable = timetable
        log = LatencyLog(capacity: timetable.count)
        sent = .allocate(capacity: timetable.count)
        // Writes to each page now. Otherwise its first use would be part of a latency.
        sent.initialize(repeating: 0)
    }

    deinit { sent.deallocate() }

    /// How late each action was reduced, in nanoseconds.
    var latencies: [UInt64] { log.all }

    /// What stopped the two threads.
    var stalls: Stalls { Stalls(of: [producer, consumer], timetable) }

    /// Runs the producer: sends each action when it is due.
    func produce(_ send: (_ number: Int, _ due: UInt64) -> Void) {
        producer.begin()
        var last = bench_now()
        timetable.run { number, due in
            send(number, due)
        } reading: { number, now in
            producer.add(from: last, to: now)
            last = now
            if let number { sent[number] = now }
        }
        producer.end()
    }

    /// Records that the consumer has reduced the action that was due at this time.
    func reduced(_ due: UInt64) {
        guard number < timetable.count else { return }
        let now = bench_now()
        log.add(now &- due)
        consumer.add(from: max(lastReduced, sent[number]), to: now)
        lastReduced = now
        // After the first latency, because it reads a file.
        if number == 0 { consumer.begin() }
        number += 1
        if number == timetable.count { consumer.end() }
    }
}
