// SPDX-License-Identifier: Apache-2.0

/// The last frames of a file: those of which no later frame says that they are on the disk.
package struct UnsyncedFrames: Sendable {
    /// Where the first of them begins; nil if there is none.
    package private(set) var offset: Int?
    private var syncedThrough: UInt64 = 0

    mutating func add(_ frame: FrameHeader, at offset: Int) {
        // The first frame that says more was written after the sync, all before it before the sync.
        if self.offset == nil || frame.syncedThrough > syncedThrough { self.offset = offset }
        syncedThrough = max(syncedThrough, frame.syncedThrough)
    }
}
