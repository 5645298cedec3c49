// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import TestSupport
import Testing

@Suite("EffectMiddleware: what ended effects leave behind")
struct EffectReleaseTests {
    enum Way: CaseIterable, Sendable { case completed, cancelled, chosen, all, replaced, released }

    private struct Key: Hashable, Sendable {
        let number: Int
        let witness: Alive

        static func == (lhs: Key, rhs: Key) -> Bool { lhs.number == rhs.number }

        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    private static let tokens = 40

    @Test("effects that run or wait, of all policies: nothing keeps their bodies and tokens", arguments: Way.allCases)
    func everything(way: Way) {
        let alive = Shared(0)
        let sinks = Shared<[EffectSink<DispatchedAction<Int>>]>([])
        let policies: [EffectPolicy] = [.serial, .concurrent(max: 2), .replace, .keepFirst]
        @Sendable func effect() -> Effect<Void, Int> {
            let witness = Alive(alive)
            return Effect { _, sink in
                sink.onCancel { withExtendedLifetime(witness) {} }
                sinks.update { $0.append(sink) }
            }
        }
        @Sendable func key(_ number: Int) -> Key { Key(number: number, witness: Alive(alive)) }
        let output = Output<Int>()
        var middleware: EffectMiddleware<Int, Int, Int, Void>? = .onAction { action, _, _ in
            if action < 0 { return way == .replaced ? .just(0).withToken(key(-action)) : .toCancel(key(-action)) }
            let number = action % Self.tokens + 1
            // Some are wholes with parts, one of which has the token of the whole.
            let effect = number % 3 == 0 ? .merge(effect(), effect().withToken(key(number))) : effect()
            return effect.withToken(key(number), policy: policies[number % 4])
        }
        for action in 0..<(Self.tokens * 5) { middleware?.run(action, output) }
        #expect(middleware?.figures.waiting ?? 0 > 0)
        #expect(alive.value > Self.tokens)
        switch way {
        case .completed: while let sink = sinks.update({ $0.popLast() }) { sink.complete() }
        case .cancelled, .replaced: for number in 1...Self.tokens { middleware?.run(-number, output) }
        case .chosen: middleware?.cancel { _ in true }
        case .all: middleware?.cancelAll()
        case .released: middleware = nil
        }
        #expect(middleware?.figures.running ?? 0 == 0)
        #expect(middleware?.figures.waiting ?? 0 == 0)
        let notCancelled = sinks.value.filter { !$0.isCancelled }.count
        #expect(notCancelled == 0)
        sinks.update { $0 = [] }
        #expect(alive.value == 0)
    }
}
