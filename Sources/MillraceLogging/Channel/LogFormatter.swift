// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import MillraceCore

/// Makes lines from entries, and passes them to the printers. Used on the channel's queue only.
struct LogFormatter<Action, State> {
    private let options: LogOptions<Action, State>
    /// The number of skipped actions that the log has reported.
    private var told: UInt64 = 0
    /// Whether the filters of the diff were compared with a state.
    private var hasCheckedFilters = false

    init(_ options: LogOptions<Action, State>) {
        self.options = options
    }

    /// Prints the action, then the diff of the states.
    mutating func print(_ entry: LogEntry<Action>, before: State? = nil, after: State? = nil) {
        if entry.skipped > told { tell(skipped: entry.skipped) }
        let text = options.actionTransform.text(entry.action, entry.source, isRedacted: options.redaction != nil)
        var origin: LogOrigin {
            LogOrigin(kind: kindOfAction(entry.action), source: entry.source, position: entry.position)
        }
        options.actionPrinter.print(text.redacted(by: options.redaction), at: entry.level, origin)
        if let reason = entry.reasonOfAbsence {
            return options.stateDiffPrinter.print(options.stateDiffTransform.prefix + reason, at: entry.level, origin)
        }
        guard let after else { return }
        if !hasCheckedFilters { checkFilters(after) }
        guard let lines = options.stateDiffTransform.lines(before, after) else { return }
        options.stateDiffPrinter.print(lines.map { $0.redacted(by: options.redaction) }, at: entry.level, origin)
    }

    /// Prints the number of skipped actions that were not reported yet, if there are any.
    mutating func tell(skipped: UInt64) {
        guard skipped > told else { return }
        let count = skipped - told
        told = skipped
        let text = "skipped \(count) \(count == 1 ? "action" : "actions"), as the log was full"
        options.actionPrinter.print(text, atLeast: .warning, metadata: ["skipped": "\(count)"])
    }

    /// Warns once of each filter that can match no line, because what it is meant to hide is printed.
    private mutating func checkFilters(_ state: State) {
        hasCheckedFilters = true
        for line in options.stateDiffTransform.hopelessFilters(state) {
            options.stateDiffPrinter.print(line.redacted(by: options.redaction), atLeast: .warning)
        }
    }

    /// Writes the buffered lines of files. Called when no more entries wait.
    func finish() {
        options.actionPrinter.finish()
        options.stateDiffPrinter.finish()
    }
}

extension LogEntry {
    /// The reason why the change of the state is left out; nil if it is printed or not wanted.
    fileprivate var reasonOfAbsence: String? {
        switch change {
        case .unwanted, .states: nil
        case .waiting: "change left out, as \(slot) \(slot == 1 ? "change" : "changes") waited already"
        case .copied: "change left out, as too much of the state was copied for the log"
        }
    }
}
