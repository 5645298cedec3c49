// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore

/// One event that comes once, and tasks that wait for it up to a deadline.
final class Completion: Sendable {
    private struct Waiting {
        var isDone = false
        var tasks: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        var nextID: UInt64 = 0
    }

    private let waiting = Locked(Waiting())
    private let happened = Latch()

    /// The event. Later calls do nothing.
    func complete() {
        let tasks = waiting.withLock { waiting in
            waiting.isDone = true
            defer { waiting.tasks = [:] }
            return waiting.tasks.values
        }
        happened.open()
        for task in tasks { task.resume(returning: true) }
    }

    /// Suspends until the event.
    func wait() async { _ = await wait(atMost: nil) }

    /// Suspends until the event, or so long. Returns whether it came. Blocks no thread, and goes on when the task is
    /// cancelled.
    func wait(atMost limit: Duration?) async -> Bool {
        await withCheckedContinuation { task in
            let id: UInt64? = waiting.withLock { waiting in
                guard !waiting.isDone else { return nil }
                defer { waiting.nextID += 1 }
                waiting.tasks[waiting.nextID] = task
                return waiting.nextID
            }
            guard let id else { return task.resume(returning: true) }
            guard let limit else { return }
            // A thread of its own: the pools of tasks and of libdispatch may be what is stuck.
            let isTimed = StoreThread.start(name: "millrace-limit") {
                self.happened.wait(nanoseconds: limit.nanosecondsClamped)
                self.giveUp(id)
            }
            if !isTimed {
                DispatchQueue.global().asyncAfter(deadline: .now() + limit.dispatchInterval) { self.giveUp(id) }
            }
        }
    }

    private func giveUp(_ id: UInt64) {
        waiting.withLock { $0.tasks.removeValue(forKey: id) }?.resume(returning: false)
    }
}

extension Duration {
    /// The nanoseconds; of a negative duration 0, of one above 95 years those of 95 years.
    package var nanosecondsClamped: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        return UInt64(min(seconds, 3_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// The same for libdispatch, with the same limits.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return .nanoseconds(0) }
        if seconds > 3_000_000_000 { return .seconds(3_000_000_000) }
        if seconds > 1_000_000 { return .seconds(Int(seconds)) }
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
