// SPDX-License-Identifier: Apache-2.0

/// What was in an ``EventRing`` at one moment. A value: it does not change, and keeps nothing of the ring alive.
///
/// ```swift
/// for entry in snapshot.entries {
///     print(entry.sequence, snapshot.text(entry[1]) ?? "unknown", entry[2])
/// }
/// ```
public struct EventRingSnapshot: Sendable, Hashable {
    /// Who wrote the ring, and how its ticks become times.
    public let origin: EventRingOrigin

    /// What had become of the writer when the copy was begun.
    public let writer: EventRingWriter

    /// The entries, the oldest first.
    public let entries: [EventRingEntry]

    /// How many entries could not be copied because the writer was overwriting them at that moment, or was killed
    /// when it did.
    public let torn: UInt64

    /// How many entries were gone before, in the course of things.
    public let overwritten: UInt64

    /// The texts in the order of their ids, of which the first is 1.
    public let texts: [String]

    /// How often a text found no room in the table and got the id 0.
    public let missedTexts: UInt64

    /// The text of an id; nil for 0, and for an id that is not in the table.
    public func text(_ id: UInt64) -> String? {
        id > 0 && id <= UInt64(texts.count) ? texts[Int(id - 1)] : nil
    }
}
