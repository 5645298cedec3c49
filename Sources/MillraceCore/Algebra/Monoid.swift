// SPDX-License-Identifier: Apache-2.0

/// A ``Semigroup`` with a value that changes nothing when appended on either side.
///
/// ```swift
/// let all = reducers.reduce(.identity, <>)
/// ```
///
/// A conformance promises `a <> .identity` and `.identity <> a` to behave as `a`.
public protocol Monoid: Semigroup {
    /// The value that changes nothing.
    static var identity: Self { get }
}
