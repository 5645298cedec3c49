// SPDX-License-Identifier: Apache-2.0

public import Logging
public import MillraceCore

/// An action in the ring. The states are stored elsewhere, because they are rarely needed.
@usableFromInline
struct LogEntry<Action> {
    @usableFromInline let action: Action
    @usableFromInline let source: ActionSource
    @usableFromInline let position: ActionPosition
    /// The number of actions that the channel had skipped before this one.
    @usableFromInline let skipped: UInt64
    @usableFromInline let level: Logger.Level
    @usableFromInline let change: LogChange
    /// The index of the states, if there are any. Otherwise the number of changes that waited.
    @usableFromInline let slot: UInt32
    /// Whether the state before this action is the stored state after the previous change.
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

/// What an entry stores of the change of the state.
@usableFromInline
enum LogChange: UInt8 {
    /// Nothing: the change is not logged.
    case unwanted
    /// The states: the one after the action, and the one before if it is needed.
    case states
    /// Nothing, because too many changes waited.
    case waiting
    /// Nothing, because too much had been copied.
    case copied
}
