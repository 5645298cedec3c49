// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceCore

extension Breadcrumbs {
    /// The breadcrumbs as lines for a terminal: a heading, a line for each action, what is missing, and how the process
    /// ended. If the file is damaged, the last line says so.
    ///
    /// `waited` is the time that the action waited in the queue. Only actions in the sample of the instrumentation have
    /// it. A cause is named with its shard if another shard than the action's handled it. Times are UTC. Control
    /// characters in texts are shown as `?`, so that no text can look like a line of its own.
    public var lines: [String] {
        var lines = [
            "process \(origin.processID), recording since \(Self.timestamp(origin.createdAt))"
                + (writer == .running ? ", still running" : "")
        ]
        if !origin.isThisBoot { lines.append("written before the machine was restarted") }
        if overwritten > 0 { lines.append("\(overwritten) older actions were overwritten") }
        lines += actions.map(Self.line)
        if torn > 0 { lines.append("\(torn) actions were being written and are not shown") }
        if let ending { lines.append(ending) }
        if let damage { lines.append("the file is damaged: \(damage)") }
        return lines
    }

    /// The line about the end of the writer; nil while it is running.
    private var ending: String? {
        let last = actions.last.map { "#\($0.number)" }
        // The word that says how the process ended was read, but it cannot be trusted if a part of the file is missing.
        if damage != nil, writer != .running { return "how it ended is not known, because a part is missing" }
        return switch writer {
        case .running: nil
        case .ended: "ended normally" + (last.map { "; the last action was \($0)" } ?? "")
        case .lost:
            "not ended normally: killed, crashed, or called exit"
                + (last.map { "; \($0) was running, or had just been finished" } ?? "")
        }
    }

    private static func line(_ action: Breadcrumb) -> String {
        var line = "\(timestamp(action.time)) #\(action.number) \(visible(action.kind ?? "?"))"
        if let file = action.file { line += " from \(visible(file)):\(action.line) \(visible(action.function ?? "?"))" }
        if action.nanosecondsQueued > 0 { line += " waited \(Decimal.duration(action.nanosecondsQueued))" }
        if action.parent != 0 { line += " caused by \(cause(action.parent, action.parentShard, of: action))" }
        let isParentFirst = action.root == action.parent && action.rootShard == action.parentShard
        if action.root != 0, !isParentFirst {
            line += " (first \(cause(action.root, action.rootShard, of: action)))"
        }
        return line
    }

    /// Each shard has numbers of its own.
    private static func cause(_ number: UInt64, _ shard: UInt16, of action: Breadcrumb) -> String {
        shard == action.shard ? "#\(number)" : "#\(number) of shard \(shard)"
    }

    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.steersTerminals ? "?" : $0 }))
    }

    /// Formats a time as ISO 8601, with microseconds.
    private static func timestamp(_ nanoseconds: UInt64) -> String {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "\(nanoseconds)" }
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let year = padded(Int(parts.tm_year) + 1900, 4)
        let day = [year, padded(Int(parts.tm_mon) + 1, 2), padded(Int(parts.tm_mday), 2)]
        let date = day.joined(separator: "-")
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }.joined(separator: ":")
        return "\(date)T\(time).\(padded(Int(nanoseconds % 1_000_000_000 / 1000), 6))Z"
    }
}
