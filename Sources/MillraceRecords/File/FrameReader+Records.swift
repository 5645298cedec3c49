// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

extension FrameReader {
    /// Returns the next record; nil at the end of the file, which ``end`` then describes.
    ///
    /// A call after the end looks at the file again, and goes on if the file has grown.
    ///
    /// - Throws: ``RecordFileError`` if the file cannot be read, is damaged, or does not follow the format.
    public mutating func next() throws(RecordFileError) -> RawRecord? {
        while true {
            if cursor >= payload.count {
                guard try beginFrame() else { return nil }
                continue
            }
            if let view = try readRecord() { return record(of: view) }
        }
    }

    /// Reads the next frame, after the last record of the previous one. Returns false at the end of the file.
    mutating func beginFrame() throws(RecordFileError) -> Bool {
        if actionsLeft > 0 { throw malformed("the frame has \(actionsLeft) actions fewer than its header says") }
        return try nextFrame()
    }

    private func malformed(_ reason: String) -> RecordFileError {
        .malformed(path: path, offset: frameOffset + cursor, reason: reason)
    }

    /// Reads the record at `cursor`. If it has the texts of a source, keeps the source and returns nil.
    @inline(__always)
    mutating func readRecord() throws(RecordFileError) -> RecordView? {
        let left = payload.count - cursor
        guard left >= FileFormat.recordHead else { throw malformed("\(left) bytes are no record") }
        let place = UnsafeRawPointer(payload.memory.baseAddress! + cursor)
        func get<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
            Number(littleEndian: place.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        let length = Int(get(0) as UInt32)
        let kind: UInt16 = get(4)
        let flags: UInt16 = get(6)
        let sourceIndex = Int(get(8) as UInt32)
        guard flags & ~FileFormat.hasCause == 0, get(12) == 0 as UInt32 else { throw malformed("unknown flags") }
        let head =
            flags & FileFormat.hasCause != 0 ? FileFormat.recordHead + FileFormat.causeBytes : FileFormat.recordHead
        let padded = (head + length + 7) & ~7
        guard padded <= left else { throw malformed("a record of \(length) bytes does not fit its frame") }
        let offset = frameOffset + cursor
        let bytes = UnsafeRawBufferPointer(start: place + head, count: length)

        if kind == FileFormat.textKind {
            guard sourceIndex == sources.count + 1, let source = Self.source(bytes) else {
                throw malformed("a wrong text")
            }
            sources.append(source)
            cursor += padded
            return nil
        }
        guard sourceIndex <= sources.count else { throw malformed("source \(sourceIndex) has no text before it") }
        var cause = ActionCause.none
        if flags & FileFormat.hasCause != 0 {
            cause = ActionCause(parent: get(24), root: get(32), parentShard: get(40), rootShard: get(42))
        }
        let sequence = nextSequence
        let content: RawRecord.Content
        if kind == FileFormat.endKind {
            guard length == FileFormat.endBytes else { throw malformed("an end of \(length) bytes") }
            content = .end(
                hash: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
                actions: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        } else if kind >= UInt16(FileFormat.largestKinds) {
            guard FileFormat.journalKinds.contains(kind) else { throw malformed("kind \(kind) is reserved") }
            content = .reserved(kind)
        } else {
            guard kind < header.kinds.count else { throw malformed("kind \(kind) is not in the header") }
            switch header.kinds[Int(kind)].role {
            case .state: content = .state(kind: Int(kind))
            case .action:
                guard actionsLeft > 0 else { throw malformed("the frame has more actions than its header says") }
                actionsLeft -= 1
                nextSequence &+= 1
                content = .action(kind: Int(kind))
            }
        }
        cursor += padded
        return RecordView(
            content: content,
            sequence: sequence,
            cause: cause,
            time: ActionTime(nanosecondsSince1970: get(16)),
            source: sourceIndex,
            offset: offset,
            bytes: bytes
        )
    }

    private static func source(_ bytes: UnsafeRawBufferPointer) -> ActionSource? {
        guard bytes.count >= FileFormat.textBytes else { return nil }
        func get<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
            Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        let lengths = [8, 12, 16].map { Int(get($0) as UInt32) }
        guard lengths.reduce(FileFormat.textBytes, +) == bytes.count else { return nil }
        var start = FileFormat.textBytes
        let texts = lengths.map { length in
            defer { start += length }
            return String(decoding: bytes[start..<start + length], as: UTF8.self)
        }
        let hasInfo = get(20) as UInt32 == 1
        return ActionSource(
            file: texts[0],
            function: texts[1],
            line: UInt(get(0) as UInt64),
            info: hasInfo ? texts[2] : nil
        )
    }
}
