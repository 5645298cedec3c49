// SPDX-License-Identifier: Apache-2.0

extension ObservableStore {
    /// A part of the state, which changes when it is no duplicate of the part before.
    ///
    /// ```swift
    /// let nearest = model.select({ $0.position }, removeDuplicates: { abs($0 - $1) < 0.1 })
    /// ```
    ///
    /// - Parameters:
    ///   - select: The part. Called on the main actor once for each state, and once now.
    ///   - isDuplicate: Given the value and the part of the new state, whether the value stays.
    public func select<Value>(
        _ select: @escaping (ViewState) -> Value,
        removeDuplicates isDuplicate: @escaping (Value, Value) -> Bool
    ) -> ObservableSelection<Value> {
        follow(select, isDuplicate) { $0 }
    }

    /// A part of the state, which changes when it is not equal to the part before.
    ///
    /// ```swift
    /// let isEmpty = model.select { $0.items.isEmpty }
    /// ```
    public func select<Value: Equatable>(_ select: @escaping (ViewState) -> Value) -> ObservableSelection<Value> {
        follow(select, { $0 == $1 }) { $0 }
    }

    /// A value computed from a part of the state: once for each change of that part, when it is read first.
    ///
    /// ```swift
    /// let total = model.derived(from: { $0.cart }, by: { $0.version == $1.version }) { cart in cart.total() }
    /// ```
    ///
    /// Its observers are told when the part has changed, without a computation: also if the result turns out the same.
    ///
    /// - Parameters:
    ///   - input: The part: a closure, or a key path written in place. Called on the main actor once for each state, and
    ///     once now.
    ///   - isDuplicate: Given the part that counts and that of the new state, whether the value stays.
    ///   - compute: The value of a part, and of nothing else that changes. Never called when nobody reads.
    public func derived<Input, Value>(
        from input: @escaping (ViewState) -> Input,
        by isDuplicate: @escaping (Input, Input) -> Bool,
        compute: @escaping (Input) -> Value
    ) -> ObservableSelection<Value> {
        follow(input, isDuplicate, compute)
    }

    /// A value computed from a part of the state, again when that part is not equal to the one before.
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
