// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceSubstates
import TestSupport
import Testing

@Suite("SubstateStore: urgent actions, and dispatches that wait", .timeLimit(.minutes(5)))
struct UrgentTests {
    /// How often the store has come to the gate.
    private let entered = Shared(0)

    /// A store that keeps the changes in their order, and waits for the gate at the change 0.
    private func makeStore(_ capacity: StoreCapacity = .unbounded) -> (SubstateStore, DispatchSemaphore) {
        let gate = DispatchSemaphore(value: 0)
        let entered = entered
        let reducer = RoutingReducer().routing(CounterAction.self, to: Tasks.self) { action, tasks in
            if action.change == 0 {
                entered.update { $0 += 1 }
                gate.wait()
            }
            tasks.titles.append("\(action.change)")
        }
        return (SubstateStore(reducer: reducer, capacity: capacity), gate)
    }

    @Test("an urgent action is handled before those that wait, also one of the store itself")
    func urgent() async throws {
        let (store, gate) = makeStore()
        store.dispatch(.add(states: [Tasks()]))
        store.dispatch(CounterAction(change: 0))
        #expect(await eventually { entered.value == 1 })
        for change in 1...3 { store.dispatch(CounterAction(change: change)) }
        #expect(store.dispatch(urgent: CounterAction(change: -1)) == .accepted)
        gate.signal()
        await store.drain()
        #expect(try store.substate(Tasks.self).titles == ["0", "-1", "1", "2", "3"])

        store.dispatch(CounterAction(change: 0))
        #expect(await eventually { entered.value == 2 })
        store.dispatch(.add(states: [Tasks()]))
        #expect(store.dispatch(urgent: .reset) == .accepted)
        gate.signal()
        await store.drain()
        #expect(store.currentState == [Tasks()])
        #expect(store.base.metrics.urgentActions == 2)

        _ = await store.shutdown()
        #expect(store.dispatch(urgent: CounterAction(change: 1)) == .closed)
        #expect(store.dispatch(urgent: .reset) == .closed)
        #expect(store.base.metrics.rejected == 2)
    }

    @Test("dispatchOrWait waits for room where dispatch drops, and says that the store is closed")
    func orWait() async throws {
        let (store, gate) = makeStore(.bounded(2, overflow: .dropNewest))
        await elsewhere {
            do { try store.dispatchOrWait(.add(states: [Tasks()])) } catch { Issue.record(error) }
        }
        await store.drain()
        let error = Shared<SendError?>(nil)
        onNewThread {
            for _ in 0..<20 {
                do { try store.dispatchOrWait(CounterAction(change: 0)) } catch { Issue.record(error) }
            }
            do throws(SendError) {
                while true { try store.dispatchOrWait(CounterAction(change: 0)) }
            } catch let thrown {
                error.value = thrown
            }
        }
        // Full: a dispatch that does not wait would drop actions now.
        #expect(await eventually { store.base.metrics.pending >= 2 })
        for _ in 0..<20 { gate.signal() }
        #expect(await eventually { store.base.metrics.reduced >= 21 })
        #expect(store.base.metrics.dropped == 0)
        store.base.close()
        #expect(await eventually { error.value == .closed })
        let late = Shared<SendError?>(nil)
        await elsewhere {
            do throws(SendError) { try store.dispatchOrWait(.reset) } catch { late.value = error }
        }
        #expect(late.value == .closed)
        for _ in 0..<10 { gate.signal() }
        _ = await store.shutdown()
    }
}
