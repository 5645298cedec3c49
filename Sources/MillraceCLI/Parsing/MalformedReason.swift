// SPDX-License-Identifier: Apache-2.0

/// Why a line is not an event. The cases are in the order of the report.
enum MalformedReason: UInt8, CaseIterable, Sendable {
    case emptyLine
    case lineTooLong
    case binaryData
    case host
    case identity
    case time
    case request
    case status
    case size
    case referer
    case agent
    case trailingText
    case truncated
    case layout
    case columns
    case noColumns
    case json

    /// The text of the reason in the report.
    var words: String {
        switch self {
        case .emptyLine: "empty line"
        case .lineTooLong: "line longer than 1 MiB"
        case .binaryData: "binary data (NUL byte)"
        case .host: "no host"
        case .identity: "no ident or user field"
        case .time: "no valid time, such as [17/May/2015:10:05:03 +0000]"
        case .request: "request is not \"METHOD target PROTOCOL\""
        case .status: "status is not 100 to 599"
        case .size: "size is neither '-' nor a number"
        case .referer: "no quoted referer"
        case .agent: "no quoted agent"
        case .trailingText: "text after the last field"
        case .truncated: "truncated last line"
        case .layout: "not laid out as --format says"
        case .columns: "not as many columns as #Fields names"
        case .noColumns: "no #Fields line before it"
        case .json: "not one JSON object"
        }
    }

    /// The key of the reason in the JSON report.
    var name: String { "\(self)" }
}
