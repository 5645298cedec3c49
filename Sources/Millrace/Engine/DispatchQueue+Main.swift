// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension DispatchQueue {
    /// Whether the calling thread is running work of the main queue. If so, a dispatch to a store with
    /// ``StoreEngine/main`` is finished when it returns.
    ///
    /// It is false where the main thread runs a closure for the `sync` of another queue. In a program with an `async`
    /// main, it is true on any thread that serves the main queue. Reads a thread-local; no system call.
    public static var isMainQueue: Bool { QueueEngine.isOnMain }

    /// Runs a closure: at once if the caller is on the main queue, otherwise later on the main queue.
    ///
    /// ```swift
    /// DispatchQueue.asap { label.text = title }
    /// ```
    @preconcurrency
    public static func asap(_ block: @escaping @Sendable () -> Void) {
        if isMainQueue {
            block()
        } else {
            main.async(execute: block)
        }
    }
}
