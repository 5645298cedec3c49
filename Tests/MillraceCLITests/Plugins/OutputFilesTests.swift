// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Testing

@testable import MillraceCLI

/// No file of a run takes the place of what it reads, or of another one.
@Suite struct OutputFilesTests {
    private let scratch = Scratch()

    private func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

    private func check(inputs: [String], _ options: [String]) -> String? {
        do {
            try OutputFiles(try PluginOptions.parse(options)).check(inputs: inputs)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: ["--report", "--trace", "--prometheus", "--recorder", "--log", "--hgrm"])
    func anInputIsNoOutput(_ option: String) throws {
        let text = Array("precious\n".utf8)
        let file = try scratch.file("a.log", text)
        try FileManager.default.createSymbolicLink(atPath: path("soft.log"), withDestinationPath: file)
        try FileManager.default.linkItem(atPath: file, toPath: path("hard.log"))
        for name in [file, path("./a.log"), path("soft.log"), path("hard.log")] {
            let result = try millrace(file, option, name)
            #expect(result.code == 64, "\(name)")
            #expect(result.errors.contains("\(option) \(name) would overwrite the input, \(file)"), "\(result.errors)")
        }
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: file))) == text)
    }

    @Test func standardInputAndOutputAreFiles() throws {
        let file = try scratch.file("a.log", Array("precious\n".utf8))
        for redirection in [
            "- --report '\(file)' < '\(file)'", "--events 10 --report '\(path("out"))' > '\(path("out"))'",
        ] {
            let shell = try Tool(["-c", "'\(Tool.executable)' run \(redirection)"], at: "/bin/sh").finish()
            #expect(shell.code == 64, "\(redirection)")
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious\n")
    }

    @Test func outputsAreDifferentFiles() throws {
        try FileManager.default.createDirectory(atPath: path("folder"), withIntermediateDirectories: true)
        let same = [
            ["--report", path("x"), "--trace", path("folder/../x")],
            ["--report", path("x"), "--hgrm", path("x")],
            ["--log", path("x.previous"), "--recorder", path("x")],
            ["--prometheus", path("x"), "--log", path("./x")],
        ]
        for options in same {
            #expect(check(inputs: [], options)?.contains("are one file") == true, "\(options)")
        }
        #expect(check(inputs: [path("folder/a.hgrm")], ["--hgrm", path("folder")])?.contains("of its own") == true)
        #expect(check(inputs: [], ["--hgrm", path("folder"), "--log", path("folder/b.hgrm")]) != nil)
        #expect(check(inputs: [path("folder/a.log")], ["--hgrm", path("folder"), "--log", path("folder/b")]) == nil)
        #expect(check(inputs: ["/dev/null"], ["--report", "/dev/null", "--prometheus", "/dev/null"]) == nil)
        #expect(check(inputs: [path("a")], ["--report", path("b"), "--recorder", path("c")]) == nil)
    }

    @Test func whatIsThereStaysUntilTheEnd() throws {
        let old = Array("old\n".utf8)
        let names = try ["report", "metrics", "log"].map { try scratch.file($0, old) }
        let options = try PluginOptions.parse([
            "--report", names[0], "--prometheus", names[1], "--log", names[2], "--hgrm", path("new"),
        ])
        #expect(OutputProbe.problems(options) == [])
        for name in names { #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: name))) == old) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).count == 4, "a folder was made")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("new")) == [])
    }

    @Test(arguments: ["--report", "--trace", "--prometheus", "--recorder", "--log", "--hgrm"])
    func nobodyWaitsForTheReaderOfAFIFO(_ option: String) throws {
        try #require(mkfifo(path("fifo"), 0o600) == 0)
        let result = try millrace("--events", "1000", option, path("fifo"))
        #expect(result.code == 1)
        #expect(result.errors.contains(path("fifo")), "\(result.errors)")
        if option != "--hgrm" { #expect(result.errors.contains("is a FIFO, and a run would wait for its reader")) }
        let folder = try millrace("--events", "1000", option, option == "--hgrm" ? "/proc/self" : scratch.path)
        #expect(folder.code == 1 && folder.text == "")
    }

    @Test func aPipeThatWasInheritedIsAnOutput() throws {
        let result = try millrace("--events", "1000", "--json", "--prometheus", "/dev/stdout")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.text.contains("# TYPE millrace_actions_total") && result.text.contains("\"lines\""))
    }

    @Test func onlyOptionsThatNameFilesAreGivenOnce() {
        #expect(RepeatedOption.first(in: ["run", "--top", "1", "--top", "2", "--log", "x"]) == nil)
        #expect(RepeatedOption.first(in: ["--log", "x", "--log=y"]) == "--log")
        #expect(RepeatedOption.first(in: ["--log", "x", "--", "--log"]) == nil)
    }
}
