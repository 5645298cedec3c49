// SPDX-License-Identifier: Apache-2.0

/// A type that says itself what its canonical hash depends on: a class, or a struct whose fields are not what counts.
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
