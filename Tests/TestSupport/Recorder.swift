// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps what happened, in order, from any thread.
///
/// ```swift
/// let log = Recorder<String>()
/// log.record("handle")
/// #expect(log.all == ["handle"])
/// ```
public final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// An empty record.
    public init() {}

    /// Adds to the end.
    public func record(_ element: Element) {
        elements.withLock { $0.append(element) }
    }

    /// All that was recorded.
    public var all: [Element] { elements.withLock { $0 } }

    /// How many were recorded.
    public var count: Int { elements.withLock(\.count) }

    /// Forgets everything.
    public func clear() { elements.withLock { $0 = [] } }
}

/// A value that may be read and changed from any thread.
public final class Shared<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    /// Holds a value.
    public init(_ value: Value) {
        storage = Mutex(value)
    }

    /// The value; setting it is one step, reading and then setting is not.
    public var value: Value {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }

    /// Changes the value in one step.
    public func update<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result {
        storage.withLock(body)
    }
}
