// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the value of `--format`. A place is the number of a byte, from 1.
enum FormatError: Error, Equatable, CustomStringConvertible {
    case unknownName(String)
    case empty
    case noName(place: Int)
    case unclosedBrace(place: Int)
    case controlCharacter(place: Int)
    case touching(first: String, second: String, place: Int)
    case missing(what: String, variables: String)
    case twice(variable: String, place: Int)
    case quotes(place: Int)
    case json(reason: String, place: Int)

    var description: String {
        switch self {
        case .unknownName(let name):
            """
            '\(name)' is neither the name of a format nor a line with variables. Names are \(LogFormat.nameList); a \
            line is written as for nginx's log_format, such as '$remote_addr [$time_local] "$request" $status'.
            """
        case .empty: "The line is empty. Write it as for nginx's log_format, or leave --format out."
        case .noName(let place):
            "At character \(place), no name follows '$'. Write $name or ${name}. A layout with a '$' cannot be read."
        case .unclosedBrace(let place): "At character \(place), '${' has no '}'. Write ${name}."
        case .controlCharacter(let place):
            "At character \(place) is a control character. A layout is one line; only tabs are allowed."
        case .touching(let first, let second, let place):
            """
            At character \(place), $\(second) follows $\(first) directly, so nothing says where $\(first) ends. Put a \
            character between them, in the server's log_format too.
            """
        case .missing(let what, let variables):
            "The line has no \(what): add \(variables). No request can be counted without it."
        case .twice(let variable, let place):
            "At character \(place), $\(variable) stands for the second time. Give each a place of its own, or another name."
        case .quotes(let place):
            "At character \(place), a quoted part of log_format does not end. Close it, or give only what is in quotes."
        case .json(let reason, let place):
            """
            At character \(place): \(reason). A line that begins with '{' is one JSON object whose values are variables, \
            such as {"time": "$time_iso8601", "url": "$request_uri", "status": "$status"}.
            """
        }
    }
}
