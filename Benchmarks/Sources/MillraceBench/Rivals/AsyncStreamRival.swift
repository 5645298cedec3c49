// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// An unbounded AsyncStream. One task reads the actions from it and reduces them.
@MainActor
enum AsyncStreamRival {
    static func contender(crew: Crew) -> Contender {
        let name = "AsyncStream"
        return Contender(name, share: 0.05) { operations in
            let share = operations / crew.size
            let (stream, continuation) = AsyncStream.makeStream(of: AppAction.self)
            let consumer = Task.detached {
                let reduce = AppState.reducer.reduce
                var state = AppState()
                for await action in stream { reduce(action, &state) }
                return (state, bench_now())
            }
            let times = crew.run { _ in
                for index in 0..<share { continuation.yield(AppAction.nth(index)) }
            }
            continuation.finish()
            let (state, ended) = await consumer.value
            try StateChange(from: AppState(), to: state).check(
                StateChange(actions: share, producers: crew.size),
                of: name
            )
            return ended - times.began
        }
    }
}
