// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Foundation

extension Cliff {
    /// The tool as `swift build -c release --product millrace` leaves it.
    private static let tool = URL(filePath: ".build/release/millrace")

    /// The cost of a minute with an alert: the tool reads a log with one failed request a minute. Nil if the tool is
    /// not built.
    static var alerts: Cliff? {
        guard FileManager.default.isExecutableFile(atPath: tool.path) else { return nil }
        return Cliff("millrace run --alert 0, minutes", sizes: [1_000, 10_000, 100_000], rule: .flat(atMost: 3)) {
            size in
            let folder = FileManager.default.temporaryDirectory.appending(path: "millrace-bench-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let log = folder.appending(path: "access.log")
            try Data(lines(size).utf8).write(to: log)
            let process = Process()
            let output = Pipe()
            process.executableURL = tool
            process.arguments = ["run", log.path, "--alert", "0", "--json"]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            let began = bench_now()
            try process.run()
            let report = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let nanoseconds = Double(bench_now() - began) / Double(size)
            let events = (try JSONSerialization.jsonObject(with: report) as? [String: Any])?["events"] as? Int
            guard events == size else {
                throw BenchmarkError.wrongResult(
                    contender: "alerts",
                    expected: "\(size) events",
                    found: "\(events ?? 0)"
                )
            }
            return nanoseconds
        }
    }

    private static func lines(_ minutes: Int) -> String {
        (0..<minutes).map { minute in
            var seconds = time_t(1_431_820_800 + 60 * minute)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            var text = [CChar](repeating: 0, count: 32)
            strftime(&text, text.count, "%d/%b/%Y:%H:%M:%S", &parts)
            let time = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return "192.0.2.7 - - [\(time) +0000] \"GET / HTTP/1.1\" 500 1 \"-\" \"-\"\n"
        }.joined()
    }
}
