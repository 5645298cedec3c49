// SPDX-License-Identifier: Apache-2.0

/// The columns that a `#Fields` line names, in a log in the W3C Extended Log File Format. IIS, CloudFront and others
/// write this format.
struct W3CColumns: Equatable, Sendable {
    /// The meaning of each column. If two columns have the same meaning, the second one is skipped.
    let slots: [FieldSlot]

    /// Creates the columns that a `#Fields:` line names. Nil if the line is another directive, or names no column.
    init?(_ line: UnsafeBufferPointer<UInt8>) {
        let name = Array("#fields:".utf8)
        guard line.count > name.count, zip(line, name).allSatisfy({ Byte.lowercased($0) == $1 }) else { return nil }
        let words = line[name.count...].split(whereSeparator: Self.isSeparator)
        guard !words.isEmpty else { return nil }
        var known: Set<FieldSlot> = []
        slots = words.map { word in
            let slot = Self.byName[String(decoding: word.map(Byte.lowercased), as: UTF8.self)] ?? .skip
            return known.insert(slot).inserted ? slot : .skip
        }
    }

    /// Returns the columns of the last `#Fields` line in a text; nil if there is none. The text must begin with the
    /// start of a line.
    static func last(in text: UnsafeBufferPointer<UInt8>) -> W3CColumns? {
        guard let base = text.baseAddress else { return nil }
        let end = base + text.count
        var found: W3CColumns?
        var place = base
        while let mark = ByteSearch.far(UInt8(ascii: "#"), place, end) {
            place = mark + 1
            guard mark == base || mark[-1] == Byte.newline else { continue }
            let lineEnd = ByteSearch.far(Byte.newline, mark, end) ?? end
            found = W3CColumns(.init(start: mark, count: lineEnd - mark)) ?? found
            place = lineEnd
        }
        return found
    }

    private static let byName: [String: FieldSlot] = [
        "date": .date, "time": .timeOfDay, "c-ip": .host, "x-forwarded-for": .forwarded,
        "cs-method": .method, "cs-uri": .target, "cs-uri-stem": .path, "cs-uri-query": .query,
        "sc-status": .status, "sc-bytes": .size, "cs(referer)": .referer, "cs(user-agent)": .agent,
        "cs-host": .site, "cs(host)": .site, "x-host-header": .site,
    ]

    /// Whether a byte separates two columns: a blank, a tab (which some servers write), or a carriage return.
    @inline(__always)
    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == Byte.space || byte == Byte.tab || byte == Byte.carriageReturn
    }

    /// Finds the fields of the line `start ..< end`. Returns what is wrong with its layout, or nil.
    func split(_ start: BytePointer, _ end: BytePointer, into fields: inout FieldSlices) -> MalformedReason? {
        var place = start
        for slot in slots {
            while place < end, Self.isSeparator(place[0]) { place += 1 }
            guard place < end else { return .columns }
            var (first, last) = (place, place)
            if place[0] == Byte.quote, let quote = Self.closingQuote(place + 1, end) {
                (first, last) = (place + 1, quote)
                place = quote + 1
            } else {
                while last < end, !Self.isSeparator(last[0]) { last += 1 }
                place = last
            }
            // A dash means that the field has no value, except in a method or a path.
            let isEmpty = last - first == 1 && first[0] == Byte.dash && ![.method, .path, .target].contains(slot)
            if slot != .skip, !isEmpty { fields[slot] = .init(start: first, count: last - first) }
        }
        while place < end, Self.isSeparator(place[0]) { place += 1 }
        return place == end ? nil : .columns
    }

    /// Returns the quote that ends a quoted field: the first one before a separator or the end. Two quotes in a row do
    /// not end it.
    private static func closingQuote(_ start: BytePointer, _ end: BytePointer) -> BytePointer? {
        var place = start
        while let quote = ByteSearch.far(Byte.quote, place, end) {
            if quote + 1 == end || isSeparator(quote[1]) { return quote }
            place = quote[1] == Byte.quote ? quote + 2 : quote + 1
        }
        return nil
    }
}
