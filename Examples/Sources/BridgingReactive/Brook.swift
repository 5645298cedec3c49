// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The reactive library of the article: made up, and as small as can be.
final class Brook<Value: Sendable>: @unchecked Sendable {
    // Unchecked because the lock guards what changes.
    private let lock = NSRecursiveLock()
    private var value: Value
    private var listeners: [UUID: @Sendable (Value) -> Void] = [:]

    init(_ value: Value) {
        self.value = value
    }

    var current: Value { lock.withLock { value } }

    func emit(_ value: Value) {
        lock.withLock {
            self.value = value
            for listener in listeners.values { listener(value) }
        }
    }

    /// Calls the listener with the current value, then with every other.
    func listen(_ listener: @escaping @Sendable (Value) -> Void) -> Listening {
        let id = UUID()
        lock.withLock {
            listeners[id] = listener
            listener(value)
        }
        return Listening { [weak self] in self?.lock.withLock { self?.listeners[id] = nil } }
    }
}

/// Stops listening when it is told to.
struct Listening: Sendable {
    let stop: @Sendable () -> Void

    init(stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }
}
