// SPDX-License-Identifier: Apache-2.0

/// How the lines of an input are laid out. docs/access-log.md has the grammars.
enum LogFormat: Equatable, Sendable {
    /// The first lines of each input decide (``FormatDetector``). A parser that gets this value reads ``Known/either``.
    case auto
    /// A layout with a parser of its own.
    case known(Known)
    /// A line in the notation of nginx's `log_format`.
    case template(LineTemplate)
    /// The W3C Extended Log File Format, with the columns of the last `#Fields` line; nil before the first one.
    case w3c(W3CColumns?)
    /// One JSON object in each line.
    case json(JSONNames)

    /// The layouts of Apache and nginx, which one fast parser reads.
    enum Known: String, CaseIterable, Sendable {
        /// `common` or `combined`, decided line by line.
        case either = "common or combined"
        /// `host ident user [time] "request" status size`
        case common
        /// The fields of `common`, followed by `"referer" "agent"`.
        case combined
        /// `common` or `combined`, the latter with any further fields at the end.
        case nginx
        /// `combined` behind a first field `site` or `site:port`.
        case vhostCombined = "vhost_combined"
    }

    static let common = LogFormat.known(.common)
    static let combined = LogFormat.known(.combined)

    /// The values of `--format` that are names.
    static let names: [(name: String, format: LogFormat)] = [
        ("auto", .auto), ("common", .common), ("combined", .combined), ("vhost_combined", .known(.vhostCombined)),
        ("nginx", .known(.nginx)), ("w3c", .w3c(nil)), ("json", .json(.usual)),
    ]

    static var nameList: String { names.map(\.name).joined(separator: ", ") }

    /// Returns the value of the option.
    init(argument: String) throws(FormatError) {
        if let known = Self.names.first(where: { $0.name == argument }) {
            self = known.format
            return
        }
        let line = try LogFormatLine(argument)
        guard line.text.contains("$") else { throw .unknownName(argument) }
        if line.text.utf8.first == UInt8(ascii: "{") {
            self = .json(try JSONNames(line))
        } else {
            self = .template(try LineTemplate(line))
        }
    }

    /// Whether lines that begin with `#` are directives.
    var hasDirectives: Bool {
        if case .w3c = self { return true }
        return false
    }
}

extension LogFormat: CustomStringConvertible {
    /// The name of the layout of an input, in reports.
    var inReports: String {
        if case .auto = self { return Known.either.rawValue }
        return description
    }

    /// The argument for this format.
    var description: String {
        switch self {
        case .auto: "auto"
        case .known(let known): known.rawValue
        case .template(let template): LogFormatLine.argument(of: template.text)
        case .w3c: "w3c"
        case .json(let names): names.text
        }
    }
}
