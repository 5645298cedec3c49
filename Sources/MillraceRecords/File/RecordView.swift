// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// A record of a file, not decoded, without the texts of its source. Plain bits: passing it on retains nothing.
package struct RecordView {
    package let content: RawRecord.Content
    package let sequence: UInt64
    package let cause: ActionCause
    package let time: ActionTime
    /// The number of the source in the file; 0: the file does not say.
    let source: Int
    /// The offset of the record in the file.
    package let offset: Int
    /// The encoded value, until the reader is asked for the next record or is gone.
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

    /// Copies views of the next records to `target`, and returns how many: fewer than there is room for at the end of a
    /// frame, and 0 at the end of the file, which ``end`` then describes.
    ///
    /// An error is thrown by the call after the one that returned the last record before it.
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
            // A record that is not valid stays where the next call begins, and throws again then.
            if count == 0 { throw error }
        }
        return count
    }
}
