// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@testable import MillraceTool

/// The arguments of 'millrace run', one a line: parsed and checked, not run.
let optionsTarget = FuzzTarget(name: "options", mostBytes: 512, seeds: optionSeeds) { input in
    let arguments = input.split(separator: Byte.newline).map { String(decoding: $0, as: UTF8.self) }
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

private enum Verdict: Equatable {
    case accepted(StoreSetup, LogFormat, Int, Int)
    case refused(String)
}

private func verdict(_ arguments: [String]) -> Verdict {
    do {
        let run = try RunCommand.parse(arguments)
        expect(1...RunCommand.maximumProducers ~= run.producers, "\(run.producers) producers")
        expect(run.top >= 1 && run.repetitions >= 1 && run.maxKeys >= 1, "a count that is not positive")
        expect(1...RunCommand.maximumCapacity ~= run.setup.capacity, "the capacity \(run.setup.capacity)")
        expect(run.journal.snapshotInterval >= 1, "a snapshot every \(run.journal.snapshotInterval) actions")
        return .accepted(run.setup, run.format, run.producers, run.maxKeys)
    } catch {
        // What the tool prints of it.
        let text = RunCommand.fullMessage(for: error)
        expect(!text.isEmpty || "\(error)".contains("Exit"), "an error without words")
        return .refused(text)
    }
}

@Sendable private func optionSeeds() -> [(name: String, bytes: [UInt8])] {
    let texts = [
        ("counts", "--producers\n4\n--top\n3\n--events\n100\n--seed\n7\n--max-keys\n9"),
        ("stores", "--engine\nqueue\n--capacity\n1024\n--overflow\ndrop-oldest\n--shards\n4\naccess.log"),
        ("files", "--report\na.html\n--trace=b.json\n--recorder\nc\n--log\nd\n--log-level\ndebug\n--alert\n5%"),
        ("journal", "--journal\ndir\n--durability\nevery\n--snapshot-every\n10\nx.log"),
        ("format", "--format\n$remote_addr [$time_local] \"$request\" $status\n-"),
        ("flags", "--json\n--quiet\n--disable\nlog\n--disable=alert\n--repeat\n2\na\nb"),
        ("rate", "0.05"), ("rate-negative", "-0.05"), ("negative", "--producers\n-1"),
        ("huge", "--capacity\n99999999999999999999"),
    ]
    return texts.map { ($0.0, Array($0.1.utf8)) }
}
