// SPDX-License-Identifier: Apache-2.0

/// Writes actions as bytes, and reads them.
///
/// ```swift
/// let codec = try BitwiseCodec<Order>(version: 2).upcasting(from: 1) { (old: OldOrder) in Order(old) }
/// ```
///
/// Two codecs are here: ``BitwiseCodec`` copies the memory of simple types, ``CodableCodec`` writes JSON. A codec of
/// your own writes what you like. States are written by the same codecs: `Action` is any type.
///
/// **Kinds.** A record has a kind: for an enum the name of the case. A file holds the names, so that a reader can tell
/// what it does not know (``UnknownKinds``).
///
/// **Versions.** A codec writes one version, and reads that one and each older one for which it has an upcaster.
///
/// **Threads.** A codec may be used on any thread, by several at a time.
public protocol ActionCodec<Action>: Sendable {
    /// What is written and read.
    associatedtype Action

    /// What this codec writes.
    var schema: RecordSchema { get }

    /// Returns the index in `schema.kinds` of an action's kind. Called for each action: it should not allocate.
    func kind(of action: Action) -> Int

    /// Appends the bytes of an action. Called for each action: it should not allocate.
    /// - Throws: ``CodecError/notEncodable(type:reason:)``. What was appended by then is removed.
    func encode(_ action: Action, into output: inout RecordBuffer) throws(CodecError)

    /// Returns how to read values of a kind that a file holds: a number that only this codec understands, or nil for a
    /// kind that it does not know. Called once for each kind of a file.
    /// - Throws: ``CodecError`` if it knows the kind, but not in this version, encoding or layout.
    func route(for kind: String, of type: RecordType) throws(CodecError) -> Int?

    /// Returns the action of these bytes, by the route of its kind. The bytes come from a file: they may be anything.
    /// - Throws: ``CodecError/notDecodable(type:reason:offset:)``.
    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Action
}

/// Writes states as bytes, and reads them: the same codecs as for actions.
public typealias StateCodec = ActionCodec

extension ActionCodec {
    /// Reads the codec's own version only, in its own encoding and layout.
    public func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
        guard schema.kinds.contains(kind) else { return nil }
        try schema.type.check(kind, of: type)
        return 0
    }

    /// Checks a version that a file holds against those that the codec reads.
    func check(_ version: Int, of kind: String, oldest: Int) throws(CodecError) {
        if version < oldest { throw .tooOld(kind: kind, version: version, oldest: oldest) }
        if version > schema.type.version {
            throw .tooNew(kind: kind, version: version, newest: schema.type.version)
        }
    }
}

extension RecordType {
    /// Checks that values of the written type can be read as this type.
    package func check(_ kind: String, of written: RecordType) throws(CodecError) {
        if written.version < version { throw .tooOld(kind: kind, version: written.version, oldest: version) }
        if written.version > version { throw .tooNew(kind: kind, version: written.version, newest: version) }
        guard written.encoding == encoding else {
            throw .otherEncoding(
                kind: kind,
                version: version,
                written: "\(written.encoding)",
                expected: "\(encoding)"
            )
        }
        guard written.fingerprint == fingerprint else {
            throw .otherLayout(kind: kind, version: version, written: written.layout, expected: layout)
        }
    }
}
