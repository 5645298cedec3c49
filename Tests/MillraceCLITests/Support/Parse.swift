// SPDX-License-Identifier: Apache-2.0

@testable import MillraceCLI

/// What became of one line.
struct Parsed: Equatable {
    var host = ""
    var method = ""
    var path = ""
    var minute: Int64 = 0
    var status: UInt16 = 0
    var size: UInt64 = 0
}

enum ParseResult: Equatable {
    case event(Parsed)
    case malformed(MalformedReason)

    var reason: MalformedReason? {
        if case .malformed(let reason) = self { return reason }
        return nil
    }

    var event: Parsed? {
        if case .event(let event) = self { return event }
        return nil
    }
}

/// Parses a line that stands, as in a chunk, in front of other bytes.
func parse(_ line: [UInt8], _ format: LogFormat = .auto, isTerminated: Bool = true) -> ParseResult {
    // What follows is chosen to be seen if the parser looked at it as text.
    let bytes = line + [UInt8](repeating: UInt8(ascii: "\""), count: ByteSearch.padding)
    return bytes.withUnsafeBufferPointer { all in
        var parser = LineParser(format: format)
        let start = all.baseAddress!
        if let reason = parser.parse(start, start + line.count, isTerminated: isTerminated) {
            return .malformed(reason)
        }
        let found = parser.line
        return .event(
            Parsed(
                host: String(decoding: found.host, as: UTF8.self),
                method: String(decoding: found.method, as: UTF8.self),
                path: String(decoding: found.path, as: UTF8.self),
                minute: found.minute,
                status: found.status,
                size: found.size
            )
        )
    }
}

func parse(_ line: String, _ format: LogFormat = .auto, isTerminated: Bool = true) -> ParseResult {
    parse(Array(line.utf8), format, isTerminated: isTerminated)
}
