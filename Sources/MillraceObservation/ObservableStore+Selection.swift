// SPDX-License-Identifier: Apache-2.0

extension ObservableStore {
    /// Returns a part of the state. Its value changes when the new part is not a duplicate of the current one.
    ///
    /// ```swift
    /// let nearest = model.select({ $0.position }, removeDuplicates: { abs($0 - $1) < 0.1 })
    /// ```
    ///
    /// - Parameters:
    ///   - select: A closure that returns the part. Called on the main actor, once for each state and once in this
    ///     call.
    ///   - isDuplicate: A closure that gets the current value and the part of the new state. If it returns true, the
    ///     value stays.
    public func select<Value>(
        _ select: @escaping (ViewState) -> Value,
        removeDuplicates isDuplicate: @escaping (Value, Value) -> Bool
    ) -> ObservableSelection<Value> {
        follow(select, isDuplicate) { $0 }
    }

    /// Returns a part of the state. Its value changes when the new part is not equal to the current one.
    ///
    /// ```swift
    /// let isEmpty = model.select { $0.items.isEmpty }
    /// ```
    public func select<Value: Equatable>(_ select: @escaping (ViewState) -> Value) -> ObservableSelection<Value> {
        follow(select, { $0 == $1 }) { $0 }
    }

    /// Returns a value that is computed from a part of the state, at the first read after that part has changed.
    ///
    /// ```swift
    /// let total = model.derived(from: { $0.cart }, by: { $0.version == $1.version }) { cart in cart.total() }
    /// ```
    ///
    /// Observers of the value are notified when the part changes. The value is not computed for that, so they are
    /// notified even if the new value turns out to be the same.
    ///
    /// - Parameters:
    ///   - input: A closure, or a key path literal, that returns the part. Called on the main actor, once for each
    ///     state and once in this call.
    ///   - isDuplicate: A closure that gets the current part and the part of the new state. If it returns true, the
    ///     value stays.
    ///   - compute: A closure that computes the value from the part, and from nothing else that changes. Called only
    ///     when the value is read.
    public func derived<Input, Value>(
        from input: @escaping (ViewState) -> Input,
        by isDuplicate: @escaping (Input, Input) -> Bool,
        compute: @escaping (Input) -> Value
    ) -> ObservableSelection<Value> {
        follow(input, isDuplicate, compute)
    }

    /// Returns a value that is computed from a part of the state, at the first read after that part is no longer equal
    /// to the previous one.
    ///
    /// ```swift
    /// let total = model.derived(from: \.prices) { prices in prices.reduce(0, +) }
    /// ```
    public func derived<Input: Equatable, Value>(
        from input: @escaping (ViewState) -> Input,
        compute: @escaping (Input) -> Value
    ) -> ObservableSelection<Value> {
        follow(input, { $0 == $1 }, compute)
    }
}
