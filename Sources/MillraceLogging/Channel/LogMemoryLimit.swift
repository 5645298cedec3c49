// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The limits on the memory that waiting actions and states may hold, and on the copies that they cause.
///
/// ```swift
/// middleware.logger(stateDiffTransform: .diff(), memory: LogMemoryLimit(bytes: 16 << 20))
/// ```
///
/// A state in the log shares its arrays, dictionaries and strings with the store's state. A reducer that changes one of
/// them copies it first. So a waiting state costs memory, and time of the pipeline, for a copy of what the next action
/// changes.
///
/// If a limit is reached, no more is captured. An action is skipped and counted (``LogMetrics/skipped``). A change of
/// the state is left out and counted (``LogMetrics/changesLeftOut``), and a line after the line of its action says so.
///
/// **The bytes are an estimate.** The formatting queue measures the newest of the waiting entries: one change in 32 and
/// one action in 1,024. It counts arrays, dictionaries, sets, strings and Data; in large collections it looks at some
/// elements. For a change, it counts what the state after the action does not share with the state before. It does not
/// look into objects, nor into types that store their elements in objects of their own.
///
/// The pipeline itself measures the first change and the first action. While the formatting queue is late, the pipeline
/// reads the clock at one change in three, and at one action in three. It measures one after each pause, which is 20
/// times as long as a measurement (0.1 to 2 ms), and at least one in 63.
///
/// **The limit may be exceeded** if changes become larger while the formatting queue is late: by up to five large
/// changes, and by what reducers copied within two pauses. The same holds for actions. If the actions bring the memory,
/// such as a large array, so that the reducers do not copy it, up to 126 changes may exceed the limit. The pipeline has
/// handled these within two pauses, so their memory was in use at once anyway.
public struct LogMemoryLimit: Hashable, Sendable {
    /// The most bytes that the waiting changes may hold. The waiting actions may hold the same number of bytes besides.
    /// One change and one action may always wait.
    public var bytes: Int
    /// The most changes of the state that may wait. Less than 1 counts as 1. The memory for them is allocated when the
    /// store is made, for at most as many as fit into ``bytes``.
    public var changes: Int
    /// The most bytes per second that reducers may copy because the log holds a state; nil: no limit. Up to a quarter
    /// of this number may be copied at once.
    ///
    /// Less than 1 counts as 1. Changes of up to 1 KiB are not counted. With the default, the pipeline copies for up
    /// to a third of its time if the system must provide new memory, and for much less if memory is used again.
    public var copiedPerSecond: Int?

    /// Creates a limit.
    /// - Parameters:
    ///   - bytes: The most bytes that the waiting changes may hold, and the same for the waiting actions.
    ///   - changes: The most changes of the state that may wait.
    ///   - copiedPerSecond: The most bytes per second that may be copied for the log.
    public init(bytes: Int = 64 << 20, changes: Int = 4_096, copiedPerSecond: Int? = 256 << 20) {
        self.bytes = bytes
        self.changes = changes
        self.copiedPerSecond = copiedPerSecond
    }
}

extension LogMemoryLimit: CustomStringConvertible {
    /// The limits with their units: `64.0 MiB, 4,096 changes, 256.0 MiB copied per second`.
    public var description: String {
        let changes = Decimal.count(UInt64(max(1, changes)), "change")
        let copied = copiedPerSecond.map { "\(Decimal.bytes($0)) copied per second" } ?? "no limit on copies"
        return "\(Decimal.bytes(bytes)), \(changes), \(copied)"
    }
}
