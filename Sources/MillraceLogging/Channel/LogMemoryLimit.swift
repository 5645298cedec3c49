// SPDX-License-Identifier: Apache-2.0

/// How much the actions and the states may hold that wait to be formatted.
///
/// ```swift
/// middleware.logger(stateDiffTransform: .diff(), memory: LogMemoryLimit(bytes: 16 << 20))
/// ```
///
/// A state in the log shares its arrays, dictionaries and strings with the store's state until a reducer changes one of
/// them: that reducer copies it first. So what a state that waits costs is what the next action changes, in memory and
/// in time of the pipeline. What is over a limit is not captured: an action is skipped and counted
/// (``LogMetrics/skipped``); a change of the state is left out and counted (``LogMetrics/changesLeftOut``), and the line
/// of its action is followed by one that says so.
///
/// **The bytes are an estimate.** Of what waits the formatting queue looks at one change in 32 and at one action in
/// 1,024, the newest: at its arrays, dictionaries, sets, strings and Data, and of large collections at some elements. Of a
/// change it counts what the state after does not share with the state before. It does not look into objects, nor into
/// types that keep their elements in objects of their own. The pipeline itself looks at the first change and the first
/// action, and while the formatting queue stands still, at one in 64 of both.
public struct LogMemoryLimit: Hashable, Sendable {
    /// How many bytes the changes that wait may hold, and the actions that wait as many again. One change and one
    /// action may wait in any case.
    public var bytes: Int
    /// How many changes of the state may wait. Less than 1 counts as 1. Their places are allocated when the store is
    /// made, as far as they fit into ``bytes``.
    public var changes: Int
    /// How many bytes a second reducers may copy because the log holds a state, a quarter of a second's at once; nil: no
    /// limit. Less than 1 counts as 1. Changes of less than 16 KB are not counted. At the default a pipeline copies for
    /// up to a third of its time where the memory for it is new, and much less where it was used before.
    public var copiedPerSecond: Int?

    /// A limit.
    /// - Parameters:
    ///   - bytes: of the changes that wait, and of the actions that wait.
    ///   - changes: how many changes of the state may wait.
    ///   - copiedPerSecond: how many bytes a second may be copied for the log.
    public init(bytes: Int = 64 << 20, changes: Int = 4_096, copiedPerSecond: Int? = 256 << 20) {
        self.bytes = bytes
        self.changes = changes
        self.copiedPerSecond = copiedPerSecond
    }
}
