// SPDX-License-Identifier: Apache-2.0

/// A file that a ``FrameReader`` reads, wherever its bytes are.
package protocol RandomAccess {
    /// The number of bytes at present.
    func size() throws(RecordFileError) -> Int

    /// Copies bytes from an offset: fewer than there is room for only at the end of the file.
    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(RecordFileError) -> Int
}
