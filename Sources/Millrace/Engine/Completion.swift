// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore

/// An event that happens once. Tasks wait for it, up to a deadline.
final class Completion: Sendable {
    private struct Waiting {
        var isDone = false
        var tasks: [UInt64: Resumption<Bool>] = [:]
        var nextID: UInt64 = 0
    }

    private let waiting = Locked(Waiting())
    private let happened = Latch()
    private let world: (any StoreWorld)?

    init(_ world: (any StoreWorld)? = nil) {
        self.world = world
    }

    /// Makes the event happen. Later calls do nothing.
    func complete() {
        let tasks = waiting.withLock { waiting in
            waiting.isDone = true
            defer { waiting.tasks = [:] }
            // In the order in which they came, so that a run can be repeated.
            return waiting.tasks.sorted { $0.key < $1.key }.map(\.value)
        }
        happened.open()
        for task in tasks { task.resume(returning: true) }
    }

    /// Suspends until the event happens.
    func wait() async { _ = await wait(atMost: nil) }

    /// Suspends until the event happens, at most for `limit`. Returns whether it happened. Blocks no thread. Cancelling
    /// the task does not end the wait.
    func wait(atMost limit: Duration?) async -> Bool {
        await suspend { task in
            let id: UInt64? = waiting.withLock { waiting in
                guard !waiting.isDone else { return nil }
                defer { waiting.nextID += 1 }
                waiting.tasks[waiting.nextID] = task
                return waiting.nextID
            }
            guard let id else { return task.resume(returning: true) }
            guard let limit else { return }
            if let world { return world.after(limit, "deadline") { self.giveUp(id) } }
            // A thread of its own: the thread pools of tasks and of libdispatch may be blocked.
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
    /// The duration in nanoseconds: 0 for a negative duration, at most 95 years.
    package var nanosecondsClamped: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        return UInt64(min(seconds, 3_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// The duration for libdispatch, with the same limits. Whole seconds above a million seconds.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return .nanoseconds(0) }
        if seconds > 3_000_000_000 { return .seconds(3_000_000_000) }
        if seconds > 1_000_000 { return .seconds(Int(seconds)) }
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
