// SPDX-License-Identifier: Apache-2.0

public import Logging
public import MillraceCore

/// What is handed over of an action; the states lie elsewhere, as they are rarely wanted.
@usableFromInline
struct LogEntry<Action> {
    @usableFromInline let action: Action
    @usableFromInline let source: ActionSource
    @usableFromInline let position: ActionPosition
    /// How many the channel had skipped before this one.
    @usableFromInline let skipped: UInt64
    @usableFromInline let level: Logger.Level
    @usableFromInline let change: LogChange
    /// Where the states are, if there are any; otherwise how many changes waited.
    @usableFromInline let slot: UInt32
    /// Whether its state before is the state after of the change before.
    @usableFromInline let isNext: Bool

    @inlinable
    init(
        action: Action,
        source: ActionSource,
        position: ActionPosition,
        skipped: UInt64,
        level: Logger.Level,
        change: LogChange,
        slot: UInt32,
        isNext: Bool
    ) {
        self.action = action
        self.source = source
        self.position = position
        self.skipped = skipped
        self.level = level
        self.change = change
        self.slot = slot
        self.isNext = isNext
    }
}

/// What there is of the change of the state.
@usableFromInline
enum LogChange: UInt8 {
    /// Nobody wants it.
    case unwanted
    /// The state after, and the one before if that is wanted.
    case states
    /// Nothing, as too many changes were waiting.
    case waiting
    /// Nothing, as too much had been copied.
    case copied
}
