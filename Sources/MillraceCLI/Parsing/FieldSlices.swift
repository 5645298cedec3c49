// SPDX-License-Identifier: Apache-2.0

/// The fields of one line by their slots, and their check. All layouts but the known ones use it.
struct FieldSlices: ~Copyable {
    typealias Slice = ParsedLine.Slice

    private let slots: UnsafeMutablePointer<Slice>
    private static let count = FieldSlot.allCases.count
    private static let dash: StaticString = "-"

    /// Memory for texts that are not in the line as they are: a path and a query that are joined, a JSON string with
    /// escapes. It is followed by readable bytes, as a chunk is.
    private var scratch: UnsafeMutablePointer<UInt8>?
    private var used = 0
    /// Each text is at most as long as its line, and no byte of a line is in more than two texts.
    private static let room = 2 * LineParser.maximumLength + 64

    init() {
        slots = .allocate(capacity: Self.count)
        slots.initialize(repeating: Slice(start: nil, count: 0), count: Self.count)
    }

    deinit {
        slots.deallocate()
        scratch?.deallocate()
    }

    /// Forgets all fields.
    mutating func clear() {
        slots.update(repeating: Slice(start: nil, count: 0), count: Self.count)
        used = 0
    }

    subscript(slot: FieldSlot) -> Slice {
        get { slots[Int(slot.rawValue)] }
        nonmutating set { slots[Int(slot.rawValue)] = newValue }
    }

    /// Returns memory for a text of at most `count` bytes. ``keep(_:)`` says how long it is.
    mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
        guard used + count <= Self.room else { return nil }
        if scratch == nil { scratch = .allocate(capacity: Self.room + ByteSearch.padding) }
        return scratch.map { $0 + used }
    }

    /// Keeps the first `count` bytes of the memory that ``reserve(_:)`` has returned.
    mutating func keep(_ count: Int) -> Slice {
        defer { used += count }
        return Slice(start: scratch.map { $0 + used }, count: count)
    }

    /// Checks the fields and stores what they mean. Returns the first field that is wrong, or nil.
    mutating func finish(_ line: inout ParsedLine) -> MalformedReason? {
        guard let host = client else { return .host }
        line.host = host
        guard let minute else { return .time }
        line.minute = minute
        if let reason = setRequest(&line) { return reason }
        guard let status = Self.status(self[.status]) else { return .status }
        line.status = status
        guard let size = Self.size(self[.size]) else { return .size }
        line.size = size
        return nil
    }

    /// More fields of the line.
    var clientFields: ClientFields {
        ClientFields(referer: self[.referer], agent: self[.agent], site: self[.site])
    }

    private var client: Slice? {
        let host = self[.host]
        if host.count > 0 { return Self.withoutPort(host) }
        let list = self[.forwarded]
        guard let first = list.split(separator: UInt8(ascii: ","), maxSplits: 1).first else { return nil }
        let address = Slice(rebasing: first)
        return address.isEmpty ? nil : Self.withoutPort(address)
    }

    /// Returns the address of `address:port` and of `[address]:port`, and any other text as it is. A client has another
    /// port for each connection.
    private static func withoutPort(_ text: Slice) -> Slice {
        let colon = UInt8(ascii: ":")
        var end = text.count
        while end > 0, text[end - 1] &- Byte.zero < 10 { end -= 1 }
        guard end > 1, end < text.count, text[end - 1] == colon else { return text }
        let address = Slice(rebasing: text[..<(end - 1)])
        if address.first == UInt8(ascii: "["), address.last == UInt8(ascii: "]") {
            return Slice(rebasing: address[1..<(address.count - 1)])
        }
        // With a colon in it, it is an address of IPv6, and the digits are its end.
        return address.contains(colon) ? text : address
    }

    private var minute: Int64? {
        if self[.timeLocal].count > 0 { return TimeTexts.local(self[.timeLocal]) }
        if self[.timeISO].count > 0 { return TimeTexts.iso(self[.timeISO]) }
        if self[.timeEpoch].count > 0 { return TimeTexts.epoch(self[.timeEpoch]) }
        if self[.timeAny].count > 0 { return TimeTexts.any(self[.timeAny]) }
        guard self[.date].count > 0 else { return nil }
        return TimeTexts.utc(date: self[.date], time: self[.timeOfDay])
    }

    private mutating func setRequest(_ line: inout ParsedLine) -> MalformedReason? {
        let dash = Slice(start: Self.dash.utf8Start, count: 1)
        (line.method, line.path) = (dash, dash)
        if self[.request].count > 0 {
            guard let (method, target) = RequestText.parts(self[.request]) else { return .request }
            (line.method, line.path) = (method, target)
        }
        if self[.method].count > 0 {
            guard RequestText.isMethod(self[.method]) else { return .request }
            line.method = self[.method]
        }
        if self[.target].count > 0 {
            line.path = self[.target]
        } else if self[.path].count > 0 {
            guard let path = joined(self[.path], self[.query]) else { return .request }
            line.path = path
        }
        let isThere = self[.request].count + self[.target].count + self[.path].count > 0
        return isThere && !line.path.isEmpty ? nil : .request
    }

    /// Returns `path?query`, or the path if there is no query.
    private mutating func joined(_ path: Slice, _ query: Slice) -> Slice? {
        if query.isEmpty || (query.count == 1 && query[0] == Byte.dash) { return path }
        guard let place = reserve(path.count + query.count + 1) else { return nil }
        place.update(from: path.baseAddress!, count: path.count)
        place[path.count] = UInt8(ascii: "?")
        (place + path.count + 1).update(from: query.baseAddress!, count: query.count)
        return keep(path.count + query.count + 1)
    }

    private static func status(_ text: Slice) -> UInt16? {
        guard text.count == 3, text[0] >= UInt8(ascii: "1"), text[0] <= UInt8(ascii: "5") else { return nil }
        return number(text).map { UInt16($0) }
    }

    /// Returns a number of bytes: `-` and no field at all are 0.
    private static func size(_ text: Slice) -> UInt64? {
        if text.isEmpty || (text.count == 1 && text[0] == Byte.dash) { return 0 }
        return text.count <= 18 ? number(text) : nil
    }

    private static func number(_ text: Slice) -> UInt64? {
        var value: UInt64 = 0
        for byte in text {
            guard byte &- Byte.zero < 10 else { return nil }
            value = value &* 10 &+ UInt64(byte &- Byte.zero)
        }
        return value
    }
}
