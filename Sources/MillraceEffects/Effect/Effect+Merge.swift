// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension Effect {
    /// Returns an effect that starts all given effects at once, in order. It ends when all of them have ended.
    ///
    /// Each effect keeps its own token. Effects that do nothing are left out.
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

    /// Returns an effect that starts all given effects at once: see the form for an array.
    public static func merge(_ effects: Effect...) -> Effect {
        merge(effects)
    }

    /// Returns an effect that starts the given effects one after the other. Each is started when the one before has
    /// ended, also if that one was cancelled.
    ///
    /// Each effect keeps its own token. Effects that do nothing are left out.
    public static func concat(_ effects: [Effect]) -> Effect {
        let parts = effects.filter(\.doesSomething)
        guard parts.count > 1 else { return parts.first ?? .doNothing }
        return Effect(whole(of: parts)) { context, sink in
            let context = Unchecked(context)  // Need not be Sendable in SwiftRex; the caller is responsible.
            Turns().take { turn, ended in
                if turn < parts.count {
                    sink.start(part: parts[turn], context.value, ended: ended)
                } else {
                    sink.complete()
                }
            }
        }
    }

    /// Returns an effect that starts the given effects one after the other: see the form for an array.
    public static func concat(_ effects: Effect...) -> Effect {
        concat(effects)
    }

    private static func whole(of parts: [Effect]) -> EffectTraits {
        EffectTraits(
            isImmediate: parts.allSatisfy(\.traits.isOverAtOnce),
            isCounted: parts.contains { $0.traits.isCounted || !$0.traits.isOverAtOnce },
            startsParts: true
        )
    }
}

/// Tells the last of a number of callers that it is the last.
private final class Countdown: Sendable {
    private let count: Atomic<Int>

    init(_ count: Int) {
        self.count = Atomic(count)
    }

    func isLast() -> Bool {
        // Acquiring and releasing, pairs with itself: the last caller sees what the other callers did before.
        count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }
}

/// Calls a closure again and again, each time when the call before has reported its end. Calls that end at once do not
/// grow the stack.
private final class Turns: @unchecked Sendable {
    // Unchecked because only the thread that raised `due` from 0 to 1 touches `next`, until `due` is 0 again.
    typealias Turn = @Sendable (_ turn: Int, _ ended: @escaping @Sendable () -> Void) -> Void

    private let due = Atomic<Int>(0)
    private var next = 0

    func take(_ turn: @escaping Turn) {
        // Acquiring and releasing, pairs with the subtraction below: hands `next` over from one thread to another.
        guard due.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            let number = next
            next += 1
            turn(number) { self.take(turn) }
        } while due.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }
}
