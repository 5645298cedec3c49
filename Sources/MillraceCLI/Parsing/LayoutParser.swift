// SPDX-License-Identifier: Apache-2.0

/// Parses one line of a layout that is not a known one: a template, the columns of a `#Fields` line, a JSON object. One
/// parser belongs to one thread.
struct LayoutParser: ~Copyable {
    private enum Layout {
        case template(LineTemplate)
        case columns(W3CColumns?)
        case json
    }

    /// The fields of the last line. They are valid only if `parse` returned nil.
    private(set) var line = ParsedLine()
    private var layout = Layout.columns(nil)
    private var json = JSONLineParser(names: .usual)
    private var names = JSONNames.usual
    private var fields = FieldSlices()

    init() {}

    /// More fields of the last line.
    var clientFields: ClientFields { fields.clientFields }

    /// Reads the following lines by a format. Returns false for a format that ``LineParser`` reads.
    mutating func use(_ format: LogFormat) -> Bool {
        switch format {
        case .auto, .known: return false
        case .template(let template): layout = .template(template)
        case .w3c(let columns): layout = .columns(columns)
        case .json(let names):
            layout = .json
            if names != self.names {
                self.names = names
                json = JSONLineParser(names: names)
            }
        }
        return true
    }

    /// Takes a line that begins with `#`, in the W3C format.
    mutating func take(directive line: UnsafeBufferPointer<UInt8>) {
        if let columns = W3CColumns(line) { layout = .columns(columns) }
    }

    /// Parses the line `start ..< limit`, without its newline. Returns what is wrong with it, or nil. The caller must
    /// check for NUL bytes.
    mutating func parse(_ start: BytePointer, _ limit: BytePointer) -> MalformedReason? {
        var end = limit
        if end > start, end[-1] == Byte.carriageReturn { end -= 1 }
        while end > start, end[-1] == Byte.space || end[-1] == Byte.tab { end -= 1 }
        if end == start { return .emptyLine }
        fields.clear()
        let reason: MalformedReason? =
            switch layout {
            case .template(let template): template.split(start, end, into: &fields)
            case .columns(let columns?): columns.split(start, end, into: &fields)
            case .columns(nil): .noColumns
            case .json: json.split(start, end, into: &fields)
            }
        return reason ?? fields.finish(&line)
    }
}
