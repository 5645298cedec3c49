// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCore
import MillraceRecords

/// The cost of a record: encoded into frames in memory, with their checksums, and decoded again. No file is written.
struct RecordsSection: Section {
    let id = "records"

    /// 64 bytes without padding, of an enum of three cases.
    enum Trade: BitwiseCopyable {
        case bought(
            id: UInt64,
            cents: Int64,
            amount: Double,
            account: UInt64,
            venue: UInt64,
            book: UInt64,
            flags: UInt64
        )
        case sold(id: UInt64, cents: Int64, amount: Double, account: UInt64, venue: UInt64, book: UInt64, flags: UInt64)
        case halted
    }

    /// The same in JSON.
    private enum Order: Codable {
        case placed(id: UInt64, cents: Int64, symbol: String)
        case cancelled(id: UInt64)
    }

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let trades = try BitwiseCodec<Trade>(version: 1)
        let orders = try CodableCodec<Order>(version: 1)
        let order = { @Sendable (index: Int) in
            index % 2 == 0
                ? Order.placed(id: UInt64(index), cents: Int64(index), symbol: "MILL") : .cancelled(id: UInt64(index))
        }
        let none = [Target(figure: .mallocs, atMost: 0)]
        let rows = [
            try await row(writing("bitwise, 64 bytes: write", trades, Self.trade), pairing, none),
            try await row(reading("bitwise, 64 bytes: read and check", trades, Self.trade), pairing, []),
            try await row(writing("JSON: write", orders, order, share: 0.01), pairing, []),
            try await row(reading("JSON: read", orders, order, share: 0.01), pairing, []),
            try await row(checksums(), pairing, none),
        ]
        return [
            Table(
                title: "Records with their source, in frames of 64 KiB in memory; checksums by "
                    + (CRC32C.isHardware ? "instructions" : "a table"),
                rows: rows
            )
        ]
    }

    private func row(_ contender: Contender, _ pairing: Pairing, _ targets: [Target]) async throws -> Row {
        let time = try await pairing.measure(contender, runs: pairing.pairs)
        return Row(contender.name, time: time, mallocs: try await pairing.mallocs(contender), targets: targets)
    }

    @Sendable
    nonisolated static func trade(_ index: Int) -> Trade {
        let id = UInt64(index)
        let (cents, amount) = (Int64(index), Double(index))
        return index % 2 == 0
            ? .bought(id: id, cents: cents, amount: amount, account: 1, venue: 2, book: 3, flags: 0)
            : .sold(id: id, cents: cents, amount: amount, account: 1, venue: 2, book: 3, flags: 0)
    }

    nonisolated static func header<Codec: ActionCodec>(_ codec: Codec) -> RecordFileHeader {
        var header = RecordFileHeader(purpose: .segment)
        header.add(codec.schema, as: .action)
        return header
    }

    private func writing<Codec: ActionCodec>(
        _ name: String,
        _ codec: Codec,
        _ make: @escaping @Sendable (Int) -> Codec.Action,
        share: Double = 1
    ) -> Contender {
        let header = Self.header(codec)
        return Contender(name, share: share) { operations in
            var frames = try FrameBuilder(header: header, capacity: 80_000)
            let head = RecordHead(sequence: 0, time: .now, source: .here())
            let start = DispatchTime.now().uptimeNanoseconds
            var bytes = 0
            for index in 0..<operations {
                try frames.append(make(index), head, by: codec)
                if frames.bytes >= 65_536 { bytes += frames.seal(syncedThrough: 0) { $0.count } }
            }
            bytes += frames.seal(syncedThrough: 0) { $0.count }
            let time = DispatchTime.now().uptimeNanoseconds - start
            guard bytes > operations * 24, frames.nextSequence == UInt64(operations) + 1 else {
                throw BenchmarkError.wrongResult(
                    contender: name,
                    expected: "\(operations) records",
                    found: "\(frames.nextSequence - 1) in \(bytes) bytes"
                )
            }
            return time
        }
    }

    private func reading<Codec: ActionCodec>(
        _ name: String,
        _ codec: Codec,
        _ make: @escaping @Sendable (Int) -> Codec.Action,
        share: Double = 1
    ) -> Contender {
        let header = Self.header(codec)
        return Contender(name, share: share) { operations in
            var writer = try FrameWriter(header: header, codec: codec)
            let head = RecordHead(sequence: 0, time: .now, source: .here())
            for index in 0..<operations { try writer.append(make(index), head) }
            let bytes = try writer.takeBytes()
            let start = DispatchTime.now().uptimeNanoseconds
            var reader = try RecordReader(FrameReader(bytes: bytes), codec: codec)
            var count = 0
            while try reader.next() != nil { count += 1 }
            let time = DispatchTime.now().uptimeNanoseconds - start
            guard count == operations else {
                throw BenchmarkError.wrongResult(contender: name, expected: "\(operations)", found: "\(count)")
            }
            return time
        }
    }

    /// The checksum of 4,096 bytes is one operation.
    private func checksums() -> Contender {
        let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        return Contender("CRC32C of 4,096 bytes", share: 0.1) { operations in
            var checksum: UInt32 = 0
            let start = DispatchTime.now().uptimeNanoseconds
            bytes.withUnsafeBytes { bytes in
                for _ in 0..<operations { checksum = CRC32C.checksum(of: bytes, continuing: checksum) }
            }
            let time = DispatchTime.now().uptimeNanoseconds - start
            guard checksum != 0 else {
                throw BenchmarkError.wrongResult(contender: "CRC32C", expected: "a checksum", found: "0")
            }
            return time
        }
    }
}
