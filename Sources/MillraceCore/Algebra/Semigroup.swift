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
    // Disfavoured, so that the compiler ends its search with the operator of the conforming type. Otherwise it tries
    // this one, too, for each operator of a chain: twelve effect middlewares took it 25 times as long.
    // scripts/lift-check.sh measures it.
    @_disfavoredOverload
    static func <> (lhs: Self, rhs: Self) -> Self
}
