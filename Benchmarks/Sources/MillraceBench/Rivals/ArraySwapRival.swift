// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

/// A locked array that one consumer swaps for an empty one. After it found few actions the consumer waits a little, so
/// that it finds more the next time. Both arrays keep their memory.
@MainActor
enum ArraySwapRival {
    private final class Consumed: @unchecked Sendable {
        // Unchecked because only the crew's last member uses it during a run, and only the main thread between runs.
        var state = AppState()
    }

    /// Returns a contender. The last member of `crew` consumes, the others produce.
    static func contender(crew: Crew) -> Contender {
        let name = "pthread_mutex + array swap"
        let pending = PthreadLocked<[AppAction]>([])
        let consumed = Consumed()
        return Contender(name, share: crew.size == 2 ? 1 : 0.1) { operations in
            let producers = crew.size - 1
            let share = operations / producers
            let before = consumed.state
            let times = crew.run { member in
                if member < producers {
                    for index in 0..<share {
                        let action = AppAction.nth(index)
                        pending.withLock { $0.append(action) }
                    }
                } else {
                    consume(share * producers, from: pending, into: consumed)
                }
            }
            try StateChange(from: before, to: consumed.state).check(
                StateChange(actions: share, producers: producers),
                of: name
            )
            return times.wall_nanoseconds
        }
    }

    private nonisolated static func consume(
        _ count: Int,
        from pending: PthreadLocked<[AppAction]>,
        into consumed: Consumed
    ) {
        let reduce = AppState.reducer.reduce
        var state = consumed.state
        var actions: [AppAction] = []
        var left = count
        while left > 0 {
            pending.withLock { swap(&$0, &actions) }
            for action in actions { reduce(action, &state) }
            left -= actions.count
            if actions.count < 64 {
                for _ in 0..<256 { bench_pause() }
            }
            actions.removeAll(keepingCapacity: true)
        }
        consumed.state = state
    }
}
