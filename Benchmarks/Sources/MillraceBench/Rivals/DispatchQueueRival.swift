// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Millrace

/// A serial dispatch queue around the state, one `async` an action.
@MainActor
enum DispatchQueueRival {
    private final class QueueState: @unchecked Sendable {
        // Touched in blocks of the queue only.
        var state = AppState()
        let queue = DispatchQueue(label: "millrace-bench")
    }

    static func contender(crew: Crew) -> Contender {
        let name = "DispatchQueue.async"
        let box = QueueState()
        return Contender(name, share: 0.1) { operations in
            let share = operations / crew.size
            let before = box.queue.sync { box.state }
            let times = crew.run { _ in
                let reduce = AppState.reducer.reduce
                for index in 0..<share {
                    let action = AppAction.nth(index)
                    box.queue.async { reduce(action, &box.state) }
                }
            }
            let after = box.queue.sync { box.state }
            let ended = bench_now()
            try Effect(from: before, to: after).check(Effect(actions: share, producers: crew.size), of: name)
            return ended - times.began
        }
    }
}
