// SPDX-License-Identifier: Apache-2.0

import CMallocCount
import Foundation
import Glibc

/// The hardware and software that the figures depend on.
struct Machine: Encodable {
    let processor: String
    let cores: Int
    let kernel: String
    let swift: String
    let allocator: String
    /// The average number of busy threads in the minute before.
    let load: Double

    static func current() -> Machine {
        var names = utsname()
        uname(&names)
        let release = withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        var load = [0.0]
        getloadavg(&load, 1)
        return Machine(
            processor: processorName(),
            cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
            kernel: "Linux \(release)",
            swift: swiftVersion(),
            allocator: String(cString: malloc_count_allocator()),
            load: (load[0] * 100).rounded() / 100
        )
    }

    private static func processorName() -> String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix("model name") || line.hasPrefix("Model") {
            if let name = line.split(separator: ":", maxSplits: 1).last {
                return name.trimmingCharacters(in: .whitespaces)
            }
        }
        return "unknown"
    }

    /// Returns the version that `swift --version` prints. Without a toolchain, it returns the version of the runtime
    /// library, which has no patch number.
    private static func swiftVersion() -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift", "--version"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        if (try? process.run()) != nil {
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            if let found = text.firstMatch(of: /Swift version ([0-9.]+)/) { return String(found.output.1) }
        }
        return String(describing: _SwiftStdlibVersion.current)
    }
}
