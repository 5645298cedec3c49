// SPDX-License-Identifier: Apache-2.0

extension LineTemplate {
    /// Finds the fields of the line `start ..< end`. Returns what is wrong with its layout, or nil.
    func split(_ start: BytePointer, _ end: BytePointer, into fields: inout FieldSlices) -> MalformedReason? {
        literals.withUnsafeBufferPointer { literals -> MalformedReason? in
            guard Self.matches(literals, prefix, start, end) else { return .layout }
            var place = start + prefix.count
            for step in steps {
                guard let fieldEnd = step.end(literals, place, end),
                    Self.matches(literals, step.literal, fieldEnd, end)
                else { return .layout }
                if step.slot != .skip { fields[step.slot] = .init(start: place, count: fieldEnd - place) }
                place = fieldEnd + step.literal.count
            }
            return place == end ? nil : .trailingText
        }
    }

    @inline(__always)
    fileprivate static func matches(
        _ literals: UnsafeBufferPointer<UInt8>,
        _ range: Range<Int>,
        _ start: BytePointer,
        _ end: BytePointer
    ) -> Bool {
        guard end - start >= range.count else { return false }
        for (offset, place) in range.enumerated() where start[offset] != literals[place] { return false }
        return true
    }
}

extension LineTemplate.Step {
    /// Returns the end of a field that begins at `start`: the first place of the text that follows it.
    @inline(__always)
    fileprivate func end(_ literals: UnsafeBufferPointer<UInt8>, _ start: BytePointer, _ end: BytePointer)
        -> BytePointer?
    {
        if literal.isEmpty { return end }
        if isQuoted { return ByteSearch.closingQuote(start, end) }
        var place = start
        while let hit = ByteSearch.near(literals[literal.lowerBound], place, end) {
            if LineTemplate.matches(literals, literal, hit, end) { return hit }
            place = hit + 1
        }
        return nil
    }
}
