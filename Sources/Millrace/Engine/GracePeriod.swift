// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore

/// Calls closures when every read section of the process that is open now has ended. All stores share one thread that
/// blocks for this. The thread exists only while closures wait.
enum GracePeriod {
    private struct Waiting {
        var bodies: [@Sendable () -> Void] = []
        var hasThread = false
    }

    private static let waiting = Locked(Waiting())

    /// Calls `body` after a grace period, on the shared thread; `body` must not block. Any thread may call this, also
    /// inside a read section.
    static func after(_ body: @escaping @Sendable () -> Void) {
        let hasThread = waiting.withLock { waiting in
            waiting.bodies.append(body)
            defer { waiting.hasThread = true }
            return waiting.hasThread
        }
        guard !hasThread, !StoreThread.start(name: "millrace-grace", run) else { return }
        // The thread could not be started. A dispatch queue runs the closures when the system has a thread.
        DispatchQueue.global().async(execute: run)
    }

    @Sendable
    private static func run() {
        while let bodies = next() {
            ReadSection.waitForReaders()
            for body in bodies { body() }
        }
    }

    /// Returns all closures that wait, and removes them. Nil: there are none, and the thread ends.
    private static func next() -> [@Sendable () -> Void]? {
        waiting.withLock { waiting in
            guard !waiting.bodies.isEmpty else {
                waiting.hasThread = false
                return nil
            }
            defer { waiting.bodies = [] }
            return waiting.bodies
        }
    }
}
