// SPDX-License-Identifier: Apache-2.0

/// Writes actions as bytes, and reads them.
///
/// ```swift
/// let codec = try BitwiseCodec<Order>(version: 2).upcasting(from: 1) { (old: OldOrder) in Order(old) }
/// ```
///
/// The module has two codecs: ``BitwiseCodec`` copies the memory of simple types, ``CodableCodec`` writes JSON. You can
/// write a codec of your own. The same codecs write states: `Action` can be any type.
///
/// **Kinds.** A record has a kind: for an enum the name of the case. A file holds the names of the kinds, so that a
/// reader can recognise kinds that it does not know (``UnknownKinds``).
///
/// **Versions.** A codec writes one version. It reads this version, and each older version for which it has an
/// upcaster.
///
/// **Threads.** Several threads may use a codec at the same time.
public protocol ActionCodec<Action>: Sendable {
    /// The type of the values that are written and read.
    associatedtype Action

    /// The type that this codec writes, and its kinds.
    var schema: RecordSchema { get }

    /// Returns the index in `schema.kinds` of an action's kind. Called for each action: it should not allocate.
    func kind(of action: Action) -> Int

    /// Appends the bytes of an action. Called for each action: it should not allocate.
    /// - Throws: ``CodecError/notEncodable(type:reason:)``. The caller then removes the bytes that were appended.
    func encode(_ action: Action, into output: inout RecordBuffer) throws(CodecError)

    /// Returns how to read the values of a kind in a file: a number that only this codec understands, or nil for a kind
    /// that it does not know. Called once for each kind of a file.
    /// - Throws: ``CodecError`` if the codec knows the kind, but not in this version, encoding or layout.
    func route(for kind: String, of type: RecordType) throws(CodecError) -> Int?

    /// Reads an action from its bytes; `route` is the number that `route(for:of:)` returned for its kind. The bytes
    /// come from a file, and need not be a valid action.
    /// - Throws: ``CodecError/notDecodable(type:reason:offset:)``.
    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Action
}

/// Writes states as bytes, and reads them: the same codecs as for actions.
public typealias StateCodec = ActionCodec

extension ActionCodec {
    /// Accepts only the codec's own version, encoding and layout.
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
