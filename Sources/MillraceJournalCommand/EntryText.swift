// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords

/// Actions of a journal as texts.
enum EntryText<Model: JournalModel> {
    /// One line for `tail`.
    static func line(_ entry: RecordedAction<Model.Action>) -> String {
        "\(entry.head.sequence)  \(entry.head.time.iso)  \(Model.describe(entry.action))"
    }

    /// Prints all that the record says of the action, for `show`.
    static func print(_ entry: RecordedAction<Model.Action>) {
        var lines = [
            "sequence  \(entry.head.sequence)", "kind      \(entry.kind)", "time      \(entry.head.time.iso)",
        ]
        if let source = entry.head.source {
            lines.append("source    \(source.file):\(source.line) \(source.function)")
            if let info = source.info { lines.append("info      \(info)") }
        }
        let cause = entry.head.cause
        lines.append(cause.parent == 0 ? "cause     from outside" : "cause     \(cause.parent), first \(cause.root)")
        lines.forEach(CommandOutput.line)
        CommandOutput.paragraph("action    \(Model.describe(entry.action))")
    }

    /// One JSON object on one line, for `export`. The action is an object of its own if its type is `Encodable`, else a
    /// text.
    static func json(_ entry: RecordedAction<Model.Action>, by encoder: JSONEncoder) throws -> String {
        let line = Line(
            sequence: entry.head.sequence,
            time: entry.head.time.iso,
            kind: entry.kind,
            parent: entry.head.cause.parent,
            root: entry.head.cause.root,
            source: entry.head.source.map { "\($0.file):\($0.line)" },
            function: entry.head.source?.function.description,
            info: entry.head.source?.info,
            action: (entry.action as? any Encodable).map(Payload.value) ?? .text(Model.describe(entry.action))
        )
        return escaped(String(decoding: try encoder.encode(line), as: UTF8.self))
    }

    /// Escapes what JSON would allow in a text, but what steers a terminal.
    private static func escaped(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: \.steersTerminals) else { return json }
        var result = ""
        for scalar in json.unicodeScalars {
            if scalar.steersTerminals { result += scalar.escapedForJSON } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    private struct Line: Encodable {
        var sequence: UInt64
        var time: String
        var kind: String
        var parent: UInt64
        var root: UInt64
        var source: String?
        var function: String?
        var info: String?
        var action: Payload
    }

    private enum Payload: Encodable {
        case value(any Encodable)
        case text(String)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .value(let value): try value.encode(to: encoder)
            case .text(let text):
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
        }
    }
}

extension ActionTime {
    /// `2026-01-02T03:04:05.678901234Z`.
    var iso: String {
        var seconds = nanosecondsSince1970 / 1_000_000_000
        var rest = nanosecondsSince1970 % 1_000_000_000
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
        let text = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
        let digits = String(rest)
        return text.dropLast() + "." + String(repeating: "0", count: 9 - digits.utf8.count) + digits + "Z"
    }
}
