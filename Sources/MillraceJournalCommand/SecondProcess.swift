// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceRecords

/// Runs this command again in another process. Swift's hash values have another seed there. So a reducer that depends
/// on the order of a set or a dictionary makes another state.
enum SecondProcess {
    /// The option that makes `verify` print only the hash of the state after an action.
    static let flag = "--only-hash"

    /// Returns the hash that a second process prints for the same actions. Nil if the arguments of this process are not
    /// those of `verify` for this folder, as in a test: then a second process cannot be started with them.
    ///
    /// - Parameters:
    ///   - path: The folder of the journal, or the file of the session.
    ///   - folder: The argument of the command: `path`, or the folder of a sharded journal around it.
    static func hash(of path: String, givenAs folder: String, after last: UInt64) throws -> CanonicalHash? {
        var arguments = Array(CommandLine.arguments.dropFirst())
        // The folder may have the name of a command, or come after `--`.
        guard let command = arguments.firstIndex(of: "verify"), let place = arguments.lastIndex(of: folder),
            place > command
        else { return nil }
        arguments[place] = path
        arguments.insert(contentsOf: [flag, "\(last)"], at: command + 1)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        // With this variable, both processes would have the same seed.
        environment["SWIFT_DETERMINISTIC_HASHING"] = nil
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let hash = CanonicalHash(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandError("the second process gave no hash: it ended with \(process.terminationStatus)")
        }
        return hash
    }
}
