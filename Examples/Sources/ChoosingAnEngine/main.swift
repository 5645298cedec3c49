// SPDX-License-Identifier: Apache-2.0

// The code of the article "Choosing an engine and a queue", block by block.
import Dispatch
import Millrace

let counter = Reducer<Int, Int>.reduce { number, sum in sum += number }

let heart = ReduxStoreBase(initialState: 0, reducer: counter, engine: .thread(name: "orders"))
let lodger = ReduxStoreBase(initialState: 0, reducer: counter, engine: .queue(DispatchQueue(label: "app")))
let inline = ReduxStoreBase(initialState: 0, reducer: counter, engine: .caller)
inline.dispatch(7)
print(inline.state)  // 7: the dispatch was finished when it returned

let bounded = ReduxStoreBase(
    initialState: 0,
    reducer: counter,
    capacity: .bounded(10_000, overflow: .dropOldest)
)
bounded.dispatch(1)  // as the policy says
if bounded.offer(2) == .full { print("try later") }  // never waits, drops nothing to make room
try await bounded.send(3)  // suspends until there is room, blocks no thread
bounded.dispatch(control: 4)  // ignores the capacity

let report = await bounded.shutdown(deadline: .seconds(5))
print(report.isComplete, report.dropped)  // true 0
