// SPDX-License-Identifier: Apache-2.0

@testable import MillraceCLI

/// What became of one line of a layout that `--format` gives.
struct LaidOut: Equatable {
    var host = ""
    var method = ""
    var path = ""
    var minute: Int64 = 0
    var status: UInt16 = 0
    var size: UInt64 = 0
    var referer = ""
    var agent = ""
    var site = ""
}

/// Parses a line by a format, as a producer does; a W3C line after the directive `fields`.
func parse(
    _ line: [UInt8],
    as format: LogFormat,
    fields: String? = nil
) -> Result<LaidOut, Malformed> {
    let bytes = line + [UInt8](repeating: UInt8(ascii: "\""), count: ByteSearch.padding)
    return bytes.withUnsafeBufferPointer { all in
        let start = all.baseAddress!
        var known = LineParser(format: format)
        var layouts = LayoutParser()
        let found: ParsedLine
        let more: ClientFields
        if layouts.use(format) {
            if let fields { Array(fields.utf8).withUnsafeBufferPointer { layouts.take(directive: $0) } }
            if let reason = layouts.parse(start, start + line.count) { return .failure(Malformed(reason: reason)) }
            (found, more) = (layouts.line, layouts.clientFields)
        } else {
            if let reason = known.parse(start, start + line.count) { return .failure(Malformed(reason: reason)) }
            (found, more) = (known.line, known.clientFields)
        }
        func text(_ slice: ParsedLine.Slice) -> String { String(decoding: slice, as: UTF8.self) }
        return .success(
            LaidOut(
                host: text(found.host),
                method: text(found.method),
                path: text(found.path),
                minute: found.minute,
                status: found.status,
                size: found.size,
                referer: text(more.referer),
                agent: text(more.agent),
                site: text(more.site)
            )
        )
    }
}

func parse(_ line: String, as format: LogFormat, fields: String? = nil) -> Result<LaidOut, Malformed> {
    parse(Array(line.utf8), as: format, fields: fields)
}

struct Malformed: Error, Equatable {
    var reason: MalformedReason
}

extension Result where Success == LaidOut, Failure == Malformed {
    var event: LaidOut? { try? get() }

    var reason: MalformedReason? {
        if case .failure(let malformed) = self { return malformed.reason }
        return nil
    }
}

/// 2015-05-17 10:05 UTC.
let sampleMinute: Int64 = 1_431_857_100 / 60
