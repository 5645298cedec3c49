// SPDX-License-Identifier: Apache-2.0

/// How a journal keeps its files.
package struct JournalOptions: Hashable, Sendable {
    /// The size of a segment. A segment with a frame that is larger grows.
    package var segmentBytes = 64 << 20
    /// How many segments are written with zeros and synced ahead of time.
    package var stock = 2
    /// Whether another thread writes these zeros. If not, the writer writes them when it needs a segment.
    package var preparesAhead = true
    /// Whether a folder that is in memory only is refused.
    package var requiresDisk = true
    /// The largest frame that is read.
    package var maximumFrame = 256 << 20

    package init() {}
}
