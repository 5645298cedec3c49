// SPDX-License-Identifier: Apache-2.0

/// Writes values as they are in memory: one copy, no allocation.
///
/// ```swift
/// enum Order: BitwiseCopyable { case placed(id: UInt64, cents: Int), cancelled(id: UInt64) }
/// let codec = try BitwiseCodec<Order>(version: 1)
/// ```
///
/// When the codec is made, it checks every field of the type, also those of inner types. It refuses a field that is an
/// address (a pointer, a class, a closure), and a field whose layout is not known; the error names the field. Padding
/// is written as zeros, so equal values have equal bytes, except for numbers that are equal with different bits, as 0
/// and -0.
///
/// **Reading.** The tags of enums, Booleans and Unicode scalars are checked before the bytes become a value: bytes that
/// are no value of the type give an error. The file holds the layout of the type, and a codec with another layout does
/// not read the file. So a change of the type (a field, a case, their order) needs a new version and an upcaster.
///
/// **Limits.** Byte order and sizes are those of the machine. Only 64-bit little-endian machines can exchange files.
public struct BitwiseCodec<Action: BitwiseCopyable>: ActionCodec {
    /// What this codec writes: the cases of an enum are its kinds.
    public let schema: RecordSchema
    @usableFromInline let plan: BitwisePlan
    @usableFromInline let isPlain: Bool
    @usableFromInline let hasKinds: Bool
    var upcasters = Upcasters<Action>()

    /// Creates a codec, and checks that every field of the type can be written.
    /// - Parameter version: The version of the type, from 1.
    /// - Throws: ``CodecError/layout(_:)``, which names a field that cannot be written, or ``CodecError/version(_:)``.
    public init(version: Int) throws(CodecError) {
        guard (1...Int(UInt32.max)).contains(version) else { throw .version(version) }
        do {
            plan = try BitwisePlan(Action.self)
        } catch {
            throw .layout(error)
        }
        let name = _typeName(Action.self, qualified: false)
        isPlain = plan.isPlain
        hasKinds = plan.caseNames != nil
        schema = RecordSchema(
            type: RecordType(
                name: name,
                version: version,
                encoding: .bitwise,
                layout: plan.layout,
                fingerprint: plan.fingerprint
            ),
            kinds: plan.caseNames ?? [name]
        )
    }

    /// Returns a copy of this codec that also reads an older version of the type, from the memory of `Old`.
    /// - Throws: ``CodecError/gap(from:expected:)`` if `version` is not one below the oldest that this codec reads.
    public func upcasting<Old: BitwiseCopyable>(
        from version: Int,
        _ convert: @escaping @Sendable (Old) throws -> Action
    ) throws(CodecError) -> Self {
        try upcasting(from: BitwiseCodec<Old>(version: version), convert)
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
    @inlinable
    public func kind(of action: Action) -> Int {
        hasKinds ? withUnsafePointer(to: action) { plan.tag(of: $0) } : 0
    }

    /// Copies the value, and zeros its padding.
    @inlinable
    public func encode(_ action: Action, into output: inout RecordBuffer) throws(CodecError) {
        let start = output.append(bytesOf: action)
        if !isPlain { plan.canonicalise(start) }
    }

    /// Finds the version of a kind among those that this codec reads.
    public func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
        if let route = try upcasters.route(for: kind, of: type) { return route }
        guard schema.kinds.contains(kind) else { return nil }
        try check(type.version, of: kind, oldest: oldestVersion)
        try schema.type.check(kind, of: type)
        return 0
    }

    /// Checks the bytes, then copies them.
    @inlinable
    public func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Action {
        if route > 0 { return try decodeOlder(bytes, route) }
        guard bytes.count == plan.size else { throw wrongSize(bytes.count) }
        guard plan.count > 0 else { return bytes.loadUnaligned(as: Action.self) }
        // The alignment suits every type. The size is the stride, which is never 0.
        let invalid = withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Action>.stride, alignment: 16) { copy in
            copy.copyMemory(from: bytes)
            return plan.firstInvalid(in: copy.baseAddress!)
        }
        if let invalid { throw noValue(at: invalid) }
        return bytes.loadUnaligned(as: Action.self)
    }

    @usableFromInline
    func decodeOlder(_ bytes: UnsafeRawBufferPointer, _ route: Int) throws(CodecError) -> Action {
        try upcasters.decode(bytes, route: route)
    }

    @usableFromInline
    func wrongSize(_ count: Int) -> CodecError {
        .notDecodable(type: schema.type.name, reason: "\(count) bytes in place of \(plan.size)", offset: nil)
    }

    @usableFromInline
    func noValue(at offset: Int) -> CodecError {
        .notDecodable(type: schema.type.name, reason: "no case or value of a field looks like this", offset: offset)
    }
}

extension BitwiseCodec: VersionedCodec {
    /// The oldest version that this codec reads.
    public var oldestVersion: Int { upcasters.oldest(schema.type.version) }
}
