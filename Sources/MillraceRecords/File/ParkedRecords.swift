// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A file of the records whose kinds a reader did not know. It gets its name when all of it is on the disk.
package struct ParkedRecords: ~Copyable {
    private var frames: FrameBuilder
    private var sink: FrameSink
    private let path: String
    private var isKept = false

    package init(path: String, beside header: RecordFileHeader, from sequence: UInt64) throws(RecordFileError) {
        var header = header
        header.purpose = .parked
        header.firstSequence = sequence
        let frames = try FrameBuilder(header: header)
        sink = try FrameSink.create(FrameSink.temporary(path), beginning: frames.headerBytes)
        self.path = path
        self.frames = frames
    }

    deinit { if !isKept { sink.remove() } }

    /// Writes a record as it is, in a frame of its own: the sequences are not consecutive.
    package mutating func append(_ record: RawRecord, kind: Int) throws(RecordFileError) {
        frames.append(bytes: record.bytes, kind: UInt16(kind), record.head)
        try sink.write(frames.seal(syncedThrough: 0) { Array($0) })
    }

    /// Syncs the file, and gives it its name. Nothing more may be appended.
    package mutating func keep() throws(RecordFileError) {
        guard !isKept else { return }
        try sink.rename(to: path)
        isKept = true
    }

    /// Returns the sequence of the last record of a file; 0: it has none, because its writer was stopped before. Throws
    /// `exists` if the file is not one of parked records of this journal.
    package static func lastSequence(path: String, of journal: JournalID) throws(RecordFileError) -> UInt64 {
        var reader: FrameReader
        do {
            reader = try FrameReader(path: path)
        } catch .cutHeader {
            return 0
        } catch .notARecordFile where isEmpty(path) {
            return 0
        } catch .notARecordFile {
            throw .exists(path: path)
        }
        guard reader.header.purpose == .parked, reader.header.journal == journal else { throw .exists(path: path) }
        var last: UInt64 = 0
        while let record = try reader.next() { last = record.head.sequence }
        return last
    }

    private static func isEmpty(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.size] as? Int == 0
    }
}
