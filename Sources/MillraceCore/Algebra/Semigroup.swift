// SPDX-License-Identifier: Apache-2.0

/// The precedence of `<>`: it binds tighter than `*` and is left-associative.
precedencegroup MonoidAppend {
    associativity: left
    higherThan: MultiplicationPrecedence
    lowerThan: BitwiseShiftPrecedence
}

infix operator <> : MonoidAppend

/// A type whose values can be appended to one another.
///
/// ```swift
/// let both = loginReducer <> profileReducer
/// ```
///
/// A conforming type guarantees associativity: `(a <> b) <> c` behaves as `a <> (b <> c)`.
public protocol Semigroup {
    /// Appends `rhs` to `lhs` and returns the result; neither argument is changed.
    static func <> (lhs: Self, rhs: Self) -> Self
}
