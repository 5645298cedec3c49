// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import MillraceRuntime

/// The moment that a trace is to show: whoever notices it notes it here.
///
/// ```swift
/// let stall = TraceStall()
/// let trace = try TraceFile(path: "stall.json", label: "orders", keep: .around(stall))
/// let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(100)) { stall.note($0) }
/// ```
///
/// What is noted first counts, later calls do nothing: to trace another one make a new ``TraceFile``, with a new stall.
/// Any thread.
public final class TraceStall: Sendable {
    struct Note: Sendable {
        let text: String
        let time: Ticks
    }

    private let first = Locked<Note?>(nil)

    /// A stall that has not come yet.
    public init() {}

    /// Whether it has come.
    public var isNoted: Bool { note != nil }

    /// Notes that it has come.
    ///
    /// - Parameters:
    ///   - text: What it is; the trace has it with the mark.
    ///   - time: When; a moment after the trace was last written.
    public func note(_ text: String, at time: Ticks = .now) {
        first.withLock { if $0 == nil { $0 = Note(text: text, time: time) } }
    }

    /// Notes that a handler is slow, as a ``SlowHandlerWatchdog`` has found.
    public func note(_ slow: SlowHandler) {
        note(slow.description)
    }

    var note: Note? { first.withLock { $0 } }
}
