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
    @usableFromInline let hasStates: Bool

    @inlinable
    init(
        action: Action,
        source: ActionSource,
        position: ActionPosition,
        skipped: UInt64,
        level: Logger.Level,
        hasStates: Bool
    ) {
        self.action = action
        self.source = source
        self.position = position
        self.skipped = skipped
        self.level = level
        self.hasStates = hasStates
    }
}
