// SPDX-License-Identifier: Apache-2.0

/// The end of a segment of a journal, as the next segment records it. Everything before this end was on the disk.
package struct KnownEnd: Hashable, Sendable {
    /// The offset at which the file ends. Bytes after it were never acknowledged.
    package var offset: Int
    /// The checksum of its last frame's header.
    package var checksum: UInt32
    /// The sequence after its last action.
    package var nextSequence: UInt64

    /// Creates an end.
    package init(offset: Int, checksum: UInt32, nextSequence: UInt64) {
        self.offset = offset
        self.checksum = checksum
        self.nextSequence = nextSequence
    }
}
