// SPDX-License-Identifier: Apache-2.0

/// One input of the command line, and the sizes that are used for reading.
enum InputSource: Equatable, Sendable {
    case standardInput
    case file(String)

    /// The size of a chunk in bytes. It is small enough to stay in a core's cache between reading and parsing.
    static let chunkSize = 256 << 10
    /// The number of bytes that are read beyond a chunk, so that its last line is mostly complete.
    static let slack = 4 << 10

    init(_ argument: String) {
        self = argument == "-" ? .standardInput : .file(argument)
    }

    /// The name of the input in messages and reports.
    var name: String {
        switch self {
        case .standardInput: "standard input"
        case .file(let path): path
        }
    }

    func open() throws(SystemError) -> FileDescriptor {
        switch self {
        case .standardInput: try FileDescriptor(standardInput: 0)
        case .file(let path): try FileDescriptor(path: path)
        }
    }
}
