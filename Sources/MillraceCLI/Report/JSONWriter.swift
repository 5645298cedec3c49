// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// A JSON value. Objects keep the order of their members.
indirect enum JSONValue {
    case number(UInt64)
    case decimal(Double)
    case text(String)
    case flag(Bool)
    case array([JSONValue])
    case object([(String, JSONValue)])

    /// Returns the value as text, indented by two spaces per level. Arrays and objects of at most two plain values take
    /// one line.
    func text(indent: Int = 0) -> String {
        switch self {
        case .number(let number): return String(number)
        case .decimal(let number): return number.isFinite ? "\(number)" : "0"
        case .text(let text): return Self.quoted(text)
        case .flag(let flag): return flag ? "true" : "false"
        case .array(let values): return Self.group("[", values.map { ("", $0) }, "]", indent)
        case .object(let members): return Self.group("{", members.map { (Self.quoted($0) + ": ", $1) }, "}", indent)
        }
    }

    private static func group(_ open: String, _ members: [(String, JSONValue)], _ close: String, _ indent: Int)
        -> String
    {
        if members.isEmpty { return open + close }
        let isFlat = members.count <= 2 && members.allSatisfy { $0.1.isPlain }
        let inner = indent + 2
        let texts = members.map { $0.0 + $0.1.text(indent: inner) }
        if isFlat { return "\(open)\(texts.joined(separator: ", "))\(close)" }
        let margin = "\n" + String(repeating: " ", count: inner)
        let end = "\n" + String(repeating: " ", count: indent)
        return open + margin + texts.joined(separator: "," + margin) + end + close
    }

    private var isPlain: Bool {
        switch self {
        case .array, .object: false
        default: true
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.steersTerminals: result += scalar.escapedForJSON
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
