// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// A record of a file, not decoded, without the texts of its source. It holds no references, so a copy counts none.
package struct RecordView {
    package let content: RawRecord.Content
    package let sequence: UInt64
    package let cause: ActionCause
    package let time: ActionTime
    /// The number of the source in the file; 0 if the file has no source for the record.
    let source: Int
    /// The offset of the record in the file.
    package let offset: Int
    /// The encoded value. The pointer is valid until the reader reads the next frame or is released.
    package let bytes: UnsafeRawBufferPointer
}

extension FrameReader {
    /// Returns the record of a view, with its source if this reader reads sources.
    package func record(of view: borrowing RecordView) -> RawRecord {
        RawRecord(
            content: view.content,
            head: RecordHead(
                sequence: view.sequence,
                cause: view.cause,
                time: view.time,
                source: view.source == 0 || !readsSources ? nil : sources[view.source - 1]
            ),
            offset: view.offset,
            bytes: view.bytes
        )
    }

    /// Copies views of the next records to `target`, and returns their number. It is less than the size of `target` at
    /// the end of a frame, and 0 at the end of the file, which ``end`` then describes.
    ///
    /// If a record is not valid, this call returns the records before it, and the next call throws the error.
    package mutating func next(into target: UnsafeMutableBufferPointer<RecordView>) throws(RecordFileError) -> Int {
        var count = 0
        do throws(RecordFileError) {
            while count < target.count {
                if cursor >= payload.count {
                    // The bytes of a frame are valid until the next one is read.
                    if count > 0 { break }
                    guard try beginFrame() else { return 0 }
                    continue
                }
                guard let view = try readRecord() else { continue }
                target.initializeElement(at: count, to: view)
                count += 1
            }
        } catch {
            // The next call begins at the record that is not valid, and throws its error.
            if count == 0 { throw error }
        }
        return count
    }
}
