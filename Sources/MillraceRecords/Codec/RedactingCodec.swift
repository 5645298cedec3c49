// SPDX-License-Identifier: Apache-2.0

/// A codec that changes values before it writes them, so that some of their parts are in no file.
public struct RedactingCodec<Base: ActionCodec>: ActionCodec {
    /// The type of the values.
    public typealias Action = Base.Action

    private let base: Base
    private let redact: @Sendable (Base.Action) -> Base.Action

    init(_ base: Base, _ redact: @escaping @Sendable (Base.Action) -> Base.Action) {
        self.base = base
        self.redact = redact
    }

    /// The schema of the codec inside.
    public var schema: RecordSchema { base.schema }

    /// The kind of the value before it is changed: the closure must not change the kind.
    public func kind(of action: Action) -> Int { base.kind(of: action) }

    /// Writes the value that the closure returns.
    ///
    /// - Throws: ``CodecError/notEncodable(type:reason:)`` if the closure returns a value of another kind, and the
    ///   errors of the codec inside.
    public func encode(_ action: Action, into output: inout RecordBuffer) throws(CodecError) {
        let redacted = redact(action)
        guard base.kind(of: redacted) == base.kind(of: action) else {
            throw .notEncodable(type: schema.type.name, reason: "'redacting' has made another kind of it")
        }
        try base.encode(redacted, into: &output)
    }

    /// The route of the codec inside.
    public func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
        try base.route(for: kind, of: type)
    }

    /// Reads a value as it was written, after the change.
    public func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Action {
        try base.decode(bytes, route: route)
    }
}

extension RedactingCodec: VersionedCodec where Base: VersionedCodec {
    /// The oldest version that the codec inside reads.
    public var oldestVersion: Int { base.oldestVersion }
}

extension ActionCodec {
    /// Returns a codec that changes each value by a closure before it writes it, for example to remove a password or
    /// shorten an address.
    ///
    /// ```swift
    /// let codec = try CodableCodec<AppAction>(version: 1).redacting { action in
    ///     guard case .signedIn(var user) = action else { return action }
    ///     user.password = ""
    ///     return .signedIn(user)
    /// }
    /// ```
    ///
    /// A recovery gives the reducers the values that were written. So do not remove parts that the reducers need.
    ///
    /// - Parameter redact: Returns the value to write, which must be of the same kind. Called for each value; in a
    ///   journal, on the journal's thread.
    public func redacting(_ redact: @escaping @Sendable (Action) -> Action) -> RedactingCodec<Self> {
        RedactingCodec(self, redact)
    }
}
