// SPDX-License-Identifier: Apache-2.0

/// A named, detached thread that runs a closure once.
package final class StoreThread: Sendable {
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Starts the thread. Returns false when the system cannot start one; the closure is then released without a call.
    @discardableResult
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let thread = Unmanaged.passRetained(StoreThread(body))
        let isStarted = System.startThread(name, thread.toOpaque()) { context in
            Unmanaged<StoreThread>.fromOpaque(context!).takeRetainedValue().body()
        }
        if !isStarted { thread.release() }
        return isStarted
    }
}
