// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceFeedback
import TestSupport
import Testing

@testable import MillraceEffects

@Suite("The parts of a feedback that derives its controls", .timeLimit(.minutes(5)))
struct PartReleaseTests {
    private struct Weak: @unchecked Sendable {
        // Unchecked: a weak reference may be read on any thread.
        weak var task: EffectTask?
    }

    @Test("an effect that has ended is released, although the loop goes on")
    func released() async {
        let count = 1_000
        let tasks = Shared<[Weak]>([])
        let feedback = Feedback<Int, Int>(
            deriving: { states in states },
            effects: { number in
                guard number < count else { return .doNothing }
                return Effect { _, sink in
                    let task = Weak(task: sink.effectTask)
                    tasks.update { $0.append(task) }
                    sink.send(DispatchedAction(1))
                    sink.complete()
                }
            }
        )
        let loop = FeedbackLoop<Int, Int>.system(initial: 0, feedbacks: [feedback]) { $0 + $1 }
        var states = loop.makeAsyncIterator()
        while let state = await states.next(), state < count {}
        // While the loop exists.
        withExtendedLifetime(states) {
            #expect(tasks.value.count == count)
            #expect(tasks.value.count { $0.task != nil } < 10)
        }
    }

    @Test("the end of the loop cancels the latest effect")
    func cancelled() async {
        let isCancelled = Shared(false)
        let hasBegun = Shared(false)
        let feedback = Feedback<Int, Int>(
            deriving: { states in states },
            effects: { _ in
                Effect { _, sink in
                    sink.onCancel { isCancelled.value = true }
                    hasBegun.value = true
                }
            }
        )
        do {
            let loop = FeedbackLoop<Int, Int>.system(initial: 0, feedbacks: [feedback]) { $0 + $1 }
            var states = loop.makeAsyncIterator()
            _ = await states.next()
            #expect(await eventually { hasBegun.value })
        }
        #expect(await eventually { isCancelled.value })
    }

    @Test("the end of the loop cancels an effect whose body still runs")
    func cancelledInBody() async {
        let hasBegun = Shared(false)
        let isOver = Shared(false)
        let feedback = Feedback<Int, Int>(
            deriving: { states in states },
            effects: { _ in
                Effect { _, sink in
                    hasBegun.value = true
                    while !sink.isCancelled { usleep(200) }
                    isOver.value = true
                }
            }
        )
        do {
            let loop = FeedbackLoop<Int, Int>.system(initial: 0, feedbacks: [feedback]) { $0 + $1 }
            var states = loop.makeAsyncIterator()
            _ = await states.next()
            #expect(await eventually { hasBegun.value })
        }
        #expect(await eventually { isOver.value })
    }
}
