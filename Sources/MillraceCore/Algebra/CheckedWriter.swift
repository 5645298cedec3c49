// SPDX-License-Identifier: Apache-2.0

/// Writes a value into a copy of a larger value, and checks that the copy contains it.
///
/// The setter of a key path to an optional may ignore the new value. An action built with such a setter would equal the
/// action from which it was built. A middleware would then dispatch the same action again and again.
@usableFromInline
package struct CheckedWriter<Root, Value>: @unchecked Sendable {
    // Unchecked. A key path is Sendable unless it captures a subscript index that is not. `==` is Sendable unless its
    // conformance is isolated to an actor. Neither is ever changed.
    @usableFromInline let path: WritableKeyPath<Root, Value?>
    /// Nil if the values cannot be compared with `==`.
    @usableFromInline let areEqual: ((Value, Value) -> Bool)?

    @inlinable
    package init(_ path: WritableKeyPath<Root, Value?>) {
        self.path = path
        areEqual = (Value.self as? any Equatable.Type)?.equality as? (Value, Value) -> Bool
    }

    /// Returns a copy of `root` that contains `value`; nil if the key path ignored the value.
    @inlinable
    package func writing(_ value: Value, into root: Root) -> Root? {
        var result = root
        result[keyPath: path] = value
        guard let found = result[keyPath: path] else { return nil }
        // The write was ignored if the copy still holds the former value and the former value differs from the new one.
        guard let former = root[keyPath: path] else { return result }
        return isSame(found, former) && !isSame(found, value) ? nil : result
    }

    /// Compares with `==`, and by bytes for values that have no `==` or are not equal to themselves.
    @inlinable
    func isSame(_ lhs: Value, _ rhs: Value) -> Bool {
        areEqual?(lhs, rhs) == true || haveSameBytes(lhs, rhs)
    }
}

@inlinable
func haveSameBytes<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
    withUnsafeBytes(of: lhs) { lhs in withUnsafeBytes(of: rhs) { rhs in lhs.elementsEqual(rhs) } }
}

extension Equatable {
    /// `==` as a value of unknown type; the caller casts it to the function type.
    @usableFromInline
    static var equality: Any {
        let equality: (Self, Self) -> Bool = { $0 == $1 }
        return equality
    }
}
