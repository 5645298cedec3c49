// SPDX-License-Identifier: Apache-2.0

/// A codec that encrypts what another codec writes, with a key for each subject: see ``SubjectSeal``.
///
/// It also reads values that the codec inside wrote without encryption.
///
/// **Bytes.** Eight bytes: 1 if the rest is sealed, else 0; a zero; the length of the subject's name, 2 bytes; four
/// zeros. Then the name in UTF-8, and the sealed bytes; or the bytes of the codec inside.
public struct SealingCodec<Base: ActionCodec>: ActionCodec {
    /// The type of the values.
    public typealias Action = Base.Action

    /// What is written: the kinds of the codec inside, in its version.
    public let schema: RecordSchema
    private let base: Base
    private let seal: SubjectSeal<Base.Action>

    private static var headBytes: Int { 8 }

    init(_ base: Base, _ seal: SubjectSeal<Base.Action>) {
        self.base = base
        self.seal = seal
        let type = base.schema.type
        schema = RecordSchema(
            type: RecordType(
                name: type.name,
                version: type.version,
                encoding: .sealed,
                layout: "\(type.encoding.rawValue) \(type.layout)"
            ),
            kinds: base.schema.kinds
        )
    }

    /// The kind that the codec inside gives.
    public func kind(of action: Action) -> Int { base.kind(of: action) }

    /// Writes the value, sealed if it has a subject.
    public func encode(_ action: Action, into output: inout RecordBuffer) throws(CodecError) {
        guard let subject = seal.subject(action) else {
            output.append(0 as UInt64)
            return try base.encode(action, into: &output)
        }
        let name = Array(subject.utf8)
        guard name.count <= UInt16.max else { throw failed("the name of its subject has \(name.count) bytes") }
        var plain = RecordBuffer(capacity: 256)
        try base.encode(action, into: &plain)
        let sealed: [UInt8]
        do {
            sealed = try plain.withUnsafeBytes { try seal.seal($0, subject) }
        } catch {
            throw failed("it could not be sealed: \(error)")
        }
        output.append(1 as UInt16)
        output.append(UInt16(name.count))
        output.append(0 as UInt32)
        name.withUnsafeBytes { output.append($0) }
        sealed.withUnsafeBytes { output.append($0) }
    }

    /// Returns twice the route of the codec inside, plus 1 if the values in the file are sealed.
    public func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
        guard type.encoding == .sealed else { return try base.route(for: kind, of: type).map { $0 * 2 } }
        let parts = type.layout.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first.flatMap({ UInt16($0) }) else { return nil }
        let inner = RecordType(
            name: type.name,
            version: type.version,
            encoding: RecordEncoding(rawValue: number),
            layout: parts.count > 1 ? String(parts[1]) : ""
        )
        return try base.route(for: kind, of: inner).map { $0 * 2 + 1 }
    }

    /// Reads a value. If its key was deleted, returns the value of `forgotten` for its subject.
    public func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Action {
        guard route % 2 == 1 else { return try base.decode(bytes, route: route / 2) }
        guard bytes.count >= Self.headBytes, bytes[0] < 2 else {
            throw damaged("its head is not one of a sealed value", 0)
        }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[Self.headBytes...])
        if bytes[0] == 0 { return try base.decode(rest, route: route / 2) }
        let length = Int(bytes[2]) | Int(bytes[3]) << 8
        guard rest.count >= length else { throw damaged("the name of its subject is cut", 2) }
        guard let subject = String(validating: rest[..<length], as: UTF8.self) else {
            throw damaged("the name of its subject is no UTF-8", Self.headBytes)
        }
        let plain: [UInt8]?
        do {
            plain = try seal.open(UnsafeRawBufferPointer(rebasing: rest[length...]), subject)
        } catch {
            throw damaged("it could not be opened: \(error)", Self.headBytes + length)
        }
        guard let plain else { return seal.forgotten(subject) }
        let result: Result<Action, CodecError> = plain.withUnsafeBytes { bytes in
            do throws(CodecError) {
                return .success(try base.decode(bytes, route: route / 2))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func failed(_ reason: String) -> CodecError { .notEncodable(type: schema.type.name, reason: reason) }

    private func damaged(_ reason: String, _ offset: Int) -> CodecError {
        .notDecodable(type: schema.type.name, reason: reason, offset: offset)
    }
}

extension SealingCodec: VersionedCodec where Base: VersionedCodec {
    /// The oldest version that the codec inside reads.
    public var oldestVersion: Int { base.oldestVersion }
}

extension ActionCodec {
    /// Returns a codec that encrypts what this one writes, with a key for each subject: see ``SubjectSeal``.
    public func sealing(by seal: SubjectSeal<Action>) -> SealingCodec<Self> { SealingCodec(self, seal) }
}
