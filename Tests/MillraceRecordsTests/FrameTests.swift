// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords
import Testing

@Suite struct FrameTests {
    let codec: BitwiseCodec<Order>

    init() throws {
        codec = try BitwiseCodec(version: 1)
    }

    /// A head with a cause and a source for some.
    private func head(_ sequence: UInt64) -> RecordHead {
        RecordHead(
            sequence: sequence,
            cause: sequence % 3 == 0 ? ActionCause(parent: sequence - 1, root: 1, parentShard: 2, rootShard: 3) : .none,
            time: ActionTime(nanosecondsSince1970: Int64(sequence) * 1000),
            source: [nil, .here(info: "é \(sequence % 5)"), ActionSource(file: "A/b.swift", function: "f()", line: 7)][
                Int(sequence % 3)
            ]
        )
    }

    /// A file of four frames of two actions each, which says that all but the last were synced.
    private func file(frames: Int = 4, isEnded: Bool = false) throws -> (bytes: [UInt8], ends: [Int]) {
        var header = RecordFileHeader(
            purpose: .segment,
            journal: JournalID(low: 1, high: 2),
            created: ActionTime(nanosecondsSince1970: 5)
        )
        header.add(codec.schema, as: .action)
        var builder = try FrameBuilder(header: header)
        var bytes = builder.headerBytes
        var ends = [bytes.count]
        for frame in 0..<frames {
            let synced = builder.nextSequence - 1
            for index in 0..<2 {
                try builder.append(orders[(frame * 2 + index) % orders.count], head(builder.nextSequence), by: codec)
            }
            builder.seal(syncedThrough: synced, isLast: isEnded && frame == frames - 1) { bytes += $0 }
            ends.append(bytes.count)
        }
        return (bytes, ends)
    }

    /// The actions that a reader finds, and how it ends.
    private func read(_ bytes: [UInt8]) throws -> ([RecordedAction<Order>], RecordFileEnd?) {
        var reader = try RecordReader(FrameReader(bytes: bytes), codec: codec)
        var found: [RecordedAction<Order>] = []
        while let action = try reader.next() { found.append(action) }
        return (found, reader.frames.end)
    }

    /// Whether the actions are the first ones of the file, and nothing else.
    private func isPrefix(_ found: [RecordedAction<Order>]) -> Bool {
        found.enumerated().allSatisfy { index, recorded in
            recorded.head == head(UInt64(index + 1)) && recorded.action == orders[index % orders.count]
        }
    }

    @Test func actionsComeBackWithAllThatIsKnownOfThem() throws {
        let (bytes, ends) = try file(isEnded: true)
        let (found, end) = try read(bytes)
        #expect(found.count == 8 && isPrefix(found))
        #expect(found.map(\.kind)[..<3] == ["placed", "moved", "moved"])
        #expect(end == .ended(offset: ends.last!))
    }

    @Test(arguments: [(UInt64.max - 2, true), (.max - 1, false), (.max, false)])
    func sequencesDoNotWrapAround(_ first: UInt64, _ isRead: Bool) throws {
        var header = RecordFileHeader(purpose: .session, firstSequence: first)
        header.add(codec.schema, as: .action)
        var builder = try FrameBuilder(header: header)
        var bytes = builder.headerBytes
        for order in orders[..<2] {
            var next = head(1)
            next.sequence = builder.nextSequence
            try builder.append(order, next, by: codec)
        }
        builder.seal(syncedThrough: 0) { bytes += $0 }
        let (found, end) = try read(bytes)
        #expect(found.map(\.head.sequence) == (isRead ? [first, first + 1] : []))
        guard case .torn(let tail) = end else { return #expect(isRead) }
        #expect(!isRead && tail.reason == "its sequences are too large")
    }

    @Test func aFileThatIsCutAnywhereHasATornTail() throws {
        let (bytes, ends) = try file()
        for length in 0..<bytes.count {
            let cut = Array(bytes[..<length])
            guard length >= ends[0] else {
                #expect(throws: RecordFileError.self) { try read(cut) }
                continue
            }
            let (found, end) = try read(cut)
            let whole = ends.last { $0 <= length }!
            #expect(isPrefix(found) && found.count == ends.firstIndex(of: whole)! * 2)
            if whole == length {
                #expect(end == .open(offset: whole))
            } else {
                guard case .torn(let tail) = end else {
                    Issue.record("cut at \(length): \(String(describing: end))")
                    return
                }
                #expect(
                    tail.offset == whole && tail.bytes == length - whole && tail.lastSequence == UInt64(found.count)
                )
            }
            // Zeros that were written ahead change nothing, unless they complete a frame whose last bytes are zeros.
            let (again, _) = try read(cut + [UInt8](repeating: 0, count: 500))
            #expect(
                isPrefix(again)
                    && (again.count == found.count
                        || bytes[length..<ends.first { $0 > length }!].allSatisfy { $0 == 0 })
            )
        }
    }

    @Test func aChangedBitIsNeverTakenForRight() throws {
        let (bytes, ends) = try file()
        for offset in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[offset] ^= 1 << UInt8(bit)
                if offset < ends[0] {
                    #expect(throws: RecordFileError.self) { try read(changed) }
                    continue
                }
                let frame = ends.lastIndex { $0 <= offset }!
                do {
                    let (found, end) = try read(changed)
                    // The last two frames are said to be synced by none.
                    #expect(frame >= 3, "byte \(offset)")
                    #expect(isPrefix(found) && found.count == frame * 2, "byte \(offset)")
                    guard case .torn(let tail) = end else {
                        Issue.record("byte \(offset): \(String(describing: end))")
                        continue
                    }
                    #expect(tail.offset == ends[frame])
                } catch RecordFileError.damaged(_, let at, let first, let last, _) {
                    #expect(
                        frame < 3 && at == ends[frame] && first == UInt64(frame * 2 + 1) && last == 6,
                        "byte \(offset)"
                    )
                }
            }
        }
    }

    /// A frame whose sectors were lost while later ones reached the disk is a torn tail, unless it had been synced.
    @Test func aHoleIsDamageOnlyIfItHadBeenSynced() throws {
        let (bytes, ends) = try file()
        var hole = bytes
        for offset in ends[1]..<ends[2] { hole[offset] = 0 }
        #expect(
            throws: RecordFileError.damaged(
                path: "memory",
                offset: ends[1],
                firstLost: 3,
                lastLost: 6,
                reason: "there is no frame header"
            )
        ) {
            try read(hole)
        }
        hole = bytes
        for offset in ends[2]..<ends[3] { hole[offset] = 0 }
        #expect(throws: RecordFileError.self) { try read(hole) }

        var header = RecordFileHeader(purpose: .segment)
        header.add(codec.schema, as: .action)
        var builder = try FrameBuilder(header: header)
        var unsynced = builder.headerBytes
        for order in orders {
            try builder.append(order, head(builder.nextSequence), by: codec)
            builder.seal(syncedThrough: 0) { unsynced += $0 }
        }
        let start = builder.headerBytes.count
        for offset in start..<start + 64 { unsynced[offset] = 0 }
        let (found, end) = try read(unsynced)
        #expect(found.isEmpty)
        guard case .torn = end else {
            Issue.record("\(String(describing: end))")
            return
        }
    }

    /// Later sequences are allowed in a file, but not a frame in place of another one.
    @Test func aFrameThatIsMissingEndsTheFile() throws {
        var header = RecordFileHeader(purpose: .segment)
        header.add(codec.schema, as: .action)
        var builder = try FrameBuilder(header: header)
        var frames: [[UInt8]] = []
        for order in orders.prefix(3) {
            try builder.append(order, head(builder.nextSequence), by: codec)
            frames.append(builder.seal(syncedThrough: 0) { Array($0) })
        }
        #expect(try read(builder.headerBytes + frames.joined()).0.count == 3)
        let (found, end) = try read(builder.headerBytes + frames[0] + frames[2])
        #expect(found.count == 1)
        guard case .torn(let tail) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(tail.lastSequence == 1 && tail.bytes == frames[2].count)
    }

    private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func set(_ bytes: inout [UInt8], _ offset: Int, _ word: UInt32) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: word >> UInt32(index * 8)) }
    }

    /// Computes all checksums of a file anew.
    private func mend(_ bytes: inout [UInt8], _ ends: [Int]) {
        set(&bytes, ends[0] - 4, CRC32C.checksum(of: Array(bytes[..<(ends[0] - 4)])))
        var predecessor = word(bytes, ends[0] - 4)
        for (start, end) in zip(ends, ends.dropFirst()) {
            set(&bytes, start + 40, CRC32C.checksum(of: Array(bytes[(start + 64)..<end])))
            set(&bytes, start + 44, predecessor)
            predecessor = bytes.withUnsafeBytes { all in
                CRC32C.checksum(
                    of: UnsafeRawBufferPointer(rebasing: all[start..<start + 60]),
                    continuing: word(bytes, ends[0] - 4)
                )
            }
            set(&bytes, start + 60, predecessor)
        }
    }

    /// Bytes that a faulty program wrote: every checksum is right, and anything may stand under it.
    @Test func whatIsWrongUnderRightChecksumsIsAnError() throws {
        let (bytes, ends) = try file(frames: 2)
        var mended = bytes
        mend(&mended, ends)
        #expect(mended == bytes)

        for offset in bytes.indices {
            for value in [UInt8(0), 1, 0x7F, 0xFF] {
                var changed = bytes
                changed[offset] = value
                mend(&changed, ends)
                // Neither a trap nor more actions than there are. What else changes is what a writer may write.
                let count = (try? read(changed).0.count) ?? 0
                #expect(count <= 4)
            }
        }
    }

    @Test func framesOfAnotherFileAreNone() throws {
        let (bytes, ends) = try file(frames: 2)
        var header = RecordFileHeader(purpose: .segment, journal: JournalID(low: 9, high: 9))
        header.add(codec.schema, as: .action)
        let other = try FrameBuilder(header: header).headerBytes
        let (found, end) = try read(other + bytes[ends[0]...])
        #expect(found.isEmpty)
        guard case .torn(let tail) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(tail.offset == other.count)
        // A frame twice, or without the one before it, follows nothing.
        #expect(try read(Array(bytes[..<ends[1]] + bytes[ends[0]...])).0.count == 2)
        #expect(throws: RecordFileError.self) { try read(Array(bytes[..<ends[0]] + bytes[ends[1]...])) }
    }

    @Test func aFileIsWrittenAndReadByPythonToo() throws {
        try withFolder { folder in
            let path = folder + "/actions.mrj"
            var writer = try FrameWriter(path: path, purpose: .segment, frameBytes: 300, codec: codec)
            for sequence in 1...40 as ClosedRange<UInt64> {
                try writer.append(orders[Int(sequence) % orders.count], head(sequence))
                if sequence == 20 { try writer.flush(sync: true) }
            }
            let synced = writer.syncedThrough
            #expect(synced == 20)
            try writer.flush()
            try expectPythonAgrees(path)
            try writer.finish()
            try expectPythonAgrees(path)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)

            var reader = try RecordReader(path: path, codec: codec)
            var sequences: [UInt64] = []
            while let action = try reader.next() {
                #expect(action.head == head(action.head.sequence))
                sequences.append(action.head.sequence)
            }
            #expect(sequences == Array(1...40))
            #expect(throws: RecordFileError.exists(path: path)) {
                _ = try FrameWriter(path: path, purpose: .segment, codec: codec)
            }

            let (bytes, ends) = try file()
            for (name, changed) in [
                ("torn", Array(bytes.dropLast(5))), ("hole", bytes),
                ("zeros", bytes + [UInt8](repeating: 0, count: 64)),
            ] {
                var changed = changed
                if name == "hole" { changed[ends[0] + 70] ^= 1 }
                let path = "\(folder)/\(name)"
                try Data(changed).write(to: URL(fileURLWithPath: path))
                try expectPythonAgrees(path)
            }
        }
    }

    @Test func aReaderGoesOnWhenItsFileHasGrown() throws {
        try withFolder { folder in
            let path = folder + "/growing"
            var writer = try FrameWriter(path: path, purpose: .segment, codec: codec)
            var reader = try RecordReader(path: path, codec: codec)
            #expect(try reader.next() == nil)
            for sequence in 1...3 as ClosedRange<UInt64> {
                try writer.append(orders[0], head(sequence))
                try writer.flush()
                #expect(try reader.next()?.head.sequence == sequence)
                #expect(try reader.next() == nil)
            }
        }
    }

    @Test(arguments: [true, false]) func aNewFileIsNotWrittenThroughALink(hasTarget: Bool) throws {
        try withFolder { folder in
            let (link, target) = (folder + "/link", folder + "/target")
            if hasTarget { try Data("precious text".utf8).write(to: URL(fileURLWithPath: target)) }
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            #expect(throws: RecordFileError.exists(path: link)) {
                _ = try FrameWriter(path: link, purpose: .segment, codec: codec)
            }
            let found = FileManager.default.contents(atPath: target).map { String(decoding: $0, as: UTF8.self) }
            #expect(found == (hasTarget ? "precious text" : nil))
        }
    }

    @Test func whatIsNoFileOfRecordsIsSaid() throws {
        try withFolder { folder in
            #expect(throws: RecordFileError.self) { _ = try FrameReader(path: folder + "/none") }
            #expect(throws: RecordFileError.self) { _ = try FrameReader(path: folder) }
            #expect(throws: RecordFileError.notARecordFile(path: "memory")) {
                _ = try FrameReader(bytes: Array("hello".utf8))
            }
            #expect(throws: RecordFileError.notARecordFile(path: "memory")) { _ = try FrameReader(bytes: []) }
            let link = folder + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/file")
            try Data(file().bytes).write(to: URL(fileURLWithPath: folder + "/file"))
            #expect(throws: RecordFileError.self) { _ = try FrameReader(path: link) }
            #expect {
                var reader = try FrameReader(path: folder + "/file", maximumFrame: 100)
                _ = try reader.next()
            } throws: { error in
                guard case RecordFileError.frameTooLarge(_, _, let bytes, 100) = error else { return false }
                return bytes > 100
            }
        }
    }

    @Test func aFrameThatHasFewerActionsThanItSaysIsAnError() throws {
        let (right, ends) = try file(frames: 2)
        var bytes = right
        #expect(word(bytes, ends[0] + 16) == 2)
        set(&bytes, ends[0] + 16, 3)
        mend(&bytes, ends)
        #expect {
            try read(bytes)
        } throws: { error in
            guard case RecordFileError.malformed(_, _, let reason) = error else { return false }
            return reason == "the frame has 1 actions fewer than its header says"
        }
    }

    @Test func bytesAfterTheLastFrameAreAnError() throws {
        let (bytes, ends) = try file(isEnded: true)
        #expect(try read(bytes + [UInt8](repeating: 0, count: 20)).1 == .ended(offset: ends.last!))
        #expect(
            throws: RecordFileError.malformed(
                path: "memory",
                offset: ends.last!,
                reason: "bytes follow the last frame"
            )
        ) {
            try read(bytes + [UInt8](repeating: 0, count: 19) + [1])
        }
    }

    @Test func theUnsyncedFramesBeginWithTheFirstOneAfterTheLastSync() throws {
        var header = RecordFileHeader(purpose: .segment)
        header.add(codec.schema, as: .action)
        var builder = try FrameBuilder(header: header)
        var bytes = builder.headerBytes
        var starts: [Int] = []
        for synced in [0, 0, 1, 1, 1] as [UInt64] {
            starts.append(bytes.count)
            try builder.append(orders[0], head(builder.nextSequence), by: codec)
            builder.seal(syncedThrough: synced) { bytes += $0 }
        }
        for (frames, first) in [(1, 0), (2, 0), (3, 2), (5, 2)] {
            var reader = try FrameReader(bytes: Array(bytes[..<(frames < 5 ? starts[frames] : bytes.count)]))
            reader.isJournal = true
            while try reader.next() != nil {}
            let offset = reader.unsynced.offset
            #expect(offset == starts[first], "\(frames) frames")
        }
    }

    @Test func eachLineOfAFileIsASourceOfItsOwn() throws {
        var header = RecordFileHeader(purpose: .segment)
        header.add(codec.schema, as: .action)
        var builder = try FrameBuilder(header: header)
        // More than the writer remembers by their addresses.
        for line in 1...600 as ClosedRange<UInt> {
            let source = ActionSource(file: "A/b.swift", function: "f()", line: line)
            let head = RecordHead(sequence: UInt64(line), time: ActionTime(nanosecondsSince1970: 1), source: source)
            try builder.append(orders[0], head, by: codec)
        }
        var bytes = builder.headerBytes
        builder.seal(syncedThrough: 0) { bytes += $0 }
        #expect(try read(bytes).0.map { $0.head.source?.line } == Array(1...600))
    }
}
