// SPDX-License-Identifier: Apache-2.0

/// A ``Semigroup`` with a value that changes nothing when appended on either side.
///
/// ```swift
/// let all = reducers.reduce(.identity, <>)
/// ```
///
/// A conforming type guarantees that `a <> .identity` and `.identity <> a` behave as `a`.
public protocol Monoid: Semigroup {
    /// The value that changes nothing.
    static var identity: Self { get }
}
