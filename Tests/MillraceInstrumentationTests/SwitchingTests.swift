// SPDX-License-Identifier: Apache-2.0

import Histogram
import Millrace
import MillraceInstrumentation
import TestSupport
import Testing

@Suite("Instrumentation: switching and reading", .timeLimit(.minutes(5)))
struct SwitchingTests {
    @Test("intervals add up to the snapshot, to the last count, while producers never stop")
    func intervals() async throws {
        let store = jobStore(.thread())
        let instrumentation = Instrumentation(store)
        let isDone = Shared(false)
        let share = 50_000
        let producers = Task.detached {
            await withCheckedContinuation { continuation in
                onThreads(2) { thread in
                    for number in 0..<share { store.dispatch(thread == 0 ? .small : .large(number)) }
                }
                isDone.value = true
                continuation.resume()
            }
        }
        var measured: UInt64 = 0
        var actions: UInt64 = 0
        var stages: [String: LatencyDistribution] = [:]
        var kinds: [String: UInt64] = [:]
        var columns: UInt64 = 0
        var wasDone = false
        repeat {
            wasDone = isDone.value
            // Between two intervals: takes nothing from the next one.
            _ = await instrumentation.snapshot()
            let interval = await instrumentation.nextInterval()
            measured += interval.measured
            actions += interval.actions
            for stage in interval.stages {
                stages[stage.name, default: LatencyDistribution(digits: .three)].add(stage.latency)
            }
            for kind in interval.kinds { kinds[kind.name, default: 0] += kind.count }
            columns += interval.series.columns.reduce(0) { $0 + $1.total }
        } while !wasDone
        await producers.value
        let whole = await instrumentation.snapshot()
        #expect(measured == 100_000)
        #expect(actions == 100_000)
        #expect(whole.measured == 100_000)
        #expect(whole.actions == 100_000)
        #expect(kinds == ["small": 50_000, "large": 50_000])
        #expect(columns == 100_000)
        #expect(whole.stages.count >= 5)
        for stage in whole.stages {
            let sum = try #require(stages[stage.name])
            #expect(sum.histogram == stage.latency.histogram)
            #expect(sum.nanoseconds == stage.latency.nanoseconds)
        }
    }

    @Test("readers that come together each get a whole, and nothing twice")
    func manyReaders() async {
        let store = jobStore(.thread())
        let instrumentation = Instrumentation(store)
        for _ in 0..<1000 { store.dispatch(.small) }
        let sum = await withTaskGroup(of: UInt64.self) { group in
            for number in 0..<16 {
                group.addTask {
                    if number % 2 == 0 { return await instrumentation.nextInterval().measured }
                    #expect(await instrumentation.snapshot().measured == 1000)
                    return 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 1000)
    }

    @Test("it is switched at a place in the order; what was measured stays", arguments: engines)
    func switching(engine: StoreEngine) async {
        let store = jobStore(engine)
        store.dispatch(.small)
        let instrumentation = Instrumentation(store, isOn: false)
        #expect(instrumentation.sampling == 0)
        store.dispatch(contentsOf: Array(repeating: .small, count: 10))
        instrumentation.turnOn()
        store.dispatch(contentsOf: Array(repeating: .small, count: 100))
        instrumentation.turnOff()
        store.dispatch(contentsOf: Array(repeating: .small, count: 1000))
        instrumentation.turnOn()
        instrumentation.turnOn()
        #expect(instrumentation.sampling == 1)
        store.dispatch(contentsOf: Array(repeating: .small, count: 10_000))
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.actions == 10_100)
        #expect(snapshot.measured == 10_100)
        #expect(store.state == 11_111)
    }

    @Test("switched all the time by others, no action is lost or measured twice")
    func churn() async {
        let store = jobStore(.thread())
        let instrumentation = Instrumentation(store)
        let isDone = Shared(false)
        async let switching: Void = {
            var interval = 0
            while !isDone.value {
                let rate = [1, 0, 16, 2][interval % 4]
                if rate > 0 { instrumentation.turnOn(oneIn: rate) } else { instrumentation.turnOff() }
                interval += 1
                await Task.yield()
            }
        }()
        await Task.detached {
            onThreads(2) { _ in
                for number in 0..<50_000 { store.dispatch(number % 2 == 0 ? .small : .stop) }
            }
        }.value
        isDone.value = true
        await switching
        instrumentation.turnOff()
        let snapshot = await instrumentation.snapshot()
        #expect(store.state == 100_000)
        #expect(snapshot.actions <= 100_000)
        #expect(snapshot.measured <= snapshot.actions)
        for stage in ["first", "second", "reducers"] {
            #expect(snapshot.stage(stage).count == snapshot.measured)
        }
    }

    @Test("of a sample every pattern of kinds gets its share", arguments: [2, 3, 16])
    func sampling(period: Int) async {
        let store = jobStore(.thread())
        let instrumentation = Instrumentation(store, oneIn: 16)
        await store.drain()
        let rounds = 16_000
        for _ in 0..<rounds {
            store.dispatch(.small)
            for number in 1..<period { store.dispatch(.large(number)) }
        }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.actions == UInt64(rounds * period))
        #expect(snapshot.sampling == 16)
        #expect((15.5...16.5).contains(snapshot.scale))
        let small = snapshot.kind("small")
        #expect((980...1020).contains(small.count))
        #expect(small.wait.count == small.count)
        #expect(snapshot.kind("large").count == snapshot.measured - small.count)
        #expect(snapshot.stage("second").count == snapshot.measured)
    }

    @Test("a rate is rounded up to a power of two; what is below 1 is 1, not off")
    func rates() async {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store, oneIn: 3)
        #expect(instrumentation.sampling == 4)
        for (wanted, rate) in [(17, 32), (16, 16), (1, 1), (0, 1), (-5, 1), (.min, 1), (.max, 1 << 30)] {
            instrumentation.turnOn(oneIn: wanted)
            #expect(instrumentation.sampling == rate)
        }
        instrumentation.turnOff()
        #expect(instrumentation.sampling == 0)
        instrumentation.turnOn(oneIn: 0)
        store.dispatch(.small)
        #expect(await instrumentation.snapshot().measured == 1)
    }

    @Test("a change of the rate within an interval is told; actions are exact all the same")
    func mixed() async {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store, oneIn: 16)
        for _ in 0..<1600 { store.dispatch(.small) }
        // Switched to and fro, with no action at another rate.
        instrumentation.turnOn(oneIn: 2)
        instrumentation.turnOn(oneIn: 16)
        let one = await instrumentation.nextInterval()
        #expect(!one.isMixed && one.actions == 1600 && (80...120).contains(one.measured))
        #expect(one.description.hasPrefix("store: 1,600 actions (\(one.measured) measured, 1 in 16) in "))
        store.dispatch(.small)
        instrumentation.turnOn(oneIn: 1)
        for _ in 0..<100 { store.dispatch(.small) }
        let two = await instrumentation.nextInterval()
        #expect(two.isMixed && two.actions == 101)
        #expect(LatencyTable(two).description.contains(" measured, mixed rates) in "))
        instrumentation.turnOn(oneIn: 4)
        store.dispatch(contentsOf: Array(repeating: .small, count: 64))
        let three = await instrumentation.nextInterval()
        #expect(!three.isMixed && three.actions == 64)
        let whole = await instrumentation.snapshot()
        #expect(whole.isMixed && whole.actions == 1765)
        #expect(LatencyTable(whole).description.contains(" measured, 1 in 4, mixed) in "))
        #expect(InstrumentationSnapshot.merging([one, three], label: "both").isMixed)
        #expect(!InstrumentationSnapshot.merging([one, one], label: "both").isMixed)
    }

    @Test("the recorder of the last actions goes on with any sample, and stops with the instrumentation")
    func recorder() async throws {
        let store = jobStore(.caller)
        let flight = try FlightRecorder()
        let instrumentation = Instrumentation(store, oneIn: 1 << 20, flight: flight)
        for _ in 0..<10 { store.dispatch(.small) }
        #expect(flight.breadcrumbs.actions.count == 10)
        instrumentation.turnOff()
        store.dispatch(.small)
        #expect(flight.breadcrumbs.actions.count == 10)
    }

    @Test("after the store's end everything is there", arguments: engines)
    func afterTheEnd(engine: StoreEngine) async {
        let store = jobStore(engine)
        let instrumentation = Instrumentation(store)
        store.dispatch(contentsOf: Array(repeating: .small, count: 500))
        _ = await store.shutdown()
        store.dispatch(.small)
        #expect(await instrumentation.snapshot().measured == 500)
        instrumentation.turnOff()
        let interval = await instrumentation.nextInterval()
        #expect(interval.actions == 500)
        #expect(await instrumentation.nextInterval().actions == 0)
    }

    @Test("it does not keep the store, nor the store it; let go, it is off")
    func release() async {
        var store = Optional(jobStore(.thread()))
        var instrumentation = Optional(Instrumentation(store!))
        weak let weakStore = store
        weak let weakInstrumentation = instrumentation
        store?.dispatch(.small)
        #expect(await instrumentation?.snapshot().measured ?? 0 == 1)
        store = nil
        #expect(weakStore == nil)
        #expect(await instrumentation?.snapshot().measured ?? 0 == 1)
        instrumentation = nil
        #expect(await eventually { weakInstrumentation == nil })

        final class Last: PipelineProbe {
            let seen = Recorder<UInt64>()
            func actionBegan(_ action: ProbedAction) { seen.record(action.number) }
        }
        let other = jobStore(.caller)
        let last = Last()
        var replaced = Optional(Instrumentation(other))
        _ = await replaced?.snapshot()
        other.setProbe(last)
        // It takes away no probe but its own.
        replaced = nil
        other.dispatch(.small)
        #expect(last.seen.count == 1)
    }
}
