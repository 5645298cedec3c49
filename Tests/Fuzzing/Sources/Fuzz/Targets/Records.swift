// SPDX-License-Identifier: Apache-2.0

import MillraceCore

@testable import MillraceRecords

/// Files of records. The first byte: bit 0, whether the checksums are made right.
let recordsTarget = FuzzTarget(name: "records", mostBytes: 4096, seeds: recordSeeds) { input in
    var choices = Choices(input)
    let isForged = choices.byte() % 2 == 1
    let bytes = isForged ? withChecksums(choices.rest()) : choices.rest()
    let first = scan(bytes)
    expect(scan(bytes) == first, "read twice, it is not the same")
    if case .failure(let error) = first { expect(!error.description.isEmpty, "an error without words") }
    guard case .success(let actions) = read(bytes) else { return }
    rewrite(actions)
}

private struct Scan: Equatable {
    var records: [RawRecord.Content] = []
    var heads: [RecordHead] = []
    var end: RecordFileEnd?
    var header: RecordFileHeader
}

/// Reads every record, and checks where it is.
private func scan(_ bytes: [UInt8]) -> Result<Scan, RecordFileError> {
    do throws(RecordFileError) {
        var reader = try FrameReader(bytes: bytes)
        var scan = Scan(header: reader.header)
        var place = 0
        while let record = try reader.next() {
            expect(record.offset > place, "the record at \(record.offset) follows the one at \(place)")
            expect(record.offset + record.bytes.count <= bytes.count, "a record beyond the end of its file")
            place = record.offset
            _ = reader.kind(of: record)
            scan.records.append(record.content)
            scan.heads.append(record.head)
        }
        scan.end = reader.end
        switch reader.end {
        case .ended(let offset), .open(let offset): expect(offset <= bytes.count, "an end at \(offset)")
        case .torn(let tail): expect(tail.offset + tail.bytes == bytes.count, "\(tail) in \(bytes.count) bytes")
        case nil: expect(false, "a file without an end")
        }
        return .success(scan)
    } catch {
        return .failure(error)
    }
}

private func read(_ bytes: [UInt8]) -> Result<[RecordedAction<FuzzAction>], RecordFileError> {
    do throws(RecordFileError) {
        var reader = try RecordReader(FrameReader(bytes: bytes), codec: FuzzAction.codec, unknownKinds: .skip)
        var actions: [RecordedAction<FuzzAction>] = []
        while let action = try reader.next() { actions.append(action) }
        return .success(actions)
    } catch {
        return .failure(error)
    }
}

/// What was read is written, and read again as the same.
private func rewrite(_ actions: [RecordedAction<FuzzAction>]) {
    do throws(RecordFileError) {
        var header = RecordFileHeader(purpose: .segment, firstSequence: actions.first?.head.sequence ?? 1)
        header.add(FuzzAction.codec.schema, as: .action)
        var writer = try FrameWriter(header: header, frameBytes: 256, codec: FuzzAction.codec)
        for action in actions { try writer.append(action.action, action.head) }
        guard case .success(let again) = read(try writer.takeBytes()) else {
            return expect(false, "what was written cannot be read")
        }
        expect(again.map(\.action) == actions.map(\.action), "actions were written as others")
        expect(again.map(\.head) == actions.map(\.head), "heads were written as others: \(again) \(actions)")
    } catch {
        expect(false, "what was read cannot be written: \(error)")
    }
}

@Sendable private func recordSeeds() -> [(name: String, bytes: [UInt8])] {
    do {
        var header = RecordFileHeader(purpose: .segment, journal: JournalID(low: 1, high: 2), created: recordTime)
        header.add(FuzzAction.codec.schema, as: .action)
        var writer = try FrameWriter(header: header, codec: FuzzAction.codec)
        for (number, action) in FuzzAction.samples.enumerated() {
            let source = ActionSource(file: "a.swift", function: "f()", line: UInt(number), info: "i")
            let cause =
                number % 2 == 0 ? ActionCause.none : ActionCause(parent: 1, root: 1, parentShard: 0, rootShard: 0)
            let head = RecordHead(sequence: UInt64(number + 1), cause: cause, time: recordTime, source: source)
            try writer.append(action, head)
            if number % 3 == 2 { try writer.flush() }
        }
        let open = try writer.takeBytes()
        try writer.finish()
        let closed = open + (try writer.takeBytes())
        return [
            ("open", [0] + open), ("closed", [0] + closed), ("forged", [1] + closed),
            ("torn", [0] + open.dropLast(9)), ("zeros", [0] + open + [UInt8](repeating: 0, count: 100)),
            ("header", [1] + open.prefix(200)),
        ]
    } catch {
        expect(false, "\(error)")
        return []
    }
}
