// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore

/// Calls closures when every read section of the process that is open now has ended. All stores share one thread that
/// blocks for this. The thread exists only while closures wait.
enum GracePeriod {
    private struct Waiting {
        var bodies: [@Sendable () -> Void] = []
        /// The process whose thread runs; nil: there is no thread. A child of fork does not have its parent's.
        var threadOf: UInt64?
    }

    private static let waiting = Locked(Waiting())

    /// Calls `body` after a grace period, on the shared thread; `body` must not block. Any thread may call this, also
    /// inside a read section.
    static func after(_ body: @escaping @Sendable () -> Void) {
        let hasThread = waiting.withLock { waiting in
            let process = System.processGeneration
            // Those of the parent are about the parent's stores, and its own thread calls them.
            if let owner = waiting.threadOf, owner != process { waiting.bodies = [] }
            waiting.bodies.append(body)
            defer { waiting.threadOf = process }
            return waiting.threadOf == process
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
                waiting.threadOf = nil
                return nil
            }
            defer { waiting.bodies = [] }
            return waiting.bodies
        }
    }
}
