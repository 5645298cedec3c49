// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

/// The layout is found out from the first lines.
@Suite struct FormatDetectorTests {
    private static let combined = "h - - [17/May/2015:10:05:03 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"Agent\""
    private static let json = "{\"ts\":60,\"ip\":\"h\",\"status\":200,\"url\":\"/\"}"
    private static let w3c = "#Software: x\n#Fields: date time c-ip cs-method cs-uri-stem sc-status"

    private func detect(_ text: String) -> LogFormat? {
        let bytes = Array(text.utf8)
        return (bytes + [UInt8](repeating: 0, count: ByteSearch.padding)).withUnsafeBufferPointer {
            FormatDetector.format(of: .init(rebasing: $0[..<bytes.count]))
        }
    }

    @Test(arguments: [
        (combined, LogFormat.known(.either)), (String(combined.dropLast(12)), .known(.either)),
        (combined + " 0.003", .known(.nginx)), ("example.com:80 " + combined, .known(.vhostCombined)),
        (json, .json(.usual)), (w3c + "\n2015-05-17 10:05:03 h GET /a 200", .w3c(nil)),
    ])
    func knowsTheLayouts(_ text: String, _ expected: LogFormat) {
        #expect(detect(text + "\n") == expected)
        #expect(detect("broken\n\n" + text + "\n" + text + "\nbroken\n") == expected)
    }

    @Test func mostLinesDecide() {
        let lines = [Self.combined, Self.json, Self.json]
        #expect(detect(lines.joined(separator: "\n") + "\n") == .json(.usual))
        #expect(detect([Self.combined, Self.combined, Self.json].joined(separator: "\n") + "\n") == .known(.either))
    }

    @Test func nothingIsNoLayout() {
        #expect(detect("") == nil)
        #expect(detect("broken\nlines\n") == nil)
        #expect(detect("\0\(Self.json)\n") == nil)
        #expect(detect(Self.json) == .json(.usual), "a line alone, without a newline")
    }

    @Test func eachInputHasItsOwn() async throws {
        let scratch = Scratch()
        let paths = try [Self.combined, Self.json, Self.combined + " 1"].map { line in
            try scratch.file("\(line.count)", Array("\(line)\n\(line)\n".utf8))
        }
        let state = try await analyse(paths[0], paths[1], paths[2], producers: 3).state
        #expect(state.events == 6 && state.malformed == 0)
    }
}
