// SPDX-License-Identifier: Apache-2.0

import MillraceRecords
import TestSupport
import Testing

private struct Pointed: BitwiseCopyable { var number: Int; var inner: Inner }
private struct Inner: BitwiseCopyable { var note: UnsafePointer<Int>? }
private struct Unseen: BitwiseCopyable { var vector: SIMD4<Float> }
private struct Row: BitwiseCopyable, Equatable {
    var a: UInt8
    var pair: (Int16, Double)
    var b: Bool?
    var fixed: InlineArray<3, Side?>

    static func == (left: Row, right: Row) -> Bool {
        left.a == right.a && left.pair == right.pair && left.b == right.b
            && (0..<3).allSatisfy { left.fixed[$0] == right.fixed[$0] }
    }
}
private enum OrNever: BitwiseCopyable, Equatable { case never(Never), other }
private enum Only: BitwiseCopyable, Equatable { case one(UInt32, Bool) }
private enum Wide: BitwiseCopyable, Equatable {
    case a(UInt64), b(UInt64), c(Double), d(Optional<Optional<Bool>>), e, f
}

@Suite struct BitwiseCodecTests {
    private func bytes<Value>(_ value: Value, _ codec: BitwiseCodec<Value>) throws -> [UInt8] {
        var buffer = RecordBuffer()
        try codec.encode(value, into: &buffer)
        return buffer.withUnsafeBytes { Array($0) }
    }

    private func decoded<Value>(_ bytes: [UInt8], _ codec: BitwiseCodec<Value>) throws(CodecError) -> Value {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        return try codec.decode(UnsafeRawBufferPointer(rebasing: copy[..<bytes.count]), route: 0)
    }

    @Test func theCaseOfATypeWithoutValuesIsNone() throws {
        let codec = try BitwiseCodec<OrNever>(version: 1)
        let value = try bytes(OrNever.other, codec)
        #expect(try decoded(value, codec) == .other)
        // A value that is none is not printed: that would follow a tag without a case.
        let accepted = (UInt8.min ... .max).filter { (try? decoded([$0], codec)) != nil }
        #expect(accepted == value)
    }

    @Test func valuesOfEveryShapeComeBack() throws {
        let codec = try BitwiseCodec<Order>(version: 1)
        for order in orders { #expect(try decoded(bytes(order, codec), codec) == order) }
        #expect(codec.schema.kinds == ["placed", "moved", "flagged", "named", "tick", "closed"])
        #expect(orders.map { codec.kind(of: $0) } == [0, 1, 1, 2, 2, 3, 4, 5])

        let rows = try BitwiseCodec<Row>(version: 1)
        let row = Row(a: 1, pair: (-2, 0.5), b: nil, fixed: [.sell, nil, .buy])
        #expect(try decoded(bytes(row, rows), rows) == row)
        #expect(rows.schema.kinds == ["Row"])

        let only = try BitwiseCodec<Only>(version: 1)
        #expect(try decoded(bytes(.one(9, true), only), only) == .one(9, true))
        let wide = try BitwiseCodec<Wide>(version: 1)
        for value in [Wide.a(.max), .b(0), .c(-1), .d(nil), .d(.some(nil)), .d(true), .e, .f] {
            #expect(try decoded(bytes(value, wide), wide) == value)
        }
    }

    @Test func paddingIsZeroedSoEqualValuesHaveEqualBytes() throws {
        /// Writes values into memory full of ones, so that their padding holds ones.
        func dirty<Value: BitwiseCopyable>(_ value: Value) throws {
            let codec = try BitwiseCodec<Value>(version: 1)
            let clean = try bytes(value, codec)
            for fill in [UInt8(0), 0xFF, 0xA5] {
                let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
                defer { place.deallocate() }
                let raw = UnsafeMutableRawPointer(place)
                raw.initializeMemory(as: UInt8.self, repeating: fill, count: MemoryLayout<Value>.stride)
                place.pointee = value
                #expect(try bytes(place.pointee, codec) == clean)
            }
        }
        try dirty(Price(scale: 1, units: 2, isFinal: true))
        for order in orders { try dirty(order) }
        try dirty(Row(a: 1, pair: (1, 2), b: true, fixed: [nil, Side.none, .sell]))
        #expect(
            try bytes(Price(scale: 1, units: 2, isFinal: true), BitwiseCodec(version: 1))[1..<8].allSatisfy { $0 == 0 }
        )
    }

    @Test func aFieldThatCannotBeWrittenIsNamed() throws {
        #expect {
            try BitwiseCodec<Pointed>(version: 1)
        } throws: { error in
            guard case CodecError.layout(let layout) = error else { return false }
            return layout.path == "Pointed.inner.note.some" && layout.reason == .reference
        }
        #expect {
            try BitwiseCodec<Unseen>(version: 1)
        } throws: { error in
            guard case CodecError.layout(let layout) = error else { return false }
            return layout.path.hasPrefix("Unseen.vector") && "\(error)".contains("Unseen.vector")
        }
        #expect(throws: CodecError.version(0)) { try BitwiseCodec<Order>(version: 0) }
    }

    @Test func bytesThatAreNoValueAreRefused() throws {
        let codec = try BitwiseCodec<Side>(version: 1)
        #expect(try decoded([2], codec) == .none)
        for byte in 3...255 { #expect(throws: CodecError.self) { try decoded([UInt8(byte)], codec) } }
        let flags = try BitwiseCodec<Bool>(version: 1)
        #expect(throws: CodecError.self) { try decoded([2], flags) }
        let scalars = try BitwiseCodec<Unicode.Scalar>(version: 1)
        #expect(throws: CodecError.self) { try decoded([0, 0xD8, 0, 0], scalars) }
        #expect(throws: CodecError.self) { try decoded([0, 0, 0], scalars) }
        #expect(throws: CodecError.self) { try decoded([0, 0, 0, 0, 0], scalars) }
    }

    /// Whatever is decoded is a value: it has the bytes that it was decoded from, but for padding.
    @Test func randomBytesAreAValueOrAnError() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        func check<Value: BitwiseCopyable & Equatable>(_ type: Value.Type, _ values: [Value]) throws {
            let codec = try BitwiseCodec<Value>(version: 1)
            let samples = try values.map { try bytes($0, codec) }
            var accepted = 0
            for _ in 0..<20_000 {
                var sample = samples.randomElement(using: &random)!
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    sample[Int.random(in: 0..<sample.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                guard let value = try? decoded(sample, codec) else { continue }
                accepted += 1
                let again = try bytes(value, codec)
                #expect(try decoded(again, codec) == value || "\(value)".contains("nan"), "seed \(seed)")
                // Every bit that counts is as it was.
                let kept = zip(sample, again).allSatisfy { $0 & $1 == $1 }
                #expect(kept, "seed \(seed): \(sample) became \(again)")
            }
            #expect(accepted > 0)
        }
        try check(Order.self, orders)
        try check(Wide.self, [.a(1), .b(2), .c(3), .d(true), .d(nil), .e, .f])
        try check(Row.self, [Row(a: 1, pair: (1, 2), b: true, fixed: [nil, Side.none, .sell])])
    }

    @Test func theLayoutSaysWhatDiffers() throws {
        struct First: BitwiseCopyable { var a: Int; var b: Side }
        struct Second: BitwiseCopyable { var b: Side; var a: Int }
        let first = try BitwiseCodec<First>(version: 1).schema.type
        let second = try BitwiseCodec<Second>(version: 1).schema.type
        #expect(first.fingerprint != second.fingerprint)
        #expect(first.layout.contains("a Int @0") && first.layout.contains("enum Side"))
        #expect(first.fingerprint == (try BitwiseCodec<First>(version: 9).schema.type.fingerprint))
    }

    @Test func paddingThatIsNotZeroIsWrittenAsZeros() throws {
        /// Generic, so that the value is copied with its padding.
        func bytesWithDirt<Value: BitwiseCopyable>(
            _ clean: [UInt8],
            _ padding: Range<Int>,
            as _: Value.Type
        ) throws -> [UInt8] {
            let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            defer { place.deallocate() }
            let raw = UnsafeMutableRawPointer(place)
            raw.copyMemory(from: clean, byteCount: clean.count)
            for index in padding { raw.storeBytes(of: 0xA5, toByteOffset: index, as: UInt8.self) }
            return try bytes(place.pointee, BitwiseCodec<Value>(version: 1))
        }
        let clean = try bytes(Price(scale: 1, units: 2, isFinal: true), BitwiseCodec(version: 1))
        #expect(try bytesWithDirt(clean, 1..<8, as: Price.self) == clean)
    }
}
