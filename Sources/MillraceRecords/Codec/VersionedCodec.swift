// SPDX-License-Identifier: Apache-2.0

/// A codec that says which versions it reads, so that a newer codec can use it to read them.
public protocol VersionedCodec<Action>: ActionCodec {
    /// The oldest version that the codec reads. It reads all from this one to the version in its schema.
    var oldestVersion: Int { get }
}

extension VersionedCodec {
    /// The version in the codec's schema, which is the only version that a codec without upcasters reads.
    public var oldestVersion: Int { schema.type.version }
}
