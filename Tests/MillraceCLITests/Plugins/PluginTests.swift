// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// What the plugins of a run leave behind, as the users of the built program meet it.
@Suite(.timeLimit(.minutes(5))) struct PluginTests {
    private let scratch = Scratch()

    private func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

    private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// Lines of one minute, of which the first so many failed.
    private func lines(_ minute: Int, _ count: Int, failed: Int, status: Int = 500) -> String {
        (0..<count).map { number in
            "192.0.2.7 - - [17/May/2015:10:\(10 + minute):03 +0000] \"GET /a HTTP/1.1\" "
                + "\(number < failed ? status : 200) 12\n"
        }.joined()
    }

    // MARK: Instrumentation

    @Test(arguments: engines.map(\.rawValue))
    func everyRunTellsWhereItsTimeGoes(_ engine: String) throws {
        let report = try millrace("--events", "20000", "--json", "--engine", engine).json()
        let stages = try #require(report["stages"] as? [[String: Any]])
        #expect(Set(stages.compactMap { $0["name"] as? String }).isSuperset(of: ["queue", "reducers", "total"]))
        for stage in stages {
            let figures = ["p50", "p90", "p99", "p999", "max"].compactMap { stage[$0] as? Int }
            #expect(figures.count == 5 && figures == figures.sorted(), "\(stage)")
            #expect(stage["count"] as? Int ?? 0 > 0)
        }
        // One action in 16 is measured; batches put events and their definitions in.
        let measured = try #require(stages.first { $0["name"] as? String == "reducers" }?["count"] as? Int)
        #expect(20_000 / 64..<20_000 / 4 ~= measured)
    }

    @Test func stagesOfShardsAreTakenTogether() throws {
        let report = try millrace("--events", "20000", "--json", "--shards", "3").json()
        let names = try #require(report["stages"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        #expect(Set(names).count == names.count)
    }

    @Test func tablesHaveTheStagesUnlessTheyAreDisabled() throws {
        #expect(try millrace("--events", "5000").text.contains("Time of an action (one in 16 measured)\n"))
        let without = try millrace("--events", "5000", "--disable", "instrumentation")
        #expect(without.code == 0)
        #expect(!without.text.contains("Time of an action"))
    }

    @Test func filesForPeopleAndPrograms() throws {
        let result = try millrace(
            "--events",
            "50000",
            "--json",
            "--report",
            path("page.html"),
            "--prometheus",
            path("metrics.txt"),
            "--trace",
            path("trace.json"),
            "--hgrm",
            path("hgrm"),
            "--recorder",
            path("flight.ring")
        )
        #expect(result.code == 0 && result.errors == "", "\(result.errors)")
        let measured = try reducersMeasured(result)

        #expect(try text("page.html").contains("href=\"./page.pipeline.html\""))
        let page = try text("page.pipeline.html")
        #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
        #expect(page.contains("millrace run") && page.contains("reducers") && page.contains("\".event\""))

        let metrics = try text("metrics.txt").split(separator: "\n")
        func sample(_ name: String) -> Int? {
            metrics.first { $0.hasPrefix(name) }?.split(separator: " ").last.flatMap { Int($0) }
        }
        let reduced = try #require((try result.json()["metrics"] as? [String: Any])?["reduced"] as? Int)
        #expect(sample("millrace_actions_total{") == reduced, "all, not the sample alone")
        #expect(
            sample("millrace_stage_duration_seconds_count{store=\"access log\",stage=\"reducers\"") == measured
        )

        let trace = try JSONSerialization.jsonObject(with: Data(text("trace.json").utf8)) as? [String: Any]
        let events = try #require(trace?["traceEvents"] as? [[String: Any]])
        let spans = events.filter { $0["ph"] as? String == "X" }
        #expect(spans.count > 100 && spans.allSatisfy { $0["ts"] is NSNumber && $0["dur"] is NSNumber })
        #expect(Set(spans.compactMap { $0["name"] as? String }).isSuperset(of: ["event", "reducers"]))

        let files = try FileManager.default.contentsOfDirectory(atPath: path("hgrm"))
        #expect(files.contains("kind-event-wait.hgrm") && files.contains("kind-event-work.hgrm"))
        let count = try text("hgrm/stage-reducers.hgrm").firstMatch(of: /Total count +=\s+(\d+)/)?.1
        #expect(count.flatMap { Int($0) } == measured)

        let crumbs = try millrace("breadcrumbs", path("flight.ring"))
        #expect(crumbs.code == 0)
        let lines = crumbs.text.split(separator: "\n")
        #expect(lines.count > 50_000 && lines.count <= 65_536 + 10, "all of the run, or as many as are kept")
        #expect(lines.count { $0.contains("event") } > 40_000)
    }

    /// How many actions the report says were measured in the reducers.
    private func reducersMeasured(_ result: ToolResult) throws -> Int {
        let stages = try #require(try result.json()["stages"] as? [[String: Any]])
        return try #require(stages.first { $0["name"] as? String == "reducers" }?["count"] as? Int)
    }

    @Test func whatCannotBeWrittenEndsTheRun() throws {
        for option in ["--report", "--trace", "--prometheus", "--recorder", "--hgrm", "--log"] {
            let result = try millrace("--events", "1000", option, "/nowhere/to/be/found")
            #expect(result.code == 1, "\(option)")
            #expect(result.errors.contains("/nowhere/to/be/found"), "\(option): \(result.errors)")
            #expect(result.text == "", "\(option): before anything is counted")
        }
        let blocked = try scratch.file("file", [])
        let all = try millrace("--report", "/nowhere/a", "--prometheus", "/nowhere/b", "--hgrm", blocked)
        #expect(all.code == 1)
        #expect(all.errors.split(separator: "\n").count == 3, "each is told of, once: \(all.errors)")
        let result = try millrace("breadcrumbs", path("nothing"))
        #expect(result.code == 1 && result.errors.contains("nothing"))
    }

    @Test func whatCannotBeWrittenAtTheEndDoesNotTakeTheReportAway() throws {
        for option in ["--report", "--prometheus", "--hgrm"] {
            let folder = path("folder")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let input = Pipe()
            let tool = try Tool(["-", "--json", option, "\(folder)/out"], input: input)
            tool.waitUntilListening()
            // The folder of the output is there when the run begins, and gone when it ends.
            try FileManager.default.removeItem(atPath: folder)
            try input.fileHandleForWriting.write(contentsOf: Data(lines(0, 20, failed: 0).utf8))
            try input.fileHandleForWriting.close()
            let result = tool.finish()
            #expect(result.code == 1, "\(option)")
            #expect(result.errors.contains("\(folder)/out"), "\(option): \(result.errors)")
            #expect(try result.json()["lines"] as? Int == 20, "\(option)")
        }
    }

    @Test func aKilledRunLeavesItsLastActions() throws {
        let tool = try Tool(["--events", "1000000000", "--recorder", path("flight.ring")])
        tool.waitUntilListening()
        // On a machine with much to do the first event may take its time.
        let end = Date(timeIntervalSinceNow: 60)
        while try Date() < end && !millrace("breadcrumbs", path("flight.ring")).text.contains(" event ") {
            Thread.sleep(forTimeInterval: 0.02)
        }
        tool.send(SIGKILL)
        #expect(tool.finish().code == -SIGKILL)
        let crumbs = try millrace("breadcrumbs", path("flight.ring"))
        #expect(crumbs.code == 0)
        #expect(crumbs.text.contains("event"))
        let last = crumbs.text.split(separator: "\n").last ?? ""
        #expect(last.contains("not ended normally") && last.hasSuffix("was running, or had just been finished"))
        // Starting again does not destroy what the crash has left.
        #expect(try millrace("--events", "1000", "--recorder", path("flight.ring")).code == 0)
        #expect(try millrace("breadcrumbs", path("flight.ring.previous")).output == crumbs.output)
        let next = try millrace("breadcrumbs", path("flight.ring"))
        #expect(next.text.split(separator: "\n").last?.hasPrefix("ended normally; the last action was #") == true)
    }

    @Test func aRecorderThatIsAtWorkIsNotReplaced() throws {
        let input = Pipe()
        let tool = try Tool(["-", "--recorder", path("flight.ring")], input: input)
        tool.waitUntilListening()
        #expect(try millrace("breadcrumbs", path("flight.ring")).text.contains("still running"))
        let second = try millrace("--events", "1000", "--recorder", path("flight.ring"))
        #expect(second.code == 1, "\(second.errors)")
        #expect(second.errors.contains("is being written by this process or another one"), "\(second.errors)")
        try input.fileHandleForWriting.write(contentsOf: Data(lines(0, 20, failed: 0).utf8))
        try input.fileHandleForWriting.close()
        #expect(tool.finish().code == 0)
    }

    @Test func aDamagedRecordIsReadAsFarAsItGoes() throws {
        #expect(try millrace("--events", "1000", "--recorder", path("flight.ring")).code == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path("flight.ring")))
        let cut = try scratch.file("cut.ring", Array(whole.prefix(100_000)))
        let result = try millrace("breadcrumbs", cut)
        #expect(result.code == 1)
        #expect(result.errors.contains("is damaged: it has 100000 bytes of"), "\(result.errors)")
        #expect(!result.text.contains("damaged"))
        #expect(result.text.split(separator: "\n").count { $0.contains(" define from ") } > 100)
    }

    // MARK: Alerts

    @Test(arguments: engines.map(\.rawValue))
    func minutesInWhichTooMuchFailsAreToldOf(_ engine: String) throws {
        let log =
            lines(0, 100, failed: 5) + lines(1, 100, failed: 20) + lines(2, 100, failed: 6, status: 404)
            + lines(3, 9, failed: 9)
        let file = try scratch.file("log", Array(log.utf8))
        let report = try millrace(file, "--alert", "5%", "--json", "--engine", engine).json()
        let alerts = try #require(report["alerts"] as? [[String: Any]])
        #expect(alerts.map { $0["minute"] as? String } == ["2015-05-17T10:11Z", "2015-05-17T10:12Z"])
        #expect(alerts.map { $0["failures"] as? Int } == [20, 6])
        #expect(alerts.map { $0["events"] as? Int } == [100, 100])
        let text = try millrace(file, "--alert", "0.05", "--engine", engine).text
        #expect(text.contains("Alerts: minutes in which more than 5.0 % failed (404 or 5xx)\n"))
        #expect(text.contains("2015-05-17T10:11Z  20 of 100  20.0 %"))
        let without = try millrace(file, "--alert", "5%", "--disable", "alert", "--json")
        #expect(try without.json()["alerts"] as? [Int] == [])
        #expect(without.errors == "millrace: --disable alert leaves out --alert\n")
    }

    // MARK: The log

    @Test func theLogHasWhatIsOfItsLevel() throws {
        let file = try scratch.file("log", Array((lines(0, 50, failed: 50) + "broken\n").utf8))
        let options = ["--alert", "0.5", "--log", path("actions.log")]
        #expect(try Tool([file] + options).finish().code == 0)
        let log = try text("actions.log")
        #expect(log.contains("notice malformed input=\(file) chunk=0 line=51 reason=host"), "\(log)")
        #expect(log.contains("warning alert minute=2015-05-17T10:10Z failures=50 events=50"))
        #expect(!log.contains("event ") && !log.contains("define "))
        #expect(try Tool([file, "--log", path("all.log"), "--log-level", "trace"]).finish().code == 0)
        #expect(try text("all.log").contains("trace event status=500"))
        let without = try millrace(file, "--log", path("none.log"), "--log-level", "debug", "--disable", "log")
        #expect(without.code == 0 && without.errors == "millrace: --disable log leaves out --log\n")
        #expect(!FileManager.default.fileExists(atPath: path("none.log")))
    }

    @Test(arguments: [[], ["--alert", "5%"], ["--shards", "3"]])
    func theEndOfTheInputIsAlwaysTold(_ options: [String]) throws {
        let file = try scratch.file("log", Array(lines(0, 50, failed: 0).utf8))
        #expect(try Tool([file, "--log", path("actions.log")] + options).finish().code == 0)
        let log = try text("actions.log").split(separator: "\n")
        #expect(log.count == 1 && log.first?.hasSuffix("info input ended") == true, "\(log)")
    }

    @Test func theLogIsThereFromTheBeginning() throws {
        let input = Pipe()
        let tool = try Tool(["-", "--log", path("actions.log")], input: input)
        tool.waitUntilListening()
        #expect(try text("actions.log") == "")
        try input.fileHandleForWriting.close()
        #expect(tool.finish().code == 1)
    }

    @Test func theSignalOfTheLogKillsNobody() throws {
        let input = Pipe()
        let tool = try Tool(["-", "--json"], input: input)
        tool.waitUntilListening()
        tool.send(SIGUSR1)
        try input.fileHandleForWriting.write(contentsOf: Data(lines(0, 20, failed: 0).utf8))
        try input.fileHandleForWriting.close()
        let result = tool.finish()
        #expect(result.code == 0)
        #expect(try result.json()["lines"] as? Int == 20)
    }

    @Test func aSignalTurnsTheLogOffAndOn() throws {
        let input = Pipe()
        let tool = try Tool(["-", "--log", path("actions.log"), "--log-level", "notice"], input: input)
        tool.waitUntilListening()
        /// The log's lines, once there are so many that have a word in them; the test's time limit ends the waiting.
        func lines(_ word: String, atLeast count: Int) throws -> Int {
            while true {
                let found = ((try? text("actions.log")) ?? "").components(separatedBy: word).count - 1
                if found >= count { return found }
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
        func breakLines() throws {
            // Producers dispatch some thousand at once.
            try input.fileHandleForWriting.write(contentsOf: Data(String(repeating: "broken\n", count: 5000).utf8))
        }
        try breakLines()
        _ = try lines("malformed", atLeast: 1)
        tool.send(SIGUSR1)
        _ = try lines("notice log off", atLeast: 1)
        tool.send(SIGUSR1)
        _ = try lines("notice log on", atLeast: 1)
        let logged = try lines("malformed", atLeast: 1)
        try breakLines()
        _ = try lines("malformed", atLeast: logged + 1)
        tool.send(SIGUSR1)
        _ = try lines("notice log off", atLeast: 2)
        try breakLines()
        try input.fileHandleForWriting.close()
        #expect(tool.finish().code == 1, "no line is an event")
        let afterwards = try text("actions.log").components(separatedBy: "notice log off").last ?? ""
        // An action may have been on its way when the gate was closed.
        #expect(afterwards.components(separatedBy: "malformed").count - 1 <= 1, "\(afterwards)")
    }

    // MARK: Options

    @Test(arguments: [
        "--trace x.json --shards 2": "--trace tells of one store",
        "--alert 0.1 --shards 2": "--alert tells of one store",
        "--alert 0.1 --capacity 8 --overflow drop-newest": "--alert could lose an alert",
        "--alert 0.1 --capacity 8 --overflow drop-oldest": "it cannot go with --overflow drop-oldest",
        "--trace a --trace=b": "--trace was given twice",
        "--log a --log a": "--log was given twice",
        "--log-level trace": "--log-level needs --log",
        "--alert 5": "It must be from 0 (any failure) to less than 1, or from 0% to less than 100%",
        "--alert -1": "It must be from 0 (any failure) to less than 1",
        "--alert 100%": "or from 0% to less than 100%",
        "--disable everything": "disable",
    ])
    func whatDoesNotGoTogetherIsSaid(_ options: String, _ words: String) throws {
        let result = try Tool(options.split(separator: " ").map(String.init)).finish()
        #expect(result.code == 64)
        #expect(result.errors.contains(words), "\(result.errors)")
    }

    @Test func whatIsLeftOutIsSaid() throws {
        let options = ["--events", "1000", "--report", path("r"), "--recorder", path("f"), "--shards", "2"]
        let result = try Tool(options + ["--disable", "instrumentation", "--disable", "log"]).finish()
        #expect(result.code == 0)
        #expect(
            result.errors
                == "millrace: --disable instrumentation leaves out --recorder, the pipeline's page of --report\n"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["r"])
    }

    @Test func alertsOfAnyFailure() throws {
        let file = try scratch.file("log", Array((lines(0, 100, failed: 1) + lines(1, 100, failed: 0)).utf8))
        let alerts = try millrace(file, "--alert", "0", "--json").json()["alerts"] as? [[String: Any]]
        #expect(alerts?.map { $0["minute"] as? String } == ["2015-05-17T10:10Z"])
    }
}
