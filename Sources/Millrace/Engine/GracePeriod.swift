// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import MillraceCore

/// Calls back when every read section of the process that is open now has ended. Only one thread blocks for this: all
/// stores share it, and it exists only while callbacks wait.
enum GracePeriod {
    private struct Waiting {
        var bodies: [@Sendable () -> Void] = []
        var hasThread = false
    }

    private static let waiting = Locked(Waiting())

    /// Any thread, also inside a read section. `body` runs on the shared thread and must not block.
    static func after(_ body: @escaping @Sendable () -> Void) {
        let hasThread = waiting.withLock { waiting in
            waiting.bodies.append(body)
            defer { waiting.hasThread = true }
            return waiting.hasThread
        }
        guard !hasThread, !StoreThread.start(name: "millrace-grace", run) else { return }
        // The thread could not be started: a dispatch queue runs it when the system has a thread.
        DispatchQueue.global().async(execute: run)
    }

    @Sendable
    private static func run() {
        while let bodies = next() {
            millrace_wait_for_readers()
            for body in bodies { body() }
        }
    }

    /// Takes all callbacks that wait. Nil: there are none, and the thread ends.
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
