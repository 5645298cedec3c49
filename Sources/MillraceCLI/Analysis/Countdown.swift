// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Lets one task wait for a number of threads.
final class Countdown: Sendable {
    private struct State {
        var left: Int
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(left: count))
    }

    func arrive() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.left -= 1
            return state.left == 0 ? state.waiter : nil
        }
        waiter?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state -> Bool in
                if state.left > 0 { state.waiter = continuation }
                return state.left == 0
            }
            if isOver { continuation.resume() }
        }
    }
}
