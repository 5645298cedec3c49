// SPDX-License-Identifier: Apache-2.0

/// The reason why a benchmark has no figure.
enum BenchmarkError: Error, CustomStringConvertible {
    case noThreads(Int)
    case noMemory(String)
    case wrongResult(contender: String, expected: String, found: String)
    case commandFailed(String, Int)
    case unknownSection(String, known: [String])

    var description: String {
        switch self {
        case .noThreads(let count): "\(count) threads could not be started"
        case .noMemory(let what): "not enough memory for \(what)"
        case .wrongResult(let contender, let expected, let found):
            "'\(contender)' did not do its work: expected \(expected), found \(found)"
        case .commandFailed(let command, let status):
            "'\(command)' ended with \(status); 'make bench-check' installs what it needs"
        case .unknownSection(let name, let known):
            "no section matches '\(name)'; there are: \(known.joined(separator: ", "))"
        }
    }
}
