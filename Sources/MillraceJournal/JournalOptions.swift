// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

/// How a journal keeps its files.
package struct JournalOptions: Hashable, Sendable {
    /// The size of a segment. A segment with a frame that is larger grows.
    package var segmentBytes = 64 << 20
    /// How many segments are written with zeros and synced ahead of time.
    package var stock = 2
    /// Whether another thread writes these zeros. If not, the writer writes them when it needs a segment.
    package var preparesAhead = true
    /// Whether the writer writes these zeros when it needs a segment and there is none in stock. Without zeros a
    /// segment grows as it is written, which makes its syncs slower.
    package var needsZeros = true
    /// Whether a folder that is in memory only is refused.
    package var requiresDisk = true
    /// The largest frame that is read.
    package var maximumFrame = FileFormat.largestFrame

    package init() {}
}
