// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// One log in every layout has the same counts.
@Suite struct FormatAgreementTests {
    private let scratch = Scratch()

    /// The lines of a log in other layouts, made of what the parser of `combined` finds.
    private struct Layouts {
        var nginx: [UInt8] = []
        var vhost: [UInt8] = []
        var columns = Array("#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri sc-status sc-bytes\n".utf8)
        var json: [UInt8] = []
        var template: [UInt8] = []

        static let templateLine =
            "$status\t$request_method\t$request_uri\t$body_bytes_sent\t$time_iso8601\t$remote_addr"

        init(_ log: [UInt8]) {
            for line in lines(of: log) {
                guard let event = parse(Array(line), as: .combined).event else { continue }
                let moment = String(decoding: CivilTime.text(minute: event.minute).dropLast(), as: UTF8.self)
                nginx += line + Array(" \"10.0.0.1\" 0.003 -\n".utf8)
                vhost += Array("a.example:443 ".utf8) + line + [Byte.newline]
                let (date, time) = (moment.prefix(10), moment.suffix(5))
                let (status, size) = (event.status, event.size)
                columns += Array(
                    "\(date) \(time):03 \(event.host) \(event.method) \(event.path) \(status) \(size)\n".utf8
                )
                let object: [String: Any] = [
                    "time": "\(moment):03Z", "ip": event.host, "status": Int(status), "size": Int(size),
                    "url": event.path, "request": ["method": event.method], "agent": event.agent,
                ]
                json += Array((try? JSONSerialization.data(withJSONObject: object)) ?? Data()) + [Byte.newline]
                template += Array("\(status)\t\(event.method)\t".utf8) + Array(event.path.utf8)
                template += Array("\t\(size)\t\(moment):59+00:00\t\(event.host)\n".utf8)
            }
        }
    }

    private func expectAgreement(_ log: [UInt8]) async throws {
        let combined = lines(of: log).filter { parse(Array($0), as: .combined).event != nil }
        // Text that is not UTF-8, or that has the separators of another layout, cannot be written in it. To a line that
        // was cut off inside its last text no further field can be added.
        let plain = combined.filter { line in
            String(validating: line, as: UTF8.self) != nil && !line.contains(Byte.tab) && line.last == Byte.quote
        }
        let bytes = plain.flatMap { $0 + [Byte.newline] }
        let layouts = Layouts(bytes)
        let expected = counts(try await analyse(try scratch.file("combined", bytes)).state)
        #expect((expected["events"] ?? 0) > 900)
        for (name, text, format) in [
            ("nginx", layouts.nginx, LogFormat.auto), ("vhost", layouts.vhost, .auto), ("json", layouts.json, .auto),
            ("w3c", layouts.columns, .auto),
            ("template", layouts.template, try LogFormat(argument: Layouts.templateLine)),
            ("gzip", Packed.gzip(layouts.json), .auto), ("zstd", Packed.zstd(layouts.columns), .auto),
        ] {
            for producers in [1, 3] {
                let path = try scratch.file(name, text)
                var found = counts(try await analyse(path, format: format, producers: producers).state)
                if name == "w3c" || name == "zstd" { found["lines", default: 0] -= 2 }
                #expect(differences(found, expected) == [], "\(name)")
            }
        }
    }

    @Test func onAGeneratedLog() async throws {
        try await expectAgreement(generatedLog(lines: 3000, seed: 31))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: sharedLog), "no real log beside the package"))
    func onARealLog() async throws {
        try await expectAgreement([UInt8](try Data(contentsOf: URL(fileURLWithPath: sharedLog))))
    }
}
