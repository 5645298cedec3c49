// SPDX-License-Identifier: Apache-2.0

import CMillrace

/// A detached thread with a name, which runs a closure once.
package final class StoreThread: Sendable {
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// False when the system has no thread to give; the closure is gone then.
    @discardableResult
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let thread = Unmanaged.passRetained(StoreThread(body))
        let result = millrace_thread_start(
            name,
            { context in Unmanaged<StoreThread>.fromOpaque(context!).takeRetainedValue().body() },
            thread.toOpaque()
        )
        guard result == MILLRACE_OK else {
            thread.release()
            return false
        }
        return true
    }
}
