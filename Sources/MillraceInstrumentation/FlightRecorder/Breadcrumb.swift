// SPDX-License-Identifier: Apache-2.0

/// An action as recorded by a ``FlightRecorder``.
public struct Breadcrumb: Sendable, Hashable {
    /// The number of words of an entry in the ring.
    static let words = 7

    /// The number of the action: 1 is the first that the store handled.
    public let number: UInt64
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
    /// The time that the action waited in the queue, in nanoseconds. 0 if it is not known, as for actions outside the
    /// sample.
    public let nanosecondsQueued: UInt64
    /// The number of the action whose middleware dispatched this one; 0 if it was dispatched from outside the store.
    public let parent: UInt64
    /// The number of the first action in the chain of causes; 0 if that is this action.
    public let root: UInt64
}
