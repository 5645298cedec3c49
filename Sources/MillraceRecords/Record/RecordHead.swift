// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What a file says about an action, besides its bytes.
public struct RecordHead: Hashable, Sendable {
    /// The number of the action in its store, counted from 1.
    public var sequence: UInt64
    /// What caused the action.
    public var cause: ActionCause
    /// When it was taken up.
    public var time: ActionTime
    /// Where it was dispatched; nil if the file does not say.
    public var source: ActionSource?

    /// Creates a head.
    @inlinable
    public init(sequence: UInt64, cause: ActionCause = .none, time: ActionTime, source: ActionSource? = nil) {
        self.sequence = sequence
        self.cause = cause
        self.time = time
        self.source = source
    }
}
