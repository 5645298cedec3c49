// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore

/// A thread of a simulated world. It runs while it has the token, and hands the token back at each step.
final class WorldThread: @unchecked Sendable {
    // Unchecked because everything belongs to the holder of the world's token; the semaphores hand the token over.

    /// What a thread waits for.
    struct Wait {
        let reason: String
        let isOver: () -> Bool
        /// The time at which the wait ends in any case.
        let end: UInt64
    }

    enum Role {
        /// Of the scenario.
        case user
        /// Serves others, so that a run may end although it waits.
        case service
        /// Runs one step of something else, which may block.
        case step
    }

    let number: UInt64
    let name: String
    let role: Role
    private var body: (@Sendable () throws -> Void)?
    private let go = Semaphore()
    private let back: Semaphore
    private var hasBegun = false
    private(set) var isEnded = false
    private(set) var error: String?
    /// Why the thread gave the token back.
    private(set) var reason = "begins"
    /// What the thread waits for; nil if it can run.
    var wait: Wait?
    /// Whether the thread gave the token back inside a read section, and how often it gave it back outside of one.
    private(set) var isReading = false
    private(set) var timesOutside: UInt64 = 0

    init(
        _ number: UInt64,
        _ name: String,
        _ role: Role,
        back: Semaphore,
        _ body: @escaping @Sendable () throws -> Void
    ) {
        self.number = number
        self.role = role
        self.name = name
        self.back = back
        self.body = body
    }

    /// Gives the token to this thread, and waits until it gives the token back. Called by the thread that runs the
    /// world.
    func run(_ scheduler: Scheduler, _ hold: @escaping @Sendable () -> Void) {
        if hasBegun {
            go.signal()
        } else {
            hasBegun = true
            ThreadPool.run { [self] in
                hold()
                scheduler.processor.stay()
                OutsideWatch.begin()
                if role != .step { scheduler.watchThread() }
                do { try body?() } catch { self.error = "\(error)" }
                // Releases the captures of the closure as a part of the last step.
                body = nil
                Scheduler.leaveThread()
                OutsideWatch.end()
                isEnded = true
                isReading = false
                timesOutside += 1
                reason = "ends"
                back.signal()
            }
        }
        back.wait()
    }

    /// Gives the token back, and waits until the token is given to this thread again. Called by this thread.
    func handBack(_ reason: String) {
        self.reason = reason
        isReading = ReadSection.isOngoing
        if !isReading { timesOutside += 1 }
        back.signal()
        go.wait()
    }
}

/// Threads of the system that run the threads of worlds, one after another. They are kept for the next world.
private enum ThreadPool {
    private final class Worker: @unchecked Sendable {
        // Unchecked because `work` is handed over by the semaphore.
        let go = Semaphore()
        var work: (@Sendable () -> Void)?
    }

    private static let idle = Locked<[Worker]>([])

    static func run(_ work: @escaping @Sendable () -> Void) {
        let worker = idle.withLock { $0.popLast() } ?? make()
        worker.work = work
        worker.go.signal()
    }

    private static func make() -> Worker {
        let worker = Worker()
        let isStarted = StoreThread.start(name: "millrace-world") {
            while true {
                worker.go.wait()
                let work = worker.work
                worker.work = nil
                work?()
                idle.withLock { $0.append(worker) }
            }
        }
        precondition(isStarted, "the system cannot start a thread for a simulated world: it has reached a limit")
        return worker
    }
}
