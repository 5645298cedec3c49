// SPDX-License-Identifier: Apache-2.0

/// Finds out the layout of an input from its first lines.
enum FormatDetector {
    /// The most bytes that are looked at.
    static let bytes = 64 << 10
    private static let lines = 100

    private static let candidates: [LogFormat] = [
        .known(.either), .known(.nginx), .known(.vhostCombined), .json(.usual),
    ]

    /// Returns the layout of some lines; nil if no layout fits any line.
    ///
    /// If one of the lines is a valid `#Fields` line, the layout is the W3C format. Without one, the layout that fits
    /// the most lines is returned, and of equal ones the first of `candidates`.
    ///
    /// - Parameter text: The lines. The last one counts only if a newline ends it, or if it is the only one.
    ///   `ByteSearch.padding` bytes after the text must be readable.
    static func format(of text: UnsafeBufferPointer<UInt8>) -> LogFormat? {
        guard let base = text.baseAddress else { return nil }
        let end = base + text.count
        let sample = lines(of: base + ByteSearch.markLength(base, end), end)
        for line in sample where line[0] == UInt8(ascii: "#") && W3CColumns(line) != nil { return .w3c(nil) }
        var best: (format: LogFormat, count: Int)?
        for candidate in candidates {
            let count = matches(sample, candidate)
            if count > best?.count ?? 0 { best = (candidate, count) }
        }
        return best?.format
    }

    /// Returns the first lines that are not empty.
    private static func lines(of start: BytePointer, _ end: BytePointer) -> [UnsafeBufferPointer<UInt8>] {
        var found: [UnsafeBufferPointer<UInt8>] = []
        var place = start
        while place < end, found.count < lines {
            guard let newline = ByteSearch.far(Byte.newline, place, end) else {
                if found.isEmpty { found.append(.init(start: place, count: end - place)) }
                break
            }
            if newline > place { found.append(.init(start: place, count: newline - place)) }
            place = newline + 1
        }
        return found
    }

    /// Returns how many lines a layout fits.
    private static func matches(_ lines: [UnsafeBufferPointer<UInt8>], _ format: LogFormat) -> Int {
        var known = LineParser(format: format)
        var other = LayoutParser()
        let isOther = other.use(format)
        return lines.count { line in
            let start = line.baseAddress!
            // In every layout a line with a NUL is malformed. The parsers do not check that.
            if ByteSearch.far(0, start, start + line.count) != nil { return false }
            let reason =
                isOther ? other.parse(start, start + line.count) : known.parse(start, start + line.count)
            return reason == nil
        }
    }
}
