// SPDX-License-Identifier: Apache-2.0

/// An action as recorded by a ``FlightRecorder``.
public struct Breadcrumb: Sendable, Hashable {
    /// The number of words of an entry in the ring.
    static let words = 7

    /// The number of the action: 1 is the first that the store (or the shard) handled.
    public let number: UInt64
    /// The shard that handled the action; 0 in a store without shards.
    public let shard: UInt16
    /// The kind of the action; nil if the recorder had no room for the text.
    public let kind: String?
    /// The file in which the action was dispatched; nil if the recorder had no room for the text.
    public let file: String?
    /// The function that dispatched the action; nil if the recorder had no room for the text.
    public let function: String?
    /// The line in the file.
    public let line: UInt
    /// The time at which the pipeline started to handle the action, in nanoseconds since 1970.
    public let time: UInt64
    /// The time that the action waited in the queue, in nanoseconds. 0 if it is not known, for example because the
    /// action is not in the sample.
    public let nanosecondsQueued: UInt64
    /// The number of the action whose middleware dispatched this one; 0 if it was dispatched from outside the store.
    public let parent: UInt64
    /// The number of the first action in the chain of causes; 0 if that is this action.
    public let root: UInt64
    /// The shard that handled the parent; 0 in a store without shards, and for an action from outside the store.
    public let parentShard: UInt16
    /// The shard that handled the first action in the chain of causes; 0 as above.
    public let rootShard: UInt16
}

extension Breadcrumb {
    /// Packs the number of an action and its shard into one word of an entry: the number in the low 48 bits, the shard
    /// in the high 16. So an entry with shards fits one cache line, and an older file without shards is read as one of
    /// shard 0.
    @inline(__always)
    static func word(_ number: UInt64, _ shard: UInt16) -> UInt64 {
        UInt64(shard) << 48 | number & numberBits
    }

    static func number(_ word: UInt64) -> UInt64 { word & numberBits }

    static func shard(_ word: UInt64) -> UInt16 { UInt16(word >> 48) }

    private static var numberBits: UInt64 { 1 << 48 - 1 }
}
