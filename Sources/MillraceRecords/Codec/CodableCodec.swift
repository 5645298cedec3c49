// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Writes values as JSON, by their `Codable` conformance.
///
/// ```swift
/// let codec = try CodableCodec<AppAction>(version: 1)
/// ```
///
/// The keys of objects are sorted, so equal values have equal bytes unless they hold sets or other unordered
/// collections. Numbers that are not finite are written as the texts `nan`, `inf` and `-inf`. Dates are written as
/// seconds since 2001.
///
/// **Cost.** Some microseconds and some allocations for each value, so do not encode on the pipeline's thread.
public struct CodableCodec<Action: Codable>: ActionCodec {
    /// What this codec writes: the cases of an enum are its kinds.
    public let schema: RecordSchema
    private let metadata: KindOfValue
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()
    var upcasters = Upcasters<Action>()

    /// Creates a codec.
    /// - Parameter version: The version of the type, from 1.
    /// - Throws: ``CodecError/version(_:)``.
    public init(version: Int) throws(CodecError) {
        guard (1...Int(UInt32.max)).contains(version) else { throw .version(version) }
        metadata = KindOfValue(Action.self)
        // The options are set before the first use. After that, several threads may use the encoder and the decoder.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy =
            .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        decoder.nonConformingFloatDecodingStrategy =
            .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        schema = RecordSchema(
            type: RecordType(name: _typeName(Action.self, qualified: false), version: version, encoding: .json),
            kinds: metadata.names
        )
    }

    /// Returns a copy of this codec that also reads an older version of the type, from the JSON of `Old`.
    /// - Throws: ``CodecError/gap(from:expected:)`` if `version` is not one below the oldest that this codec reads.
    public func upcasting<Old: Codable>(
        from version: Int,
        _ convert: @escaping @Sendable (Old) throws -> Action
    ) throws(CodecError) -> Self {
        try upcasting(from: CodableCodec<Old>(version: version), convert)
    }

    /// Returns a copy of this codec that also reads what an older codec reads: its version, and the versions of its
    /// upcasters.
    /// - Throws: ``CodecError/gap(from:expected:)`` if its version is not one below the oldest that this codec reads.
    public func upcasting<Older: VersionedCodec>(
        from older: Older,
        _ convert: @escaping @Sendable (Older.Action) throws -> Action
    ) throws(CodecError) -> Self {
        var codec = self
        try codec.upcasters.add(older, oldest: older.oldestVersion, below: schema.type.version, convert)
        return codec
    }

    /// Returns the tag of an enum's case; 0 for any other type.
    public func kind(of action: Action) -> Int {
        withUnsafePointer(to: action) { metadata.tag(of: $0) }
    }

    /// Writes JSON.
    public func encode(_ action: Action, into output: inout RecordBuffer) throws(CodecError) {
        do {
            let data = try encoder.encode(action)
            data.withUnsafeBytes { output.append($0) }
        } catch {
            throw .notEncodable(type: schema.type.name, reason: "\(error)")
        }
    }

    /// Finds the version of a kind among those that this codec reads.
    public func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
        if let route = try upcasters.route(for: kind, of: type) { return route }
        guard schema.kinds.contains(kind) else { return nil }
        try check(type.version, of: kind, oldest: oldestVersion)
        try schema.type.check(kind, of: type)
        return 0
    }

    /// Reads JSON.
    public func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Action {
        if route > 0 { return try upcasters.decode(bytes, route: route) }
        do {
            return try decoder.decode(Action.self, from: Data(bytes))
        } catch {
            throw .notDecodable(type: schema.type.name, reason: "\(error)", offset: nil)
        }
    }
}

extension CodableCodec: VersionedCodec {
    /// The oldest version that this codec reads.
    public var oldestVersion: Int { upcasters.oldest(schema.type.version) }
}
