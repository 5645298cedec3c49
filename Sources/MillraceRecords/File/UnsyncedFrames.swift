// SPDX-License-Identifier: Apache-2.0

/// The last frames of a file: those of which no later frame says that they are on the disk.
package struct UnsyncedFrames: Sendable {
    /// The offset of the first of these frames; nil if there is none.
    package private(set) var offset: Int?
    private var syncedThrough: UInt64 = 0

    mutating func add(_ frame: FrameHeader, at offset: Int) {
        // The first frame with a higher `syncedThrough` was written after that sync; all frames before it were written
        // before the sync.
        if self.offset == nil || frame.syncedThrough > syncedThrough { self.offset = offset }
        syncedThrough = max(syncedThrough, frame.syncedThrough)
    }
}
