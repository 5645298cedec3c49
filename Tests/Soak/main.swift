// SPDX-License-Identifier: Apache-2.0

// Long loads of the store, for scripts/trust-once.sh: many actions over every engine and policy, and ends in the middle of
// dispatches.

import Foundation
import Millrace

let usage = """
    usage: soak actions COUNT [ROUND]   sends so many actions from 16 threads, in rounds of 1,000,000; the first round
           soak races COUNT [SEED]      ends so many stores in the middle of dispatches; the first seed
    """

func show(_ line: String) {
    if isatty(STDERR_FILENO) == 1 { FileHandle.standardError.write(Data("\r\(line)\u{1B}[K".utf8)) }
}

func sendActions(_ count: Int, from first: Int) async -> Bool {
    let (each, start) = (1_000_000 / Load.producers, ContinuousClock.now)
    var (sent, round) = (0, first)
    while sent < count {
        let load = Load.of(round: round)
        show("\(sent) of \(count) actions, round \(round): \(load)")
        if let problem = await load.run(each: Int32(each)) {
            print("soak: round \(round), \(load): \(problem)")
            return false
        }
        sent += each * Load.producers
        round += 1
    }
    print("soak: \(sent) actions in \(round - first) rounds from \(first), \((.now - start).formatted())")
    return true
}

func endStores(_ count: Int, from first: UInt64) async -> Bool {
    for seed in first..<first + UInt64(count) {
        if seed.isMultiple(of: 100) { show("race \(seed - first) of \(count)") }
        if let problem = await Race(seed: seed).run() {
            print("soak: race with seed \(seed): \(problem)")
            return false
        }
    }
    print("soak: \(count) races from seed \(first)")
    return true
}

let numbers = CommandLine.arguments.dropFirst(2).map { Int($0) ?? -1 }
guard let count = numbers.first, count > 0, numbers.allSatisfy({ $0 >= 0 }) else {
    print(usage)
    exit(2)
}
let first = numbers.dropFirst().first ?? 0
switch CommandLine.arguments[1] {
case "actions": exit(await sendActions(count, from: first) ? 0 : 1)
case "races": exit(await endStores(count, from: UInt64(first)) ? 0 : 1)
default:
    print(usage)
    exit(2)
}
