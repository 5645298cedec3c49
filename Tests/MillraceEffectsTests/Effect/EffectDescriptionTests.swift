// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import Testing

@Suite("Effect: what it prints")
struct EffectDescriptionTests {
    private typealias Numbers = Effect<Void, Int>

    @Test("an effect prints its name, token and policy")
    func effect() {
        #expect("\(Numbers.doNothing)" == "Effect.doNothing")
        #expect("\(Numbers.just(1))" == "Effect()")
        #expect("\(Numbers.just(1).named("load"))" == "Effect(\"load\")")
        #expect("\(Numbers.just(1).withToken(7))" == "Effect(token: 7, policy: replace)")
        let limited = Numbers.just(1).withToken("save", policy: .concurrent(max: 2)).named("load")
        #expect("\(limited)" == "Effect(\"load\", token: save, policy: concurrent(max: 2))")
    }

    @Test("a key is printed as journal, number and index")
    func key() {
        #expect("\(EffectKey(journal: "00ff", sequence: 12, index: 3))" == "00ff-12-3")
    }

    @Test("options print their values, and no closure")
    func options() {
        #expect(
            "\(EffectOptions())" == "capacity unbounded, clock ContinuousClock, priority medium, no observer"
        )
        let options = EffectOptions(capacity: 8, clock: SuspendingClock(), priority: .background) { _ in }
        #expect(
            "\(options)" == "capacity 8, clock SuspendingClock, priority background, no observer, calls onRefusal"
        )
        #expect("\(EffectOptions(priority: TaskPriority(rawValue: 3)))".contains("priority 3,"))
    }
}
