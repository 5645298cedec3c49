// SPDX-License-Identifier: Apache-2.0

/// An action as a ``FlightRecorder`` keeps it.
public struct Breadcrumb: Sendable, Hashable {
    /// Words of an entry in the ring.
    static let words = 7

    /// The action's place in the store's order.
    public let number: UInt64
    /// Its kind; nil where the recorder had no room for the text.
    public let kind: String?
    /// Where it was dispatched: the file; nil where the recorder had no room for the text.
    public let file: String?
    /// The function; nil where the recorder had no room for the text.
    public let function: String?
    /// The line in the file.
    public let line: UInt
    /// When the pipeline took it up, in nanoseconds since 1970.
    public let time: UInt64
    /// How long it had waited, in nanoseconds; 0 when that is not known, as with actions that are not in the sample.
    public let nanosecondsQueued: UInt64
    /// The number of the action whose middleware dispatched it; 0: it came from outside.
    public let parent: UInt64
    /// The number of the first cause; 0: this action itself.
    public let root: UInt64
}
