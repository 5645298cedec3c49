// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MillraceJournalCommand

@testable import MillraceTool

/// The arguments of 'millrace run', one a line: parsed and checked, not run. Those of another command, if its name is the
/// first line. Behind a byte 0: which values the options have, a byte for each; they are checked, not parsed, and then
/// each option has each of its values in turn.
let optionsTarget = FuzzTarget(name: "options", mostBytes: 512, seeds: optionSeeds) { input in
    if input.first == 0 { return checkAround(Array(input.dropFirst())) }
    let arguments = input.split(separator: Byte.newline).map { String(decoding: $0, as: UTF8.self) }
    if let command = otherCommand(arguments.first) {
        let first = message(command, Array(arguments.dropFirst()))
        // Not each time, because it is slow.
        if input.count % 8 == 0 {
            expect(message(command, Array(arguments.dropFirst())) == first, "parsed twice, it is not the same")
        }
        return
    }
    // One line alone is a rate: the parser of arguments is a thousand times as slow.
    guard arguments.count > 1 else {
        guard let rate = AlertRate(argument: arguments.first ?? "") else { return }
        expect(rate.share >= 0 && rate.share < 1, "the share \(rate.share)")
        expect(!rate.description.isEmpty, "a rate without words")
        return
    }
    let first = verdict(arguments)
    // Not each time, because it is slow.
    if input.count % 8 == 0 { expect(verdict(arguments) == first, "parsed twice, it is not the same") }
}

/// The command with a name, other than 'run'.
private func otherCommand(_ name: String?) -> (any ParsableCommand.Type)? {
    switch name {
    case "journal": JournalCommand<LogJournal>.self
    case "replay": JournalReplayCommand<LogJournal>.self
    case "breadcrumbs": BreadcrumbsCommand.self
    default: nil
    }
}

/// What the tool prints of a command's arguments; nil if they are accepted.
private func message(_ command: any ParsableCommand.Type, _ arguments: [String]) -> String? {
    do {
        _ = try command.parseAsRoot(arguments)
        return nil
    } catch {
        let text = command.fullMessage(for: error)
        expect(!text.isEmpty || "\(error)".contains("Exit"), "an error without words")
        return text
    }
}

private enum Verdict: Equatable {
    case accepted(StoreSetup, LogFormat, Int, Int)
    case refused(String)
}

private func verdict(_ arguments: [String]) -> Verdict {
    do {
        let run = try RunCommand.parse(arguments)
        expectAllowed(run)
        return .accepted(run.setup, run.format, run.producers, run.maxKeys)
    } catch {
        // What the tool prints of it.
        let text = RunCommand.fullMessage(for: error)
        expect(!text.isEmpty || "\(error)".contains("Exit"), "an error without words")
        return .refused(text)
    }
}

/// What the documentation says of options that are accepted, alone and together.
private func expectAllowed(_ run: RunCommand) {
    expect(1...RunCommand.maximumProducers ~= run.producers, "\(run.producers) producers")
    expect(run.top >= 1 && run.repetitions >= 1 && run.maxKeys >= 1, "a count that is not positive")
    expect(1...RunCommand.maximumCapacity ~= run.setup.capacity, "the capacity \(run.setup.capacity)")
    expect(run.journal.snapshotInterval >= 1, "a snapshot every \(run.journal.snapshotInterval) actions")
    expect(1...64 ~= run.shards, "\(run.shards) shards")
    expect(run.overflow == nil || run.capacity != nil, "an overflow without a capacity")
    expect(run.files.isEmpty || run.events == nil && run.seed == nil, "a generated log, and files")
    let (repeats, reads) = (run.repetitions > 1, run.files.count { $0 == "-" })
    expect(reads <= 1 && !(repeats && (reads > 0 || run.files.isEmpty)), "standard input is read again")
    let isLossy = run.overflow == .dropNewest || run.overflow == .dropOldest
    let kept = run.plugins.enabled
    expect(kept.alert == nil || run.shards == 1 && !isLossy, "alerts of several stores, or that may be dropped")
    let measures = [kept.trace, kept.hgrm, kept.prometheus, kept.recorder].contains { $0 != nil }
    expect(run.shards == 1 || !measures, "several stores are measured as one")
    if run.journal.journal == nil {
        expect(run.journal.durability == nil && run.journal.snapshotEvery == nil, "durability without a journal")
    } else {
        expect(!isLossy && reads == 0, "a journal of events that may be lost, or cannot be read again")
    }
}

/// The command without options. It is never changed, and read on one thread.
nonisolated(unsafe) private let unchanged = try? RunCommand.parse([])

private func checkAround(_ chosen: [UInt8]) {
    let options = 20
    var choices = Array(chosen.prefix(options)) + [UInt8](repeating: 0, count: max(0, options - chosen.count))
    checkChosen(Choices(choices))
    for option in 0..<options {
        let value = choices[option]
        for other in 0..<6 as Range<UInt8> {
            choices[option] = other
            checkChosen(Choices(choices))
        }
        choices[option] = value
    }
}

/// Sets options to chosen values and checks them. The parser of arguments is left out, because it is slow.
private func checkChosen(_ input: Choices) {
    var choices = input
    guard var run = unchanged else { return expect(false, "no options are wrong options") }
    func one<Value>(_ values: [Value]) -> Value { values[Int(choices.byte()) % values.count] }
    run.producers = one([4, 1, 256, 0, 257, -1])
    run.repetitions = one([1, 2, 0])
    run.files = one([[], ["a"], ["-"], ["a", "-"], ["-", "-"]])
    run.events = one([nil, 1, 0, 1_000_000_000_001])
    run.seed = one([nil, 0])
    run.top = one([10, 1, 0])
    run.maxKeys = one([9, 1, 0, 1_000_000_001])
    run.capacity = one([nil, 1, 1024, 1_000_000_000, 0, 1_000_000_001])
    run.overflow = one([nil, .block, .dropNewest, .dropOldest])
    run.shards = one([1, 2, 64, 0, 65])
    run.journal.journal = one([nil, "j", "-"])
    run.journal.durability = one([nil, .process, .interval, .grouped, .every])
    run.journal.snapshotEvery = one([nil, 1, 0, -1])
    run.plugins.report = one([nil, "r.html", "-"])
    run.plugins.trace = one([nil, "t", "r.html"])
    run.plugins.recorder = one([nil, "c"])
    run.plugins.log = one([nil, "l", "t"])
    run.plugins.logLevel = one([nil, .debug])
    run.plugins.alert = one([nil, AlertRate(argument: "5%")])
    run.plugins.disable = one([[], [.alert], [.instrumentation], [.recorder, .log]])
    do {
        try run.validate()
    } catch {
        return expect(!"\(error)".isEmpty, "an error without words")
    }
    expectAllowed(run)
}

@Sendable private func optionSeeds() -> [(name: String, bytes: [UInt8])] {
    let texts = [
        ("counts", "--producers\n4\n--top\n3\n--events\n100\n--seed\n7\n--max-keys\n9"),
        ("stores", "--engine\nqueue\n--capacity\n1024\n--overflow\ndrop-oldest\n--shards\n4\naccess.log"),
        ("files", "--report\na.html\n--trace=b.json\n--recorder\nc\n--log\nd\n--log-level\ndebug\n--alert\n5%"),
        ("journal", "--journal\ndir\n--durability\nevery\n--snapshot-every\n10\nx.log"),
        ("format", "--format\n$remote_addr [$time_local] \"$request\" $status\n-"),
        ("flags", "--json\n--quiet\n--disable\nlog\n--disable=alert\n--repeat\n2\na\nb"),
        ("tail", "journal\ntail\ndir\n-n\n3\n--state\n--no-follow"), ("show", "journal\nshow\ndir\n7\n--state"),
        ("export", "journal\nexport\n--from\n2\n--to\n-1\ndir"), ("bisect", "journal\nbisect\ndir\n--invariant\nx"),
        ("replay", "replay\ndir\n--to\n5\n--expect-hash\n0f"), ("breadcrumbs", "breadcrumbs\nring\n--json"),
        ("rate", "0.05"), ("rate-negative", "-0.05"), ("negative", "--producers\n-1"),
        ("huge", "--capacity\n99999999999999999999"), ("rate-nan", "nan"), ("rate-infinite", "-inf%"),
        ("chosen", "\0"), ("chosen-files", "\0\0\u{1}\u{1}"),
        ("chosen-journal", "\0\0\0\u{1}\0\0\0\0\u{2}\u{1}\0\u{1}\u{2}\u{1}"),
    ]
    return texts.map { ($0.0, Array($0.1.utf8)) }
}
