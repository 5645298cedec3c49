// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The two closures by which the pipeline uses a subject of any library.
package struct Subject<Value> {
    package let read: () -> Value
    let push: (Value) -> Void

    /// Creates a subject with a value of this module.
    package init(_ current: CurrentValue<Value>) {
        read = { current.read() }
        push = { current.push($0) }
    }

    func mutate(_ change: (inout Value) -> Void) {
        var value = read()
        change(&value)
        push(value)
    }
}

/// A value that a lock guards, and the observers that are called when it is replaced.
package final class CurrentValue<Value>: @unchecked Sendable {
    // Unchecked because both properties are used only under the lock.
    private let lock = NSLock()
    private var value: Value
    private var observers: [(Value) -> Void] = []

    package init(_ value: Value) {
        self.value = value
    }

    func read() -> Value {
        lock.lock()
        defer { lock.unlock() }
        return value
    }

    func push(_ value: Value) {
        lock.lock()
        self.value = value
        let observers = observers
        lock.unlock()
        for observer in observers { observer(value) }
    }

    package func observe(_ observer: @escaping (Value) -> Void) {
        lock.lock()
        observers.append(observer)
        lock.unlock()
    }
}
