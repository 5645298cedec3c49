// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Millrace

@Suite("dispatchOrWait", .timeLimit(.minutes(5)))
struct DispatchOrWaitTests {
    /// A store that handles one action for each signal.
    private func slowStore(_ overflow: OverflowPolicy) -> (ReduxStoreBase<Int, [Int]>, DispatchSemaphore) {
        let turn = DispatchSemaphore(value: 0)
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Int, [Int]>.reduce { action, log in
                turn.wait()
                log.append(action)
            },
            capacity: .bounded(4, overflow: overflow)
        )
        return (store, turn)
    }

    @Test("blocks for room whatever the policy, and loses nothing", arguments: OverflowPolicy.allCases)
    func blocks(overflow: OverflowPolicy) async {
        let (store, turn) = slowStore(overflow)
        let sent = Shared(0)
        onNewThread {
            for number in 0..<40 {
                do { try store.dispatchOrWait(number) } catch { Issue.record(error) }
                sent.value = number + 1
            }
        }
        #expect(await eventually { store.waiters == 1 })
        #expect(sent.value < 40)
        for _ in 0..<40 { turn.signal() }
        #expect(await eventually { store.metrics.reduced + store.metrics.dropped == 40 })
        await store.drain()
        // A full `.dropOldest` store lets twice the capacity in, and drops the oldest beyond the capacity.
        if overflow != .dropOldest {
            #expect(store.state == Array(0..<40))
            #expect(store.metrics.dropped == 0)
        }
        #expect(store.metrics.rejected == 0)
        // No place is reserved any more: an offer is accepted only then.
        #expect(store.offer(40) == .accepted)
        turn.signal()
    }

    @Test("says that the store is closed, before and during the wait")
    func closed() async {
        let (store, turn) = slowStore(.block)
        let error = Shared<SendError?>(nil)
        onNewThread {
            do throws(SendError) {
                while true { try store.dispatchOrWait(1) }
            } catch let thrown {
                error.value = thrown
            }
        }
        #expect(await eventually { store.waiters == 1 })
        store.close()
        #expect(await eventually { error.value == .closed })
        let late = Shared<SendError?>(nil)
        await elsewhere {
            do throws(SendError) { try store.dispatchOrWait(2) } catch { late.value = error }
        }
        #expect(late.value == .closed)
        for _ in 0..<10 { turn.signal() }
        #expect(await store.shutdown().isCompleteButForReaders)
        #expect(store.metrics.rejected == 2)
    }

    @Test("never waits on the pipeline's own thread", arguments: engines)
    func ownThread(engine: StoreEngine) async {
        let holder = Shared<ReduxStoreBase<Int, Int>?>(nil)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { action, _, _ in
                guard action == 0 else { return .pure() }
                return IO { _ in
                    for number in 1...20 {
                        do { try holder.value?.dispatchOrWait(number) } catch { Issue.record(error) }
                    }
                }
            },
            engine: engine,
            capacity: .bounded(2)
        )
        holder.value = store
        store.dispatch(0)
        #expect(await eventually { store.metrics.reduced == 21 })
        holder.value = nil
    }

    @Test("a sharded store waits for room of the shard, and says that it is closed")
    func sharded() async {
        let turn = DispatchSemaphore(value: 0)
        let store = ShardedStore(
            shards: 4,
            by: { (number: Int) in number % 2 },
            initialState: { _ in [Int]() },
            reducer: Reducer<Int, [Int]>.reduce { number, log in
                turn.wait()
                log.append(number)
            },
            middleware: { _ in IdentityMiddleware<Int, Int, [Int]>() },
            capacity: .bounded(4, overflow: .dropNewest)
        )
        let error = Shared<SendError?>(nil)
        let sent = Shared(0)
        onNewThread {
            do throws(SendError) {
                while true {
                    try store.dispatchOrWait(2 * sent.value)
                    sent.value += 1
                }
            } catch let thrown {
                error.value = thrown
            }
        }
        let shard = store.shard(for: 0)
        #expect(await eventually { shard.waiters == 1 })
        #expect(sent.value < 10)
        for _ in 0..<20 { turn.signal() }
        #expect(await eventually { sent.value >= 20 && shard.waiters == 1 })
        #expect(shard.metrics.dropped == 0)
        let end = Task { await store.shutdown() }
        #expect(await eventually { error.value == .closed })
        let late = Shared<SendError?>(nil)
        await elsewhere {
            do throws(SendError) { try store.dispatchOrWait(1) } catch { late.value = error }
        }
        #expect(late.value == .closed)
        for _ in 0..<10 { turn.signal() }
        _ = await end.value
        #expect(store.metrics.rejected == 2)
        #expect(shard.state == (0..<sent.value).map { 2 * $0 })
    }
}
