// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a process left behind.
struct ToolResult {
    var code: Int32
    var output: Data
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// The output as a JSON object.
    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
    }
}

/// A process under test.
final class Tool: @unchecked Sendable {
    // Unchecked: one test uses it, and the two reading threads are joined before their results are read.
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private var outputData = Data()
    private var errorData = Data()
    private let reading = DispatchGroup()

    /// The `millrace` that was built together with the tests.
    static var executable: String {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let folders = [tests, bundle ?? tests].map { $0.deletingLastPathComponent() }
        return folders.map { $0.appendingPathComponent("millrace").path }
            .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "millrace"
    }

    /// - Parameter reads: False leaves standard output unread, as a reader does that is asleep.
    init(_ arguments: [String], at path: String = Tool.executable, input: Pipe? = nil, reads: Bool = true) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        if reads { read(output) { self.outputData = $0 } }
        read(errors) { self.errorData = $0 }
    }

    private func read(_ pipe: Pipe, _ keep: @escaping @Sendable (Data) -> Void) {
        reading.enter()
        Thread { [reading] in
            keep(pipe.fileHandleForReading.readDataToEndOfFile())
            reading.leave()
        }.start()
    }

    /// Waits for the end.
    func finish() -> ToolResult {
        process.waitUntilExit()
        reading.wait()
        return ToolResult(
            code: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: outputData,
            errors: String(decoding: errorData, as: UTF8.self)
        )
    }

    /// Waits until the program has said what SIGTERM shall do, which it does before it starts to work.
    func waitUntilListening() {
        let status = "/proc/\(process.processIdentifier)/status"
        for _ in 0..<1000 {
            Thread.sleep(forTimeInterval: 0.02)
            guard let text = try? String(contentsOfFile: status, encoding: .utf8) else { break }
            let masks = text.split(separator: "\n").filter { $0.hasPrefix("SigIgn:") || $0.hasPrefix("SigCgt:") }
            let signals = masks.compactMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) }.reduce(0, |)
            if signals & 1 << (UInt64(SIGTERM) - 1) != 0 { break }
        }
        Thread.sleep(forTimeInterval: 0.5)
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }
}

/// Runs `millrace` with arguments to its end.
func millrace(_ arguments: String..., input: [UInt8]? = nil) throws -> ToolResult {
    guard let input else { return try Tool(arguments).finish() }
    return try Tool.run(arguments, input: input)
}

extension Tool {
    /// Runs the tool with some bytes as standard input.
    static func run(_ arguments: [String], input: [UInt8]) throws -> ToolResult {
        let pipe = Pipe()
        let tool = try Tool(arguments, input: pipe)
        try? pipe.fileHandleForWriting.write(contentsOf: Data(input))
        try? pipe.fileHandleForWriting.close()
        return tool.finish()
    }
}

/// A list of a JSON report, `[{"key": …, "count": …}]`, by its keys; nil if it is anything else or names a key twice.
func entries(_ report: [String: Any], _ name: String) -> [String: Int]? {
    guard let list = report[name] as? [[String: Any]] else { return nil }
    var counts: [String: Int] = [:]
    for entry in list {
        guard entry.count == 2, let key = entry["key"] as? String, let count = entry["count"] as? Int else {
            return nil
        }
        guard counts.updateValue(count, forKey: key) == nil else { return nil }
    }
    return counts
}
