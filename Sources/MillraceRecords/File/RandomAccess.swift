// SPDX-License-Identifier: Apache-2.0

/// A source of bytes that a ``FrameReader`` can read like a file.
package protocol RandomAccess {
    /// The number of bytes at present.
    func size() throws(RecordFileError) -> Int

    /// Copies bytes from an offset until `target` is full or the file ends. Returns the number of bytes.
    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(RecordFileError) -> Int
}
