// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import MillraceCLI

/// Runs whose files find no room, or whose folder goes meanwhile. The report on standard output is printed anyway.
@Suite struct OutputFaultTests {
    private let scratch = Scratch()
    private static let replaced = ["--report", "--prometheus"]
    private static let outputs = replaced + ["--hgrm", "--trace", "--log", "--recorder"]

    /// Runs a script of the shell. `$0` is the tool, `$1` its output.
    private static func shell(_ script: String, _ output: String) throws -> ToolResult {
        try Tool(["-c", script, Tool.executable, output], at: "/bin/sh").finish()
    }

    /// The option with its output; a log with a line for each action.
    private static func given(_ option: String) -> String {
        "\(option) \"$1\"" + (option == "--log" ? " --log-level trace" : "")
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
    }

    @Test(arguments: outputs) func aFileThatMayNotGrowIsAnError(_ option: String) throws {
        let old = Array("old\n".utf8)
        let path = try option == "--hgrm" ? "\(scratch.path)/out" : scratch.file("out", Self.isOld(option) ? old : [])
        // 512 bytes; the signal would end the program.
        let result = try Self.shell(
            "trap '' XFSZ; ulimit -f 1; \"$0\" --events 300 --quiet --json \(Self.given(option))",
            path
        )
        #expect(result.code == 1)
        #expect(result.errors.contains(path) && result.errors.contains("File too large"), "\(result.errors)")
        #expect(result.errors.contains("free space") || result.errors.contains("Free disk space"), "\(result.errors)")
        // A recorder must have its room before the run begins.
        if option != "--recorder" { #expect(try result.json()["lines"] as? Int == 300) }
        #expect(try files() == ["out"], "no partial file is left")
        if Self.isOld(option) { #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == old) }
        if option == "--log" { #expect(result.errors.contains("lines of the log '\(path)' are lost")) }
        if option == "--report" { #expect(result.errors.contains("'\(path).pipeline.html' cannot be written")) }
        if option == "--trace" {
            let trace = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(trace is [String: Any], "what there is can be read")
        }
    }

    /// Whether a run replaces what is at the path, after all of the new file is written.
    private static func isOld(_ option: String) -> Bool { replaced.contains(option) }

    @Test(.enabled(if: SmallDisk.isPossible, "no right to mount a disk"), arguments: outputs)
    func aDiskWithoutRoomIsAnError(_ option: String) throws {
        try FileManager.default.createDirectory(atPath: scratch.path + "/disk", withIntermediateDirectories: false)
        let path = scratch.path + "/disk/out"
        let result = try Self.shell(
            """
            exec unshare -m sh -c '
                cd "${1%/*}" && mount -t tmpfs -o size=64k none . && cd "$PWD" || exit 99
                \(Self.isOld(option) ? "echo old > out;" : "")
                cat /dev/zero > filler 2> /dev/null
                "$0" --events 300 --quiet --json \(Self.given(option))
                code=$?
                rm filler
                echo left: * >&2
                \(Self.isOld(option) ? "cat out >&2" : "")
                exit $code
            ' "$0" "$1"
            """,
            path
        )
        #expect(result.code == 1)
        #expect(result.errors.contains(path) && result.errors.contains("No space left on device"), "\(result.errors)")
        #expect(result.errors.contains("free space") || result.errors.contains("Free disk space"), "\(result.errors)")
        if option == "--report" { #expect(result.errors.contains("'\(path).pipeline.html' cannot be")) }
        if option == "--recorder" {
            #expect(result.errors.contains("left: *\n"), "\(result.errors)")
        } else if Self.isOld(option) {
            #expect(result.errors.hasSuffix("left: out\nold\n"), "\(result.errors)")
        } else {
            #expect(result.errors.contains("left: out\n"), "\(result.errors)")
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no right to mount a disk"))
    func theProbeFindsAFullDiskBeforeTheRun() async {
        await #expect(processExitsWith: .success) {
            try SmallDisk.with(files: 1) { disk in
                try "old".write(toFile: disk + "/old", atomically: false, encoding: .utf8)
                for option in ["--report", "--prometheus", "--hgrm", "--log"] {
                    let path = option == "--log" ? disk + "/new" : disk + "/old"
                    let options = try PluginOptions.parse([option, option == "--hgrm" ? disk + "/new" : path])
                    let problems = OutputProbe.problems(options)
                    #expect(problems.count == 1, "\(option)")
                    #expect(problems.allSatisfy { $0.contains("'\(disk)/") && $0.contains("No space left on device") })
                    #expect(problems.allSatisfy { $0.contains("Free disk space") }, "\(problems)")
                    #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["old"], "\(option)")
                }
                #expect(try String(contentsOfFile: disk + "/old", encoding: .utf8) == "old")
            }
        }
    }

    /// A recorder needs the most room, so it is made before the old trace is emptied.
    @Test func aRecorderWithoutRoomLeavesTheOldTrace() throws {
        let trace = try scratch.file("trace", Array("old".utf8))
        let result = try Self.shell(
            "trap '' XFSZ; ulimit -f 1; \"$0\" --events 300 --quiet --json --recorder \"$1\" --trace '\(trace)'",
            scratch.path + "/ring"
        )
        #expect(result.code == 1 && result.text == "")
        #expect(try files() == ["trace"] && String(contentsOfFile: trace, encoding: .utf8) == "old")
    }

    /// The input comes when the folder is gone, so no line is handled before.
    @Test(arguments: outputs) func aFolderThatGoesDuringARunIsAnError(_ option: String) async throws {
        let folder = scratch.path + "/folder"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let path = folder + "/out"
        // The last files that are made before the run begins.
        let begun = (
            option == "--recorder" ? path : scratch.path + "/ring", option == "--trace" ? path : scratch.path + "/t"
        )
        let input = Pipe()
        var arguments = ["-", "--quiet", "--json", option, path]
        if option == "--log" { arguments += ["--log-level", "trace"] }
        if option != "--recorder" { arguments += ["--recorder", begun.0] }
        if option != "--trace" { arguments += ["--trace", begun.1] }
        let tool = try Tool(arguments, input: input)
        let manager = FileManager.default
        #expect(
            await eventually {
                manager.fileExists(atPath: begun.0) && (manager.contents(atPath: begun.1)?.isEmpty == false)
            }
        )
        try manager.removeItem(atPath: folder)
        let line = #"1.2.3.4 - - [10/Oct/2024:13:55:36 +0000] "GET /a HTTP/1.1" 200 12"# + "\n"
        try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
        try input.fileHandleForWriting.close()
        let result = tool.finish()
        #expect(result.code == 1)
        #expect(try result.json()["events"] as? Int == 1)
        #expect(result.errors.contains(path), "\(result.errors)")
        #expect(result.errors.contains("No such file or directory"), "\(result.errors)")
        if option == "--report" { #expect(result.errors.contains("'\(path).pipeline.html' cannot be created")) }
        #expect(!manager.fileExists(atPath: folder))
    }

    /// The run ends, because files that may not grow are no disk that gets room. With room, the same command goes on.
    @Test func aJournalThatMayNotGrowIsAnErrorAndTheSameCommandGoesOn() throws {
        let journal = scratch.path + "/journal"
        let options = "--events 3000 --quiet --json --durability process --journal \"$1\""
        let result = try Self.shell("trap '' XFSZ; ulimit -f 100; \"$0\" \(options)", journal)
        #expect(result.code == 1 && result.text == "")
        #expect(result.errors.contains("the run is not complete, and no report is printed"), "\(result.errors)")
        #expect(result.errors.contains("write failed: File too large"), "\(result.errors)")
        #expect(result.errors.contains("\(journal)/segment-"), "\(result.errors)")
        let again = try Self.shell("\"$0\" \(options)", journal)
        #expect(again.code == 0 && again.errors.contains("recovered: "), "\(again.errors)")
        let plain = try millrace("--events", "3000", "--quiet", "--json")
        for name in ["lines", "events", "bytes", "distinctPaths", "distinctHosts"] {
            #expect(try again.json()[name] as? Int == plain.json()[name] as? Int, "\(name)")
        }
    }

    /// Blocks its thread: the task of an asynchronous test may have to wait for other tests, and the run would go on.
    @Test func aJournalWhoseFolderGoesIsAnError() throws {
        let journal = scratch.path + "/journal"
        let tool = try Tool(["--events", "100000000", "--quiet", "--json", "--journal", journal])
        let deadline = ContinuousClock.now + .seconds(60)
        while segments(journal) == 0, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.02) }
        // Again, if the journal has made a file meanwhile.
        while FileManager.default.fileExists(atPath: journal) { try? FileManager.default.removeItem(atPath: journal) }
        let removed = ContinuousClock.now
        let result = tool.finish()
        // To read all of its input would take many minutes.
        #expect(ContinuousClock.now - removed < .seconds(60))
        #expect(result.code == 1 && result.text == "")
        #expect(result.errors.contains(journal), "\(result.errors)")
        #expect(result.errors.contains("the file 'lock' was replaced or removed"), "\(result.errors)")
        #expect(try files() == [])
    }

    private func segments(_ journal: String) -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: journal)) ?? []).count { $0.hasSuffix(".mrj") }
    }

    @Test func aSnapshotThatMayNotGrowIsAnErrorAndTheJournalStaysWhole() throws {
        let journal = scratch.path + "/journal"
        // The second run begins a segment of its own, which stays small.
        for _ in 1...2 {
            #expect(try millrace("--events", "3000", "--quiet", "--json", "--journal", journal).code == 0)
        }
        // That segment fits in, and so does the one of the command. The snapshot does not.
        let result = try Self.shell(
            "trap '' XFSZ; ulimit -f 150; \"$0\" journal snapshot \"$1\"",
            journal
        )
        #expect(result.code == 1)
        #expect(result.errors.contains("\(journal)/snapshot-"), "\(result.errors)")
        #expect(result.errors.contains("File too large"), "\(result.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: journal)
        #expect(!names.contains { $0.hasPrefix("snapshot-") }, "\(names)")
        #expect(try millrace("journal", "verify", journal).code == 0)
        #expect(try millrace("journal", "snapshot", journal).code == 0)
    }

    /// Runs a script on a disk of 8 MiB of its own, in its folder. "$0" is the tool, and "$1" the journal, which is not
    /// there yet.
    private func onDisk(_ script: String) throws -> ToolResult {
        try FileManager.default.createDirectory(atPath: scratch.path + "/disk", withIntermediateDirectories: false)
        let mount = "cd \"${1%/*}\" && mount -t tmpfs -o size=8m none . && cd \"$PWD\" || exit 99"
        return try Self.shell(
            "exec unshare -m sh -c '\(mount)\n\(script)' \"$0\" \"$1\"",
            scratch.path + "/disk/journal"
        )
    }

    /// With a full disk the run does not end, so a second process makes room once the message is there.
    @Test(.enabled(if: SmallDisk.isPossible, "no right to mount a disk"))
    func aRunThatWaitsForRoomSaysSoAndGoesOn() throws {
        let result = try onDisk(
            """
            head -c 7700000 /dev/zero > filler
            "$0" --events 100000 --quiet --json --durability process --journal "$1" 2> ../errors &
            for turn in $(seq 200); do grep -q "is full" ../errors && break; sleep 0.1; done
            rm filler
            wait $!
            status=$?
            cat ../errors >&2
            exit $status
            """
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("/disk/journal' is full: the run waits"), "\(result.errors)")
        #expect(try result.json()["lines"] as? Int == 100_000)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "no right to mount a disk"))
    func aJournalThatIsOpenedOnAFullDiskIsAnError() throws {
        let result = try onDisk(
            """
            cat /dev/zero > filler 2> /dev/null
            "$0" --events 300 --quiet --json --durability process --journal "$1" && exit 98
            rm filler
            "$0" --events 300 --quiet --json --durability process --journal "$1"
            """
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            result.errors.contains("/disk/journal/lock': write failed: No space left on device"),
            "\(result.errors)"
        )
        #expect(result.errors.contains("Make room on the disk"), "\(result.errors)")
        #expect(try result.json()["lines"] as? Int == 300)
    }
}
