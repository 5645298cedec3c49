// SPDX-License-Identifier: Apache-2.0

/// What a segment of a journal says of the one before it: all of that was on the disk, up to here.
package struct KnownEnd: Hashable, Sendable {
    /// Where the file ends. What follows was never acknowledged.
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
