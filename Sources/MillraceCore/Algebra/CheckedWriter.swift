// SPDX-License-Identifier: Apache-2.0

/// Writes a value into a copy of a larger one, and looks whether it got there.
///
/// The setter of a key path to an optional may ignore what it is given; an action built so would be the one it was
/// built from, and go round for ever.
@usableFromInline
package struct CheckedWriter<Root, Value>: @unchecked Sendable {
    // Unchecked because a key path is Sendable unless it captures a subscript's index that is not, and `==` is when its
    // conformance is not isolated to an actor; neither is ever changed.
    @usableFromInline let path: WritableKeyPath<Root, Value?>
    /// nil: the values cannot be compared.
    @usableFromInline let areEqual: ((Value, Value) -> Bool)?

    @inlinable
    package init(_ path: WritableKeyPath<Root, Value?>) {
        self.path = path
        areEqual = (Value.self as? any Equatable.Type)?.equality as? (Value, Value) -> Bool
    }

    /// The larger value with `value` in it; nil if the key path did not take it.
    @inlinable
    package func writing(_ value: Value, into root: Root) -> Root? {
        var result = root
        result[keyPath: path] = value
        guard let found = result[keyPath: path] else { return nil }
        if let areEqual { return areEqual(found, value) ? result : nil }
        // What cannot be compared by `==` is compared by its bytes: they are those of before if nothing was written.
        guard let former = root[keyPath: path] else { return result }
        return haveSameBytes(found, former) && !haveSameBytes(found, value) ? nil : result
    }
}

@inlinable
func haveSameBytes<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
    withUnsafeBytes(of: lhs) { lhs in withUnsafeBytes(of: rhs) { rhs in lhs.elementsEqual(rhs) } }
}

extension Equatable {
    /// `==` as a function, whose type is known by a cast.
    @usableFromInline
    static var equality: Any {
        let equality: (Self, Self) -> Bool = { $0 == $1 }
        return equality
    }
}
