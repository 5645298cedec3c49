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

    /// Returns the name of the processor, with its family and model: on a virtual machine the name may not tell them.
    private static func processorName() -> String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, values[parts[0]] == nil { values[parts[0]] = parts[1] }
        }
        let name = values["model name"] ?? values["Model"] ?? "unknown"
        guard let family = values["cpu family"], let model = values["model"] else { return name }
        return "\(name) (family \(family), model \(model))"
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
