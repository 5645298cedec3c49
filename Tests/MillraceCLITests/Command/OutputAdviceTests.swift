// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceInstrumentation
import Testing

@testable import MillraceCLI

/// Errors that say how to mend them, and outputs that end as they should.
@Suite struct OutputAdviceTests {
    private let scratch = Scratch()
    private static let outputs = ["--report", "--trace", "--hgrm", "--prometheus", "--recorder", "--log"]

    @Test(arguments: ["--producers", "--repeat", "--events", "--top", "--max-keys", "--capacity", "--shards", "--seed"])
    func aNegativeNumberIsToldToBePositive(_ option: String) throws {
        let result = try Tool([option, "-1"]).finish()
        #expect(result.code == 64)
        #expect(result.errors.contains("positive"), "\(result.errors)")
        let words = try Tool([option, "many"]).finish()
        #expect(words.code == 64 && words.errors.contains("'many'"), "\(words.errors)")
    }

    @Test(arguments: outputs)
    func aDashIsNoOutput(_ option: String) throws {
        let result = try Tool([option, "-"]).finish()
        #expect(result.code == 64 && result.text == "")
        #expect(result.errors.contains("\(option) needs the path of a file") && result.errors.contains("./-"))
    }

    @Test(arguments: outputs.filter { $0 != "--hgrm" })
    func aFolderIsToldToNeedAName(_ option: String) throws {
        let result = try Tool(["--events", "10", option, scratch.path]).finish()
        #expect(result.code == 1)
        #expect(result.errors.contains("Is a directory. Give the path of a file in this folder"), "\(result.errors)")
        #expect(!result.errors.contains("exists and is writable"))
        let missing = try Tool(["--events", "10", option, "\(scratch.path)/none/file"]).finish()
        #expect(missing.code == 1 && !missing.errors.contains("Is a directory"))
        #expect(missing.errors.contains("folder that exists"), "\(missing.errors)")
    }

    @Test func breadcrumbsEndQuietlyWhenTheirReaderDoes() throws {
        let ring = "\(scratch.path)/flight.ring"
        #expect(try Tool(["--events", "50000", "--quiet", "--json", "--recorder", ring]).finish().code == 0)
        let shell = try Tool(
            ["-c", "('\(Tool.executable)' breadcrumbs '\(ring)'; echo code $? >&2) | head -1"],
            at: "/bin/sh"
        ).finish()
        #expect(shell.text.hasPrefix("process ") && shell.text.split(separator: "\n").count == 1)
        #expect(shell.errors == "code 0\n")
    }

    @Test func aTruncatedRingNeverSaysHowItEnded() throws {
        let ring = "\(scratch.path)/flight.ring"
        #expect(try Tool(["--events", "5000", "--quiet", "--json", "--recorder", ring]).finish().code == 0)
        #expect(try millrace("breadcrumbs", ring).text.contains("ended normally"))
        let whole = try Data(contentsOf: URL(fileURLWithPath: ring))
        for part in [0.999, 0.9, 0.5, 0.2, 0.01] {
            let cut = try scratch.file("cut.ring", whole.prefix(Int(Double(whole.count) * part)))
            let result = try millrace("breadcrumbs", cut)
            #expect(result.code == 1)
            #expect(!result.text.contains("ended normally"), "\(part)")
            #expect(result.errors.contains("cut.ring"), "\(result.errors)")
        }
        let cut = try scratch.file("cut.ring", whole.prefix(whole.count / 2))
        #expect(try millrace("breadcrumbs", cut).text.contains("how it ended is not known"))
        let lines = try Breadcrumbs(path: cut).lines
        #expect(!lines.contains { $0.contains("ended normally") })
    }
}
