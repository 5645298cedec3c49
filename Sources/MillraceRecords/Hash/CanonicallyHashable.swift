// SPDX-License-Identifier: Apache-2.0

/// A type that decides what its canonical hash depends on. Conform a class, or a struct whose hash must not cover every
/// field.
///
/// ```swift
/// extension Account: CanonicallyHashable {      // a class
///     func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
///         try hasher.combine(id)
///         try hasher.combine(balance)
///     }
/// }
/// ```
public protocol CanonicallyHashable {
    /// Combines what the hash depends on. Use nothing that differs from process to process: no address, no `hashValue`.
    func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError)
}
