// SPDX-License-Identifier: Apache-2.0

/// The content of an ``EventRing`` at one moment. It is a value: it does not change, and does not keep the ring alive.
///
/// ```swift
/// for entry in snapshot.entries {
///     print(entry.sequence, snapshot.text(entry[1]) ?? "unknown", entry[2])
/// }
/// ```
public struct EventRingSnapshot: Sendable, Hashable {
    /// The process that wrote the ring, and the data to convert its ticks to times.
    public let origin: EventRingOrigin

    /// The state of the writer: before the copy if a file was read, after the copy if the ring is in this process.
    public let writer: EventRingWriter

    /// The entries, the oldest first.
    public let entries: [EventRingEntry]

    /// The number of entries that could not be copied because the writer was overwriting them during the copy, or was
    /// killed while it overwrote them.
    public let torn: UInt64

    /// The number of entries that newer entries had overwritten before the copy.
    public let overwritten: UInt64

    /// The texts in the order of their ids; the first id is 1.
    public let texts: [String]

    /// How often a text found no room in the table and got the id 0.
    public let missedTexts: UInt64

    /// Returns the text of an id, or nil for 0 and for an id that is not in the table.
    public func text(_ id: UInt64) -> String? {
        id > 0 && id <= UInt64(texts.count) ? texts[Int(id - 1)] : nil
    }
}
