// SPDX-License-Identifier: Apache-2.0

import AsyncAlgorithms
import CBenchCrew
import Millrace

/// `AsyncChannel`: a task for each producer awaits `send`, and one task reads the actions and reduces them. A sender
/// waits until its action is taken.
@MainActor
enum AsyncChannelRival {
    static func contender(producers: Int) -> Contender {
        let name = "AsyncChannel"
        return Contender(name, share: 0.02) { operations in
            let share = operations / producers
            let began = bench_now()
            let channel = AsyncChannel<AppAction>()
            let consumer = Task.detached {
                let reduce = AppState.reducer.reduce
                var state = AppState()
                for await action in channel { reduce(action, &state) }
                return (state, bench_now())
            }
            let senders = (0..<producers).map { _ in
                Task.detached {
                    for index in 0..<share { await channel.send(AppAction.nth(index)) }
                }
            }
            for sender in senders { await sender.value }
            channel.finish()
            let (state, ended) = await consumer.value
            try StateChange(from: AppState(), to: state).check(
                StateChange(actions: share, producers: producers),
                of: name
            )
            return ended - began
        }
    }
}
