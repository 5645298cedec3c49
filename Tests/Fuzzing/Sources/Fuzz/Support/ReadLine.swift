// SPDX-License-Identifier: Apache-2.0

@testable import MillraceTool

/// What became of one line.
enum ReadLine: Equatable {
    case event(ReadEvent)
    case malformed(MalformedReason)

    /// Parses a line as a producer does.
    init(_ line: [UInt8], _ format: LogFormat, fields: [UInt8]? = nil, padding: UInt8 = Byte.quote) {
        // Memory of exactly this size, so that the sanitizer sees each byte too far.
        let bytes = line + [UInt8](repeating: padding, count: ByteSearch.padding)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        defer { memory.deallocate() }
        memory.initialize(from: bytes, count: bytes.count)
        let (start, end) = (BytePointer(memory), BytePointer(memory + line.count))
        var layouts = LayoutParser()
        guard layouts.use(format) else {
            var parser = LineParser(format: format)
            let reason = parser.parse(start, end)
            self = reason.map { .malformed($0) } ?? .event(ReadEvent(parser.line, parser.clientFields))
            return
        }
        fields?.withUnsafeBufferPointer { layouts.take(directive: $0) }
        let reason = layouts.parse(start, end)
        self = reason.map { .malformed($0) } ?? .event(ReadEvent(layouts.line, layouts.clientFields))
    }

    /// The fields that every layout has.
    var common: ReadEvent? {
        if case .event(let event) = self { return event.common }
        return nil
    }
}

/// The fields of a line.
struct ReadEvent: Equatable {
    var host: [UInt8]
    var method: [UInt8]
    var path: [UInt8]
    var minute: Int64
    var status: UInt16
    var size: UInt64
    var referer: [UInt8] = []
    var agent: [UInt8] = []
    var site: [UInt8] = []

    init(_ line: ParsedLine, _ more: ClientFields) {
        (host, method, path) = (Array(line.host), Array(line.method), Array(line.path))
        (minute, status, size) = (line.minute, line.status, line.size)
        (referer, agent, site) = (Array(more.referer), Array(more.agent), Array(more.site))
        expect(!host.isEmpty && !path.isEmpty && !method.isEmpty, "an event without a host, a method or a path")
        expect(100...599 ~= status, "the status \(status)")
    }

    var common: ReadEvent {
        var event = self
        (event.referer, event.agent, event.site) = ([], [], [])
        return event
    }

    /// The date and the time in UTC, if the year has four digits.
    private var date: (date: [Int], time: String)? {
        let text = String(decoding: CivilTime.text(minute: minute), as: UTF8.self)
        let date = text.prefix { $0 != "T" }.split(separator: "-").compactMap { Int($0) }
        guard text.utf8.count == 17, date.count == 3, text.utf8.first != UInt8(ascii: "-") else { return nil }
        return (date, String(text.dropFirst(11).prefix(5)))
    }

    /// The line in the layout 'combined'; nil if the year does not fit it.
    func combined(site: Bool) -> [UInt8]? {
        guard let (date, time) = date else { return nil }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = date[2] < 10 ? "0\(date[2])" : "\(date[2])"
        let year = String(repeating: "0", count: 4 - "\(date[0])".count) + "\(date[0])"
        // No request line was sent: '-' alone.
        let dash = [UInt8(ascii: "-")]
        let request =
            method == dash && path == dash ? dash : method + [Byte.space] + path + Array(" HTTP/1.1".utf8)
        return (site ? Array("site:80 ".utf8) : []) + host
            + Array(" - - [\(day)/\(months[date[1] - 1])/\(year):\(time):00 +0000] \"".utf8) + request
            + Array("\" \(status) \(size) \"".utf8) + referer + Array("\" \"-\"".utf8)
    }

    /// The line as a JSON object.
    var json: [UInt8]? {
        guard let (date, time) = date else { return nil }
        func two(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
        }
        func text(_ bytes: [UInt8]) -> [UInt8] {
            bytes.flatMap { [Byte.quote, Byte.backslash].contains($0) ? [Byte.backslash, $0] : [$0] }
        }
        let day = "\(two(date[0], 4))-\(two(date[1], 2))-\(two(date[2], 2))T\(time):00Z"
        return Array("{\"time_iso8601\":\"\(day)\",\"remote_addr\":\"".utf8) + text(host)
            + Array("\",\"request_method\":\"".utf8) + text(method) + Array("\",\"request_uri\":\"".utf8) + text(path)
            + Array("\",\"status\":\(status),\"body_bytes_sent\":\(size)}".utf8)
    }
}
