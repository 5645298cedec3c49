// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRecords
import Testing

/// A codec that an app writes: lines of text.
private struct LineCodec: ActionCodec {
    var kind = 0
    let schema = RecordSchema(type: RecordType(name: "Line", version: 1, encoding: .custom), kinds: ["line"])

    func kind(of action: String) -> Int { kind }

    func encode(_ action: String, into output: inout RecordBuffer) throws(CodecError) {
        output.append(UInt32(action.utf8.count))
        output.append(text: action)
        if action.contains("\n") { throw .notEncodable(type: "Line", reason: "it has two lines") }
    }

    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> String {
        guard bytes.count >= 4, bytes.loadUnaligned(as: UInt32.self) == bytes.count - 4 else {
            throw .notDecodable(type: "Line", reason: "its length is wrong", offset: 0)
        }
        return String(decoding: bytes[4...], as: UTF8.self)
    }
}

@Suite struct CustomCodecTests {
    private func writer(_ codec: LineCodec) throws -> FrameWriter<LineCodec> {
        var header = RecordFileHeader(purpose: .segment)
        header.add(codec.schema, as: .action)
        return try FrameWriter(header: header, codec: codec)
    }

    private let head = RecordHead(sequence: 0, time: ActionTime(nanosecondsSince1970: 0), source: .here())

    @Test func aFailedActionLeavesNothingBehind() throws {
        var writer = try writer(LineCodec())
        try writer.append("one", head)
        #expect(throws: RecordFileError.self) { try writer.append("two\nlines", head) }
        try writer.append(String(repeating: "long ", count: 50_000), head)
        try writer.append("three", head)
        var reader = try RecordReader(FrameReader(bytes: writer.takeBytes()), codec: LineCodec())
        #expect(try reader.next()?.action == "one")
        #expect(try reader.next()?.action.utf8.count == 250_000)
        let last = try reader.next()
        #expect(last?.action == "three" && last?.head.sequence == 3 && last?.head.source == head.source)
        #expect(try reader.next() == nil)
    }

    @Test func aKindThatIsNotInTheSchemaIsRefused() throws {
        for kind in [1, -1, 70_000] {
            var writer = try writer(LineCodec(kind: kind))
            #expect(throws: RecordFileError.self) { try writer.append("one", head) }
        }
    }

    @Test func aHeaderThatDoesNotFitIsRefused() throws {
        var header = RecordFileHeader(purpose: .segment)
        let type = RecordType(name: "Many", version: 1, encoding: .custom)
        header.add(RecordSchema(type: type, kinds: (0..<66_000).map { "kind \($0)" }), as: .action)
        #expect(throws: RecordFileError.self) { _ = try FrameBuilder(header: header) }
    }
}
