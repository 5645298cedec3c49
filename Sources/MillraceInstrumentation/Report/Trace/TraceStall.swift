// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import MillraceRuntime

/// A stall that a trace must show. The code that detects the stall notes it here.
///
/// ```swift
/// let stall = TraceStall()
/// let trace = try TraceFile(path: "stall.json", label: "orders", keep: .around(stall))
/// let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(100)) { stall.note($0) }
/// ```
///
/// Only the first note counts; later calls do nothing. To trace another stall, make a new ``TraceFile`` with a new
/// stall.
///
/// **Threads.** All members may be used from any thread.
public final class TraceStall: Sendable {
    struct Note: Sendable {
        let text: String
        let time: Ticks
    }

    private let first = Locked<Note?>(nil)

    /// Creates a stall that has not happened yet.
    public init() {}

    /// Whether the stall has been noted.
    public var isNoted: Bool { note != nil }

    /// Notes that the stall has happened.
    ///
    /// - Parameters:
    ///   - text: The description, which the trace shows at the mark.
    ///   - time: The time of the stall; it must be after the trace was last written.
    public func note(_ text: String, at time: Ticks = .now) {
        first.withLock { if $0 == nil { $0 = Note(text: text, time: time) } }
    }

    /// Notes that a ``SlowHandlerWatchdog`` has reported a slow handler.
    public func note(_ slow: SlowHandler) {
        note(slow.description)
    }

    var note: Note? { first.withLock { $0 } }
}
