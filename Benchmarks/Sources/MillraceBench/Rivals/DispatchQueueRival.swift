// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Millrace

/// A serial dispatch queue that guards the state, with one `async` call per action.
@MainActor
enum DispatchQueueRival {
    private final class QueueState: @unchecked Sendable {
        // Unchecked because only blocks on the queue use the state.
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
            try StateChange(from: before, to: after).check(StateChange(actions: share, producers: crew.size), of: name)
            return ended - times.began
        }
    }
}
