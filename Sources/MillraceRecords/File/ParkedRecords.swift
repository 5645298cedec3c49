// SPDX-License-Identifier: Apache-2.0

/// A file of the records whose kinds a reader did not know.
package struct ParkedRecords: ~Copyable {
    private var frames: FrameBuilder
    private var sink: FrameSink

    package init(path: String, beside header: RecordFileHeader, from sequence: UInt64) throws(RecordFileError) {
        var header = header
        header.purpose = .parked
        header.firstSequence = sequence
        let frames = try FrameBuilder(header: header)
        var sink = try FrameSink(path: path)
        try sink.write(frames.headerBytes)
        self.frames = frames
        self.sink = sink
    }

    /// Writes a record as it is, in a frame of its own: the sequences are not consecutive.
    package mutating func append(_ record: RawRecord, kind: Int) throws(RecordFileError) {
        frames.append(bytes: record.bytes, kind: UInt16(kind), record.head)
        try sink.write(frames.seal(syncedThrough: 0) { Array($0) })
    }

    package mutating func sync() throws(RecordFileError) {
        try sink.sync()
    }
}
