// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that may be read and changed from any thread.
///
/// ```swift
/// let counter = Shared(0)
/// counter.update { $0 += 1 }
/// ```
public final class Shared<Value: Sendable>: @unchecked Sendable {
    // Unchecked: `storage` is only touched with the lock. An NSLock and not a Mutex, which ThreadSanitizer cannot see.
    private let lock = NSLock()
    private var storage: Value

    /// Holds a value.
    public init(_ value: Value) {
        storage = value
    }

    /// The value; setting it is one step, reading and then setting is not.
    public var value: Value {
        get { update { $0 } }
        set { update { $0 = newValue } }
    }

    /// Changes the value in one step.
    public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&storage) }
    }
}
