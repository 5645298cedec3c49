// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords
import Testing

private enum V1: BitwiseCopyable, Codable { case add(Int32), clear }
private enum V2: BitwiseCopyable, Codable { case add(Int64), reset }
private enum V3: BitwiseCopyable, Codable, Equatable { case add(Int64, twice: Bool), reset, pause }
private enum Fewer: BitwiseCopyable, Codable, Equatable { case reset }

extension V2 {
    init(_ old: V1) {
        switch old {
        case .add(let number): self = .add(Int64(number))
        case .clear: self = .reset
        }
    }
}
extension V3 {
    init(_ old: V2) {
        switch old {
        case .add(let number): self = .add(number, twice: false)
        case .reset: self = .reset
        }
    }
}

@Suite struct VersionTests {
    private func write<Codec: ActionCodec>(_ actions: [Codec.Action], by codec: Codec) throws -> [UInt8] {
        var header = RecordFileHeader(purpose: .segment)
        header.add(codec.schema, as: .action)
        var writer = try FrameWriter(header: header, codec: codec)
        for (index, action) in actions.enumerated() {
            let time = ActionTime(nanosecondsSince1970: Int64(index))
            try writer.append(action, RecordHead(sequence: UInt64(index + 1), time: time))
        }
        try writer.finish()
        return try writer.takeBytes()
    }

    private func read<Codec: ActionCodec>(
        _ bytes: [UInt8],
        by codec: Codec,
        unknownKinds: UnknownKinds = .fail
    ) throws -> (actions: [Codec.Action], unknown: UInt64) {
        var reader = try RecordReader(FrameReader(bytes: bytes), codec: codec, unknownKinds: unknownKinds)
        var actions: [Codec.Action] = []
        while let recorded = try reader.next() { actions.append(recorded.action) }
        return (actions, reader.unknown)
    }

    private func open<Codec: ActionCodec>(_ codec: Codec, actions: [Codec.Action]) -> (Codec, [Codec.Action]) {
        (codec, actions)
    }

    @Test func olderVersionsAreReadThroughTheirUpcasters() throws {
        let codec = try BitwiseCodec<V3>(version: 3)
            .upcasting(from: 2) { (old: V2) in V3(old) }
            .upcasting(from: 1) { (old: V1) in V3(V2(old)) }
        #expect(
            try read(write([.add(7), .clear], by: BitwiseCodec<V1>(version: 1)), by: codec).actions == [
                .add(7, twice: false), .reset,
            ]
        )
        #expect(
            try read(write([.add(8), .reset], by: BitwiseCodec<V2>(version: 2)), by: codec).actions == [
                .add(8, twice: false), .reset,
            ]
        )
        #expect(try read(write([.pause], by: codec), by: codec).actions == [.pause])

        // A chain: version 1 becomes 2, which becomes 3. The second was JSON.
        let first = try BitwiseCodec<V1>(version: 1)
        let second = try CodableCodec<V2>(version: 2).upcasting(from: first) { (old: V1) in V2(old) }
        let chain = try BitwiseCodec<V3>(version: 3).upcasting(from: second) { (old: V2) in V3(old) }
        #expect(chain.oldestVersion == 1)
        #expect(
            try read(write([.add(7), .clear], by: BitwiseCodec<V1>(version: 1)), by: chain).actions == [
                .add(7, twice: false), .reset,
            ]
        )
        #expect(
            try read(write([.add(8)], by: CodableCodec<V2>(version: 2)), by: chain).actions == [.add(8, twice: false)]
        )
        #expect(throws: RecordFileError.self) {
            try read(write([.add(8)], by: BitwiseCodec<V2>(version: 2)), by: chain)
        }

        let json = try CodableCodec<V3>(version: 2).upcasting(from: 1) { (old: V2) in V3(old) }
        #expect(
            try read(write([.add(9)], by: CodableCodec<V2>(version: 1)), by: json).actions == [.add(9, twice: false)]
        )
    }

    @Test func implicitMembersMakeCodecs() throws {
        let (codec, _) = try open(
            .bitwise(version: 2).upcasting(from: 1) { @Sendable (old: V1) in V2(old) },
            actions: [V2.reset]
        )
        #expect(codec.oldestVersion == 1)
        let (json, _) = try open(.codable(version: 4), actions: [V2.reset])
        #expect(json.schema.type.version == 4)
    }

    @Test func aGapInTheUpcastersIsFoundWhenTheCodecIsMade() throws {
        #expect(throws: CodecError.gap(from: 1, expected: 2)) {
            try BitwiseCodec<V3>(version: 3).upcasting(from: 1) { (old: V1) in V3(V2(old)) }
        }
        #expect(throws: CodecError.gap(from: 3, expected: 2)) {
            try CodableCodec<V3>(version: 3).upcasting(from: 3) { (old: V2) in V3(old) }
        }
        #expect(throws: CodecError.gap(from: 2, expected: 1)) {
            try BitwiseCodec<V3>(version: 3).upcasting(from: 2) { (old: V2) in V3(old) }
                .upcasting(from: 2) { (old: V2) in V3(old) }
        }
    }

    @Test func versionsThatCannotBeReadAreErrorsBeforeTheFirstAction() throws {
        func error<Codec: ActionCodec>(_ bytes: [UInt8], _ codec: Codec) -> CodecError? {
            do {
                let reader = try RecordReader(FrameReader(bytes: bytes), codec: codec)
                _ = reader.unknown
                return nil
            } catch {
                guard case .codec(_, nil, _, let error) = error else { return nil }
                return error
            }
        }
        let third = try BitwiseCodec<V3>(version: 3)
        #expect(
            error(try write([.reset], by: BitwiseCodec<V2>(version: 2)), third)
                == .tooOld(kind: "add", version: 2, oldest: 3)
        )
        #expect(
            error(try write([.reset], by: third), try BitwiseCodec<V2>(version: 2))
                == .tooNew(kind: "add", version: 3, newest: 2)
        )
        guard
            case .otherLayout(_, 3, let written, let expected) = error(
                try write([.reset], by: BitwiseCodec<V2>(version: 3)),
                third
            )
        else {
            Issue.record("the other layout was not noticed")
            return
        }
        #expect(written.contains("add") && written != expected)
        guard case .otherEncoding = error(try write([.reset], by: CodableCodec<V3>(version: 3)), third) else {
            Issue.record("the other encoding was not noticed")
            return
        }
    }

    @Test func unknownKindsFollowThePolicy() throws {
        let bytes = try write([.reset, .pause, .reset, .add(1, twice: true)], by: CodableCodec<V3>(version: 1))
        let codec = try CodableCodec<Fewer>(version: 1)
        #expect {
            try read(bytes, by: codec)
        } throws: { error in
            guard case RecordFileError.unknownKind(_, _, "pause", 2) = error else { return false }
            return true
        }
        let skipped = try read(bytes, by: codec, unknownKinds: .skip)
        #expect(skipped.actions == [.reset, .reset] && skipped.unknown == 2)

        try withFolder { folder in
            let path = folder + "/parked.mrj"
            #expect(try read(bytes, by: codec, unknownKinds: .park(path: path)).unknown == 2)
            try expectPythonAgrees(path)
            var reader = try RecordReader(path: path, codec: CodableCodec<V3>(version: 1))
            #expect(reader.frames.header.purpose == .parked)
            let first = try reader.next()
            #expect(first?.action == .pause && first?.head.sequence == 2)
            let second = try reader.next()
            #expect(second?.action == .add(1, twice: true) && second?.head.sequence == 4)
            #expect(try reader.next() == nil)
        }
    }

    @Test func jsonThatIsNoValueIsRefused() throws {
        let codec = try CodableCodec<Double>(version: 1)
        for number in [Double.nan, .infinity, -.infinity, 0.1] {
            let read = try read(write([number], by: codec), by: codec).actions[0]
            #expect(read == number || read.isNaN && number.isNaN)
        }
        var damaged = Array("[1".utf8)
        _ = damaged.withUnsafeMutableBytes { bytes in
            #expect(throws: CodecError.self) { try codec.decode(UnsafeRawBufferPointer(bytes), route: 0) }
        }
    }
}
