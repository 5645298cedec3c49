// SPDX-License-Identifier: Apache-2.0

/// What a user can type.
package enum Command: Sendable, Equatable {
    case add(String)
    case complete(Int)
    case show(Filter)
    case load
    case quit

    /// The commands, for a user who typed something else.
    package static let help = "add TITLE · done NUMBER · show all|open|done · load · quit"

    /// Reads a line; nil if it is no command.
    package init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("add", let title?): self = .add(title)
        case ("done", let number?):
            guard let number = Int(number) else { return nil }
            self = .complete(number)
        case ("show", let name?):
            guard let filter = Filter(rawValue: name) else { return nil }
            self = .show(filter)
        case ("load", nil): self = .load
        case ("quit", nil): self = .quit
        default: return nil
        }
    }
}
