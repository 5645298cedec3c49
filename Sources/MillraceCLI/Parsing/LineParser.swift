// SPDX-License-Identifier: Apache-2.0

/// Parses one line by the grammar of docs/access-log.md. One parser belongs to one thread.
struct LineParser {
    /// The maximum length of a line. Longer lines are malformed.
    static let maximumLength = 1 << 20

    let format: LogFormat
    /// The fields of the last line. They are valid only if `parse` returned nil.
    private(set) var line = ParsedLine()
    private var times = TimeParser()

    init(format: LogFormat) {
        self.format = format
    }

    /// Parses the line `start ..< limit`, without its newline. Returns what is wrong with it, or nil.
    ///
    /// `ByteSearch.padding` bytes after `limit` must be readable. The caller must check for NUL bytes.
    @inline(__always)
    mutating func parse(_ start: BytePointer, _ limit: BytePointer, isTerminated: Bool = true) -> MalformedReason? {
        var end = limit
        if end > start, end[-1] == Byte.carriageReturn { end -= 1 }
        while end > start, end[-1] == Byte.space || end[-1] == Byte.tab { end -= 1 }
        if end == start { return .emptyLine }

        // host ident user [
        guard let hostEnd = ByteSearch.near(Byte.space, start, end), hostEnd > start else { return .host }
        line.host = .init(start: start, count: hostEnd - start)
        guard let identEnd = ByteSearch.near(Byte.space, hostEnd + 1, end), identEnd > hostEnd + 1,
            let userEnd = ByteSearch.near(Byte.space, identEnd + 1, end), userEnd > identEnd + 1
        else { return .identity }

        let time = userEnd + 2
        guard end - time >= TimeParser.length, time[-1] == UInt8(ascii: "["), let minute = times.parse(time)
        else { return .time }
        line.minute = minute

        let request = time + TimeParser.length
        guard end - request >= 2, request[0] == Byte.space, request[1] == Byte.quote,
            let afterRequest = parseRequest(request + 2, end)
        else { return .request }

        // status size
        guard end - afterRequest >= 4, afterRequest[0] == Byte.space, let status = Self.status(afterRequest + 1),
            end - afterRequest == 4 || afterRequest[4] == Byte.space
        else { return .status }
        line.status = status
        guard let afterSize = parseSize(afterRequest + 4, end) else { return .size }
        return parseRest(afterSize, end, isTerminated: isTerminated)
    }

    /// Parses ` "referer" "agent"`, or nothing, as the format requires.
    @inline(__always)
    private func parseRest(_ start: BytePointer, _ end: BytePointer, isTerminated: Bool) -> MalformedReason? {
        if start == end { return format == .combined ? .referer : nil }
        if format == .common { return .trailingText }
        guard end - start >= 3, start[0] == Byte.space, start[1] == Byte.quote,
            let refererEnd = ByteSearch.closingQuote(start + 2, end)
        else { return .referer }
        guard end - refererEnd >= 3, refererEnd[1] == Byte.space, refererEnd[2] == Byte.quote else { return .agent }
        // Servers and relays cut off long lines. So an agent without its closing quote is accepted if a newline ends
        // it.
        guard let agentEnd = ByteSearch.closingQuote(refererEnd + 3, end) else { return isTerminated ? nil : .agent }
        return agentEnd + 1 == end ? nil : .trailingText
    }

    @inline(__always)
    private static func status(_ text: BytePointer) -> UInt16? {
        let (hundreds, tens, ones) = (text[0] &- Byte.zero, text[1] &- Byte.zero, text[2] &- Byte.zero)
        guard hundreds >= 1, hundreds <= 5, tens < 10, ones < 10 else { return nil }
        return UInt16(hundreds) &* 100 &+ UInt16(tens) &* 10 &+ UInt16(ones)
    }

    /// Parses ` size`: `-` or up to 18 digits, followed by a space or the end.
    @inline(__always)
    private mutating func parseSize(_ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        guard start < end else { return nil }
        var place = start + 1
        var size: UInt64 = 0
        if place < end, place[0] == Byte.dash {
            place += 1
        } else {
            while place < end, place[0] &- Byte.zero < 10 {
                size = size &* 10 &+ UInt64(place[0] &- Byte.zero)
                place += 1
            }
            guard place > start + 1, place - start <= 19 else { return nil }
        }
        guard place == end || place[0] == Byte.space else { return nil }
        line.size = size
        return place
    }

    /// Stores method and path of the last line.
    @inline(__always)
    mutating func setRequest(method: ParsedLine.Slice, path: ParsedLine.Slice) {
        line.method = method
        line.path = path
    }
}
