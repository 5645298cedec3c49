// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension FrameBuilder {
    /// Returns the index of a source, and writes its texts if it is new.
    @usableFromInline
    mutating func sourceIndex(of source: ActionSource) -> UInt32 {
        let (index, isNew) = sources.index(of: source)
        if isNew { append(texts: source, index: index) }
        return index
    }

    @inline(never)
    private mutating func append(texts source: ActionSource, index: UInt32) {
        // Longer texts are cut.
        func cut(_ text: String) -> String { String(decoding: text.utf8.prefix(65_535), as: UTF8.self) }
        let (file, function, info) = (cut(source.file), cut(source.function), source.info.map(cut))
        let start = begin(kind: FileFormat.textKind, source: index, .none, ActionTime(nanosecondsSince1970: 0))
        buffer.append(UInt64(source.line))
        buffer.append(UInt32(file.utf8.count))
        buffer.append(UInt32(function.utf8.count))
        buffer.append(UInt32(info?.utf8.count ?? 0))
        buffer.append((info == nil ? 0 : 1) as UInt32)
        buffer.append(0 as UInt64)
        buffer.append(text: file)
        buffer.append(text: function)
        if let info { buffer.append(text: info) }
        end(start, hasCause: false)
    }

    /// Writes the head of a record, and returns its offset. `end` sets the length.
    @usableFromInline
    mutating func begin(kind: UInt16, source: UInt32, _ cause: ActionCause, _ time: ActionTime) -> Int {
        let start = buffer.count
        let hasCause = cause != .none
        let place = buffer.extend(by: hasCause ? FileFormat.recordHead + FileFormat.causeBytes : FileFormat.recordHead)
        func set<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, _ offset: Int) {
            place.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
        }
        set(0 as UInt32, 0)
        set(kind, 4)
        set(hasCause ? FileFormat.hasCause : 0, 6)
        set(source, 8)
        set(0 as UInt32, 12)
        set(time.nanosecondsSince1970, 16)
        if hasCause {
            set(cause.parent, 24)
            set(cause.root, 32)
            set(cause.parentShard, 40)
            set(cause.rootShard, 42)
            set(0 as UInt32, 44)
        }
        return start
    }

    /// Sets the length of a record, and pads the record. If the frame has become too large, removes the record and
    /// returns false.
    @usableFromInline
    @discardableResult
    mutating func end(_ start: Int, hasCause: Bool) -> Bool {
        guard buffer.count <= FileFormat.largestFrame else {
            buffer.removeAll(from: start)
            return false
        }
        let head = hasCause ? FileFormat.recordHead + FileFormat.causeBytes : FileFormat.recordHead
        buffer.set(UInt32(buffer.count - start - head), at: start)
        buffer.pad()
        return true
    }

    @usableFromInline
    func wrongKind(_ kind: Int, _ schema: RecordSchema) -> CodecError {
        .notEncodable(
            type: schema.type.name,
            reason: "its kind \(kind) is not one of the \(schema.kinds.count) of the file"
        )
    }

    @usableFromInline
    func tooLarge(_ schema: RecordSchema) -> CodecError {
        .notEncodable(type: schema.type.name, reason: "a frame of more than 1 GiB would not be readable")
    }

    @usableFromInline
    mutating func count(_ sequence: UInt64) {
        if actions == 0, sequence > first { first = sequence }
        actions += 1
    }
}
