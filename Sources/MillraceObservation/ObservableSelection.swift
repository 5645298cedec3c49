// SPDX-License-Identifier: Apache-2.0

public import Observation

/// A part of the state of an ``ObservableStore``, or something computed from a part: observers of ``value`` are told when
/// that part has changed, and of nothing else.
///
/// ```swift
/// let total = store.derived(from: \.prices) { prices in prices.reduce(0, +) }
/// print(total.value)      // computed now
/// print(total.value)      // not computed again
/// ```
///
/// It keeps its store alive. The store does not keep the selection: one that is let go costs nothing any more.
@MainActor
public final class ObservableSelection<Value>: Observable {
    private let read: () -> Value

    init(_ read: @escaping () -> Value) {
        self.read = read
    }

    /// The value that belongs to the store's state. Whoever tracks this read is told when it changes.
    public var value: Value { read() }
}
