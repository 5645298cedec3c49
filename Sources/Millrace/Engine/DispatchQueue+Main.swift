// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension DispatchQueue {
    /// Whether the caller runs on the main queue: where a dispatch to a store with ``StoreEngine/main`` is finished when
    /// it returns.
    ///
    /// It is not where the main thread works for another queue's `sync`; it is on whatever thread serves the main queue
    /// in a program with an `async` main. A look at a thread-local, no system call.
    public static var isMainQueue: Bool { QueueEngine.isOnMain }

    /// Runs a closure: at once on the main queue, otherwise there, later.
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
