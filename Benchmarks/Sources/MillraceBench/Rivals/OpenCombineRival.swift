// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
@preconcurrency import OpenCombine

/// Subjects of OpenCombine. They hand nothing over: the producer itself reduces, under the lock of the subscription.
@MainActor
enum OpenCombineRival {
    private final class Sunk: @unchecked Sendable {
        // Unchecked because the subscription calls its closure under a lock.
        var state = AppState()
    }

    /// Returns a contender that sends actions through a `PassthroughSubject`, whose only subscriber reduces them.
    static func passthrough(crew: Crew) -> Contender {
        let name = "OpenCombine PassthroughSubject"
        let box = Sunk()
        // Unsafe because OpenCombine has no Sendable. `send` may be called on any thread.
        nonisolated(unsafe) let subject = PassthroughSubject<AppAction, Never>()
        let reduce = AppState.reducer.reduce
        let subscription = subject.sink { @Sendable action in reduce(action, &box.state) }
        return Contender(name, share: crew.size == 1 ? 0.1 : 0.02) { operations in
            let share = operations / crew.size
            let before = box.state
            let times = withExtendedLifetime(subscription) {
                crew.run { _ in
                    for index in 0..<share { subject.send(AppAction.nth(index)) }
                }
            }
            try StateChange(from: before, to: box.state).check(
                StateChange(actions: share, producers: crew.size),
                of: name
            )
            return times.wall_nanoseconds
        }
    }

    /// Returns a contender whose state is the value of a `CurrentValueSubject`. Reading and setting the value are two
    /// calls, so there is one producer.
    static func currentValue(crew: Crew) -> Contender {
        let name = "OpenCombine CurrentValueSubject"
        // Unsafe because OpenCombine has no Sendable. One thread uses the subject at a time.
        nonisolated(unsafe) let subject = CurrentValueSubject<AppState, Never>(AppState())
        return Contender(name, share: 0.2) { operations in
            let before = subject.value
            let times = crew.run { _ in reduce(operations, subject) }
            try StateChange(from: before, to: subject.value).check(StateChange(actions: operations), of: name)
            return times.wall_nanoseconds
        }
    }

    /// What the producer of `currentValue` does. Also a row of `millrace-bench check`.
    nonisolated static func reduce(_ actions: Int, _ subject: CurrentValueSubject<AppState, Never>) {
        let reduce = AppState.reducer.reduce
        for index in 0..<actions { reduce(AppAction.nth(index), &subject.value) }
    }
}
