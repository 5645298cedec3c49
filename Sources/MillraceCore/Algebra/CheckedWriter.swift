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
        // Nothing was written if there still is what was there before, and that is not what was to be written.
        guard let former = root[keyPath: path] else { return result }
        return isSame(found, former) && !isSame(found, value) ? nil : result
    }

    /// By `==`; or by the bytes, for what has none, and for what is not equal to itself.
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
    /// `==` as a function, whose type is known by a cast.
    @usableFromInline
    static var equality: Any {
        let equality: (Self, Self) -> Bool = { $0 == $1 }
        return equality
    }
}
