// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import MillraceEffects
import TestSupport
import Testing

@Suite("Effect: equality of tokens")
struct EffectTokenTests {
    /// Whether an effect with the second token replaces one with the first.
    private func areOne<First: Hashable & Sendable, Second: Hashable & Sendable>(
        _ first: First,
        _ second: Second
    ) -> Bool {
        let hand = Hand()
        let rig = Rig<Int>(
            (hand.effect("a") as Effect<Void, Int>).withToken(first),
            (hand.effect("b") as Effect<Void, Int>).withToken(second)
        )
        #expect(hand.log.all.prefix(2) == ["start a", "start b"])
        #expect(rig.middleware.runningEffects == (hand.log.count == 3 ? 1 : 2))
        defer { rig.middleware.cancelAll() }
        return hand.log.all.dropFirst(2) == ["cancel a"]
    }

    /// Whether an `AnyHashable` finds an effect with the token.
    private func isFound<Token: Hashable & Sendable>(
        _ token: Token,
        by other: @escaping @Sendable () -> AnyHashable
    ) -> Bool {
        let hand = Hand()
        let rig = Rig<Int>(
            (hand.effect("a") as Effect<Void, Int>).withToken(token),
            Effect { context, sink in
                context.toCancel(other()).start(sink)
                sink.complete()
            }
        )
        defer { rig.middleware.cancelAll() }
        return hand.log.all == ["start a", "cancel a"]
    }

    private enum Key: Hashable { case first, second }

    @Test("tokens of several types are equal if their AnyHashables are")
    func types() {
        // The second time the types are known already.
        for _ in 0..<2 {
            #expect(areOne(3, 3))
            #expect(areOne(3, Int8(3)))
            #expect(areOne(Int8(3), 3))
            #expect(areOne(UInt16(3), UInt64(3)))
            #expect(areOne(3, 3.0))
            #expect(areOne(3.5 as Float, 3.5 as Double))
            #expect(isFound(3) { 3 })
            #expect(isFound(3) { AnyHashable(Int32(3)) })
            #expect(isFound(Int32(3)) { 3 })
            #expect(areOne(3, Optional(3)))
            #expect(areOne([1, 2], [Int8(1), Int8(2)]))
            #expect(isFound("a") { "a" })
            #expect(areOne(Optional("a"), "a"))
            #expect(areOne(Key.first, Key.first))
            #expect(isFound(Key.first) { AnyHashable(Key.first) })
            #expect(!areOne(3, 4))
            #expect(!areOne(3, "3"))
            #expect(!areOne("a", "b"))
            #expect(!isFound("a") { 3 })
            #expect(!areOne(Key.first, Key.second))
            #expect(!areOne(-3, UInt64(bitPattern: -3)))
        }
    }

    /// A token with a `hashValue` that is not the hash by `hash(into:)`, as objects of Foundation have it.
    private struct Numbered: Hashable {
        let number: Int
        var hashValue: Int { number }

        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    private class Animal: Hashable, @unchecked Sendable {
        let number: Int

        init(_ number: Int) {
            self.number = number
        }

        static func == (lhs: Animal, rhs: Animal) -> Bool { lhs.number == rhs.number }

        final func hash(into hasher: inout Hasher) {
            hasher.combine("animal")
            hasher.combine(number)
        }
    }

    private final class Dog: Animal, @unchecked Sendable {}

    /// Its `AnyHashable` is that of a number.
    private final class Cat: Animal, _HasCustomAnyHashableRepresentation, @unchecked Sendable {
        func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(number) }
    }

    @Test("types with a hash of their own: their tokens are equal if their AnyHashables are")
    func ownHashes() {
        for _ in 0..<2 {
            #expect(areOne(Numbered(number: 1), Numbered(number: 1)))
            #expect(isFound(Numbered(number: 1)) { AnyHashable(Numbered(number: 1)) })
            #expect(!areOne(Numbered(number: 1), Numbered(number: 2)))
            #expect(areOne(Animal(1), Animal(1)))
            #expect(areOne(Animal(1), Dog(1)))
            #expect(isFound(Dog(1)) { AnyHashable(Animal(1)) })
            #expect(!areOne(Animal(1), Dog(2)))
            // Notes the type Animal again, whose subclass Cat has another hash.
            #expect(areOne(Animal(1), Animal(1)))
            #expect(isFound(Cat(1) as Animal) { 1 })
            #expect(areOne(Cat(1) as Animal, 1))
        }
    }

    /// A token that shares its hash with half of the others.
    private struct Colliding: Hashable {
        let number: Int

        func hash(into hasher: inout Hasher) { hasher.combine(number % 2) }
    }

    @Test("many tokens, half of which share a hash: each is found, ended and cancelled by itself", arguments: [1, 2])
    func many(round: Int) {
        let count = 300
        let hand = Hand()
        let output = Output<Int>()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in
            if action < 0 { return .toCancel(Colliding(number: -action)) }
            return (hand.effect("\(action)") as Effect<Void, Int>).withToken(Colliding(number: action))
        }
        for _ in 0..<round {
            for number in 1...count { middleware.run(number, output) }
            #expect(middleware.runningEffects == count)
            // In another order than that of their beginnings; every third is cancelled instead.
            for step in 1...count {
                let number = step * 11 % (count + 1)
                if step % 3 == 0 { middleware.run(-number, output) } else { hand.complete("\(number)") }
                #expect(middleware.runningEffects == count - step)
            }
        }
        let cancelled = (1...count).filter { $0 % 3 == 0 }.map { "cancel \($0 * 11 % (count + 1))" }
        let expected = Array(repeating: cancelled, count: round).flatMap { $0 }
        #expect(hand.log.all.filter { $0.hasPrefix("cancel") } == expected)
    }

    /// A token that counts how often it is compared.
    private struct Compared: Hashable, Sendable {
        let count: Shared<Int>

        static func == (lhs: Compared, rhs: Compared) -> Bool {
            lhs.count.update { $0 += 1 }
            return true
        }

        func hash(into hasher: inout Hasher) {}
    }

    @Test("the token of an element is not compared with the same token of each other element")
    func elements() {
        let elements = 200
        let count = Shared(0)
        let base = EffectMiddleware<Int, Int, Int, Void>.onAction { _, _, _ in
            Effect(token: Compared(count: count)) { _, sink in sink.onCancel {} }
        }
        let middleware = base.liftToDictionary(
            inputAction: { (action: ElementIDAction<Int, Int>) in action },
            outputAction: { (action: ElementIDAction<Int, Int>) in action },
            state: { (state: Int) in [state: state] }
        )
        for id in 0..<elements {
            middleware.run(ElementIDAction(id: id, action: 0), Output<ElementIDAction<Int, Int>>(), state: id)
        }
        #expect(middleware.runningEffects == elements)
        #expect(count.value < elements)
        middleware.cancelAll()
    }

    @Test("all effects are cancelled while many tokens are in use; the tokens are free then")
    func all() {
        let hand = Hand()
        let output = Output<Int>()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { action, _, _ in
            (hand.effect("\(action)") as Effect<Void, Int>).withToken(action, policy: .keepFirst)
        }
        for number in 0..<100 { middleware.run(number, output) }
        middleware.cancelAll()
        #expect(middleware.figures.cancelled == 100)
        for number in 0..<100 { middleware.run(number, output) }
        #expect(middleware.figures.skipped == 0)
        #expect(middleware.runningEffects == 100)
        middleware.cancelAll()
    }
}
