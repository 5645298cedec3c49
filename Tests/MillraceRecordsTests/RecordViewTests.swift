// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRecords
import Testing

/// Records read several at a time are those read one by one, whatever the bytes are.
@Suite struct RecordViewTests {
    private struct Found: Equatable {
        var records: [String] = []
        var error: String?
        var end: RecordFileEnd?
    }

    /// Three frames of five actions, with causes and sources, and what one frame has besides actions.
    private func file() throws -> [UInt8] {
        let codec = try BitwiseCodec<Order>(version: 1)
        var header = RecordFileHeader(purpose: .segment, journal: JournalID(low: 1, high: 2))
        header.add(codec.schema, as: .action)
        var builder = try FrameBuilder(header: header)
        var bytes = builder.headerBytes
        for frame in 0..<3 {
            for index in 0..<5 {
                let head = RecordHead(
                    sequence: builder.nextSequence,
                    cause: index == 2 ? ActionCause(parent: 1, root: 1, parentShard: 2, rootShard: 3) : .none,
                    time: ActionTime(nanosecondsSince1970: Int64(index)),
                    source: index == 1 ? ActionSource(file: "A/b.swift", function: "f()", line: UInt(frame)) : nil
                )
                try builder.append(orders[(frame * 5 + index) % orders.count], head, by: codec)
            }
            [1, 2, 3].withUnsafeBytes { builder.append(reserved: 0xFF00, $0) }
            builder.seal(syncedThrough: builder.nextSequence - 1) { bytes += $0 }
        }
        return bytes
    }

    private func text(_ record: RawRecord) -> String {
        "\(record.content) \(record.head) \(record.offset) \(Array(record.bytes))"
    }

    private func oneByOne(_ bytes: [UInt8]) throws -> Found {
        var reader = try FrameReader(bytes: bytes)
        var found = Found()
        do {
            while let record = try reader.next() { found.records.append(text(record)) }
        } catch {
            found.error = "\(error)"
        }
        found.end = reader.end
        return found
    }

    private func several(_ most: Int, _ bytes: [UInt8]) throws -> Found {
        var reader = try FrameReader(bytes: bytes)
        var found = Found()
        let views = UnsafeMutableBufferPointer<RecordView>.allocate(capacity: most)
        defer { views.deallocate() }
        do {
            while true {
                let count = try reader.next(into: views)
                if count == 0 { break }
                // After the whole batch was read: its bytes are still valid.
                for view in views[..<count] { found.records.append(text(reader.record(of: view))) }
            }
        } catch {
            found.error = "\(error)"
        }
        found.end = reader.end
        return found
    }

    @Test(arguments: [1, 2, 4, 5, 100])
    func likeOneByOne(_ most: Int) throws {
        let bytes = try file()
        let found = try oneByOne(bytes)
        #expect(found.records.count == 18 && found.error == nil)
        #expect(try several(most, bytes) == found)
    }

    @Test func errorsComeAfterTheRecordsBeforeThem() throws {
        let bytes = try file()
        var errors = 0
        for offset in bytes.indices.dropFirst(try headerLength(bytes)) {
            var changed = bytes
            changed[offset] ^= 0xFF
            // The frame's checksum is made right, so that the change comes to the reader of records.
            mendFrames(&changed, of: bytes)
            let found = try oneByOne(changed)
            if found.error != nil { errors += 1 }
            #expect(try several(3, changed) == found)
            #expect(try several(100, changed) == found)
        }
        #expect(errors > 100)
    }

    private func headerLength(_ bytes: [UInt8]) throws -> Int { try FrameReader(bytes: bytes).position }

    private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Computes the checksums of all frames anew. The frames are where they were in the file before the change.
    private func mendFrames(_ bytes: inout [UInt8], of original: [UInt8]) {
        func set(_ offset: Int, _ word: UInt32) {
            for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: word >> UInt32(index * 8)) }
        }
        guard var start = try? headerLength(original) else { return }
        let file = word(original, start - 4)
        var predecessor = file
        while start < bytes.count {
            let end = start + 64 + Int(word(original, start + 4))
            set(start + 40, CRC32C.checksum(of: Array(bytes[(start + 64)..<end])))
            set(start + 44, predecessor)
            predecessor = bytes.withUnsafeBytes { all in
                CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: all[start..<start + 60]), continuing: file)
            }
            set(start + 60, predecessor)
            start = end
        }
    }
}
