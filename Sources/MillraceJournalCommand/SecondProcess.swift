// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceRecords

/// Runs this command again in a process of its own. Hash values have another seed there, so a reducer that depends on the order of
/// a set or of a dictionary makes another state.
enum SecondProcess {
    /// The option that makes `verify` print only the hash of the state after an action.
    static let flag = "--only-hash"

    /// Returns the hash that a second process makes of the same actions; nil if this process was not started by these
    /// arguments: then they cannot be repeated.
    static func hash(of folder: String, after last: UInt64) throws -> CanonicalHash? {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.contains(folder), arguments.contains("verify") else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments + [flag, "\(last)"]
        var environment = ProcessInfo.processInfo.environment
        // It would give both the same seed.
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
