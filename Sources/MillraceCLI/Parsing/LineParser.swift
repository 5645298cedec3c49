// SPDX-License-Identifier: Apache-2.0

/// Parses one line of a layout that is known (``LogFormat/Known``), by the grammar of docs/access-log.md. One parser
/// belongs to one thread.
struct LineParser {
    /// The maximum length of a line. Longer lines are malformed.
    static let maximumLength = 1 << 20

    private var format: LogFormat.Known
    /// The fields of the last line. They are valid only if `parse` returned nil.
    private(set) var line = ParsedLine()
    /// What follows the size, and the virtual host.
    private var rest = ParsedLine.Slice(start: nil, count: 0)
    private var site = ParsedLine.Slice(start: nil, count: 0)
    private var times = TimeParser()

    init(format: LogFormat) {
        self.format = .either
        use(format)
    }

    /// Reads the following lines by a format. A format without a known layout is read as `common or combined`.
    mutating func use(_ format: LogFormat) {
        if case .known(let known) = format { self.format = known } else { self.format = .either }
        line = ParsedLine()
        site = .init(start: nil, count: 0)
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

        var first = start
        if format == .vhostCombined {
            guard let site = siteEnd(start, end) else { return .host }
            first = site
        }

        // host ident user [
        guard let hostEnd = ByteSearch.near(Byte.space, first, end), hostEnd > first else { return .host }
        line.host = .init(start: first, count: hostEnd - first)
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
        rest = .init(start: afterSize, count: end - afterSize)
        return parseRest(afterSize, end, isTerminated: isTerminated)
    }

    /// Parses `site ` or `site:port `, and returns the position after it.
    @inline(never)
    private mutating func siteEnd(_ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        guard let space = ByteSearch.near(Byte.space, start, end), space > start else { return nil }
        var last = space
        while last > start, last[-1] &- Byte.zero < 10 { last -= 1 }
        let hasPort = last > start + 1 && last < space && last[-1] == UInt8(ascii: ":")
        site = .init(start: start, count: (hasPort ? last - 1 : space) - start)
        return space + 1
    }

    /// Parses ` "referer" "agent"`, or nothing, as the format requires.
    @inline(__always)
    private func parseRest(_ start: BytePointer, _ end: BytePointer, isTerminated: Bool) -> MalformedReason? {
        if start == end { return format == .combined || format == .vhostCombined ? .referer : nil }
        if format == .common { return .trailingText }
        guard end - start >= 3, start[0] == Byte.space, start[1] == Byte.quote,
            let refererEnd = ByteSearch.closingQuote(start + 2, end)
        else { return .referer }
        guard end - refererEnd >= 3, refererEnd[1] == Byte.space, refererEnd[2] == Byte.quote else { return .agent }
        // Servers and relays cut off long lines. So an agent without its closing quote is accepted if a newline ends
        // it.
        guard let agentEnd = ByteSearch.closingQuote(refererEnd + 3, end) else { return isTerminated ? nil : .agent }
        if agentEnd + 1 == end { return nil }
        return format == .nginx && agentEnd[1] == Byte.space ? nil : .trailingText
    }

    /// More fields of the last line.
    var clientFields: ClientFields {
        var fields = ClientFields(site: site)
        guard let start = rest.baseAddress, !rest.isEmpty else { return fields }
        let end = start + rest.count
        guard let refererEnd = ByteSearch.closingQuote(start + 2, end) else { return fields }
        fields.referer = .init(start: start + 2, count: refererEnd - start - 2)
        let agent = refererEnd + 3
        fields.agent = .init(start: agent, count: (ByteSearch.closingQuote(agent, end) ?? end) - agent)
        return fields
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
