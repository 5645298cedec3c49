// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Millrace

/// The actions to which the capacity does not apply: control actions, and what the pipeline itself dispatches.
extension CapacityTests {
    @Test("control actions go in when nothing else does, in their place, and are not dropped", arguments: engines)
    func controlActions(engine: StoreEngine) async {
        for overflow in [OverflowPolicy.dropNewest, .dropOldest] {
            let held = await Held(engine, .bounded(4, overflow: overflow))
            held.store.dispatch(control: -1)
            for action in 1...20 { held.store.dispatch(action) }
            held.store.dispatch(control: -2)
            held.store.dispatch(control: -3)
            held.open()
            await held.store.drain()
            let log = held.store.state
            #expect(Array(log.prefix(2)) == [0, -1])
            #expect(Array(log.suffix(2)) == [-2, -3])
            let others = log.filter { $0 > 0 }
            #expect(others == others.sorted())
            expectBalance(held.store.metrics, offered: 24, reduced: UInt64(log.count), dropped: 24 - UInt64(log.count))
        }
    }

    @Test("control actions do not wait, and pass those that stand in line", arguments: engines)
    func controlActionsPass(engine: StoreEngine) async {
        let held = await Held(engine, .bounded(3, overflow: .block))
        held.store.dispatch(contentsOf: 1...2)
        onNewThread { held.store.dispatch(3) }
        #expect(await eventually { held.store.waiters == 1 })
        onNewThread { for action in 1...5 { held.store.dispatch(control: -action) } }
        #expect(await eventually { held.store.metrics.depth == 8 })
        #expect(held.store.waiters == 1)
        held.open()
        #expect(await eventually { held.store.metrics.reduced == 9 })
        #expect(held.store.state == [0, 1, 2, -1, -2, -3, -4, -5, 3])
        expectBalance(held.store.metrics, offered: 9, reduced: 9)
    }

    @Test(
        "what the pipeline dispatches itself is never blocked, rejected or dropped",
        arguments: engines,
        OverflowPolicy.allCases
    )
    func ownDispatches(engine: StoreEngine, overflow: OverflowPolicy) async {
        let holder = Shared<ReduxStoreBase<Int, [Int]>?>(nil)
        let outputs = Recorder<AnyActionHandler<Int>>()
        let offers = Recorder<OfferedActions?>()
        let store = ReduxStoreBase(
            initialState: [],
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            middleware: Handle<Int, [Int]> { action, _, _ in
                if action == 0 { return IO { outputs.record($0) } }
                guard action == 1 else { return .pure() }
                for number in 100..<200 { outputs.all[0].dispatch(number) }
                for number in 200..<300 {
                    let result = holder.value?.offer(number)
                    offers.record(result.map { OfferedActions(accepted: 1, result: $0) })
                }
                return IO { output in
                    for number in 300..<400 { output.dispatch(number) }
                    holder.value?.dispatch(contentsOf: Array(400..<500))
                    offers.record(holder.value?.offer(contentsOf: Array(500..<600)))
                }
            },
            engine: engine,
            publication: .everyAction,
            capacity: .bounded(2, overflow: overflow)
        )
        holder.value = store
        store.subscribe { log in
            if log.last == 1 { for number in 600..<700 { outputs.all[0].dispatch(number) } }
        }
        store.dispatch(0)
        await store.drain()
        store.dispatch(1)
        #expect(await eventually { store.metrics.pending == 0 && store.metrics.reduced >= 602 })
        holder.value = nil
        outputs.clear()
        await store.drain()
        // From handle, by the subscriber, by the IO.
        #expect(store.state == [0, 1] + Array(100..<300) + Array(600..<700) + Array(300..<600))
        #expect(offers.all.dropLast().allSatisfy { $0 == OfferedActions(accepted: 1, result: .accepted) })
        #expect(offers.all.last == OfferedActions(accepted: 100, result: .accepted))
        expectBalance(store.metrics, offered: 602, reduced: 602)
    }

    @Test(
        "a job on the store's own queue is not blocked by a full store, and nothing of it is dropped",
        arguments: OverflowPolicy.allCases
    )
    func ownQueue(overflow: OverflowPolicy) async {
        let queue = DispatchQueue(label: "own")
        let held = await Held(.queue(queue), .bounded(2, overflow: overflow))
        // The held action occupies the queue; so this job runs after it, and finds the store full once more.
        let results = Recorder<OfferResult>()
        let done = Shared(false)
        queue.async {
            for action in 1...100 { held.store.dispatch(action) }
            for action in 101...110 { results.record(held.store.offer(action)) }
            held.store.dispatch(contentsOf: 111...200)
            done.value = true
        }
        held.open()
        #expect(await eventually { done.value })
        await held.store.drain()
        #expect(held.store.state == Array(0...200))
        #expect(results.all == Array(repeating: .accepted, count: 10))
        expectBalance(held.store.metrics, offered: 201, reduced: 201)
    }

    @Test("the last action of an effect goes in, however full the store is")
    func lastOfAnEffect() async {
        let held = await Held(.thread(), .bounded(2, overflow: .dropNewest))
        held.store.dispatch(1)
        let run = EffectRun(inside: nil, isBeyondCapacity: true)
        held.store.core.takeOutput(2, source: .here(), cause: .none, run: run)
        held.store.core.takeOutput(3, source: .here(), cause: .none, run: nil)
        #expect(held.store.metrics.dropped == 1)
        held.open()
        await held.store.drain()
        #expect(held.store.state == [0, 1, 2])
    }
}
