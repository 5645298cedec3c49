// SPDX-License-Identifier: Apache-2.0

// The library's own scenarios in simulated worlds, in a build in which threads also stop inside the C core:
// scripts/simulate.sh.

import Foundation
import MillraceCore
import MillraceTesting

let usage = """
    usage: simulate explore [SEEDS [FIRST]]    schedules of the stores' scenarios, and how many a second
           simulate journals [SEEDS [FIRST]]   the same for journaled stores
           simulate policies [SEEDS [FIRST]]   the same for each engine and policy of a full store
           simulate planted [SEEDS [NAME]]     each planted defect must be found within so many seeds
           simulate planted-policies [SEEDS]   the same for those that the scenario of engines and policies can show
    """

func run(
    _ family: Family,
    _ seeds: Range<UInt64>,
    _ time: SimulatedWorld.TimePassing,
    shrinkingAtMost limit: Duration = .seconds(8)
) throws -> ExplorationReport {
    try SimulatedWorld.explore(seeds: seeds, time: time, function: "simulate", shrinkingAtMost: limit) { world in
        try family.scenario(of: world.seed).run(world, time)
    }
}

func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

func explore(_ family: Family, _ count: UInt64, from first: UInt64) -> Bool {
    let start = ContinuousClock.now
    do {
        let half = first + count / 2
        let idle = try run(family, first..<half, .whenIdle)
        let anytime = try run(family, half..<first + count, .anytime)
        let took = seconds(.now - start)
        print("time passes when idle: \(idle), hash \(String(idle.hash, radix: 16))")
        print("time passes anytime:   \(anytime), hash \(String(anytime.hash, radix: 16))")
        FileHandle.standardError.write(Data("\(Int(Double(count) / took)) schedules a second\n".utf8))
        return true
    } catch {
        print(error)
        return false
    }
}

/// Returns the number of the planted defects that are not found.
func findPlanted(_ name: String?, within count: UInt64, ofStoresIn family: Family = .stores) -> Int {
    #if MILLRACE_PLANTED
        // The stores of `policies` have no effects, gates, plugins, shards and contexts.
        let ofPolicies: [Planted] = [
            .lostWakeUp, .drainTooEarly, .waiterPassedOver, .urgentTooEarly, .noGracePeriod, .urgentUnread,
        ]
        let all = family == .policies ? ofPolicies : Planted.allCases.filter { name == nil || $0.rawValue == name }
        var missed = 0
        for defect in all {
            fflush(nil)
            Planted.current = defect
            do {
                _ = try run(
                    defect.isOfJournal ? .journals : family,
                    0..<count,
                    .whenIdle,
                    shrinkingAtMost: .seconds(2)
                )
                print("\(defect.rawValue): NOT FOUND within \(count) seeds")
                missed += 1
            } catch let failure as ScheduleFailure {
                let text = "\(failure.reason)".prefix(90)
                print(
                    "\(defect.rawValue): found with seed \(failure.seed), \(failure.steps.count) steps: \(text)"
                )
            } catch {
                print("\(defect.rawValue): \(error)")
                missed += 1
            }
        }
        Planted.current = nil
        print("\(all.count - missed) of \(all.count) planted defects found")
        return missed
    #else
        print("this build has no planted defects: use scripts/simulate.sh planted")
        return 1
    #endif
}

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().compactMap { UInt64($0) }
switch arguments.first {
case "explore": exit(explore(.stores, numbers.first ?? 10_000, from: numbers.dropFirst().first ?? 0) ? 0 : 1)
case "journals": exit(explore(.journals, numbers.first ?? 1_000, from: numbers.dropFirst().first ?? 0) ? 0 : 1)
case "policies": exit(explore(.policies, numbers.first ?? 1_000, from: numbers.dropFirst().first ?? 0) ? 0 : 1)
case "planted":
    let name = arguments.dropFirst(2).first
    exit(findPlanted(name, within: numbers.first ?? 10_000) == 0 ? 0 : 1)
case "planted-policies":
    exit(findPlanted(nil, within: numbers.first ?? 10_000, ofStoresIn: .policies) == 0 ? 0 : 1)
default:
    print(usage)
    exit(2)
}
