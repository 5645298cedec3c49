// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension Effect {
    /// All effects at once: each is started, in order; the whole ends when all have ended.
    ///
    /// Each keeps its own token. Of those that do nothing, nothing is left.
    public static func merge(_ effects: [Effect]) -> Effect {
        let parts = effects.filter(\.doesSomething)
        guard parts.count > 1 else { return parts.first ?? .doNothing }
        return Effect(whole(of: parts)) { context, sink in
            let running = Countdown(parts.count)
            for part in parts {
                sink.start(part: part, context) {
                    if running.isLast() { sink.complete() }
                }
            }
        }
    }

    /// All effects at once: see the form for an array.
    public static func merge(_ effects: Effect...) -> Effect {
        merge(effects)
    }

    /// One effect after the other: each is started when the one before has ended, also when that was cancelled.
    ///
    /// Each keeps its own token. Of those that do nothing, nothing is left.
    public static func concat(_ effects: [Effect]) -> Effect {
        let parts = effects.filter(\.doesSomething)
        guard parts.count > 1 else { return parts.first ?? .doNothing }
        return Effect(whole(of: parts)) { context, sink in
            let context = Unchecked(context)  // SwiftRex's dependencies need not be Sendable; they are the caller's.
            Turns().take { turn, ended in
                if turn < parts.count {
                    sink.start(part: parts[turn], context.value, ended: ended)
                } else {
                    sink.complete()
                }
            }
        }
    }

    /// One effect after the other: see the form for an array.
    public static func concat(_ effects: Effect...) -> Effect {
        concat(effects)
    }

    private static func whole(of parts: [Effect]) -> EffectTraits {
        EffectTraits(
            isImmediate: parts.allSatisfy(\.traits.isOverAtOnce),
            isCounted: parts.contains { $0.traits.isCounted || !$0.traits.isOverAtOnce }
        )
    }
}

/// Finds out who is the last of so many.
private final class Countdown: Sendable {
    private let count: Atomic<Int>

    init(_ count: Int) {
        self.count = Atomic(count)
    }

    func isLast() -> Bool {
        // Acquiring and releasing, pairs with itself: the last sees what the others did.
        count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }
}

/// Takes one turn after the other, each when the one before has ended; turns that end at once do not grow the stack.
private final class Turns: @unchecked Sendable {
    // Unchecked because `next` is touched only by who brought `due` from 0 to 1, until it is 0 again.
    typealias Turn = @Sendable (_ turn: Int, _ ended: @escaping @Sendable () -> Void) -> Void

    private let due = Atomic<Int>(0)
    private var next = 0

    func take(_ turn: @escaping Turn) {
        // Acquiring and releasing, pairs with the subtraction below: `next` goes from one taker to another.
        guard due.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            let number = next
            next += 1
            turn(number) { self.take(turn) }
        } while due.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }
}
