// SPDX-License-Identifier: Apache-2.0

public import Observation

/// A part of the state of an ``ObservableStore``, or a value computed from a part. Observers of ``value`` are notified
/// only when that part changes.
///
/// ```swift
/// let total = store.derived(from: \.prices) { prices in prices.reduce(0, +) }
/// print(total.value)      // computed now
/// print(total.value)      // not computed again
/// ```
///
/// A selection keeps its ``ObservableStore`` alive. The store does not keep the selection alive: after its release a
/// selection costs nothing.
@MainActor
public final class ObservableSelection<Value>: Observable {
    private let read: () -> Value

    init(_ read: @escaping () -> Value) {
        self.read = read
    }

    /// The value that belongs to the current state. An observer of this read is notified when the value changes.
    public var value: Value { read() }
}
