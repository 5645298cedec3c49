// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceGated
import MillraceTesting
import Testing

@Suite("Rules: the package's own middlewares obey them")
struct PassingRulesTests {
    typealias Effects = SimpleEffectMiddleware<RuleAction, RuleState>

    static let actions: [RuleAction] = [
        .start(1), .say(2), .start(7), .cancel(1), .note(3), .start(2), .say(3), .start(1), .cancel(2), .start(13),
        .note(4),
    ]

    static func effects(_ world: SimulatedWorld) -> Effects {
        .onAction { action, _, _ in
            switch action {
            case .start(let token):
                return Effect.task(token: token) { [clock = world.clock] _ in
                    try? await clock.sleep(for: .milliseconds(token * 40))
                    return .ended(token)
                }
            case .cancel(let token): return .toCancel(token)
            case .say(let count): return .sequence((0..<count).map { .said($0) }, from: .here())
            case .note(let number):
                return Effect.just(.said(number)).debounce(for: .milliseconds(30), token: "note")
            default: return .doNothing
            }
        }
    }

    private func check<M: MiddlewareProtocol>(
        function: String = #function,
        _ make: @escaping (SimulatedWorld) -> M
    ) throws where M.InputActionType == RuleAction, M.OutputActionType == RuleAction, M.StateType == RuleState {
        let report = try MiddlewareRules.check(
            seeds: 0..<15,
            actions: Self.actions,
            initialState: RuleState(),
            reducer: counted,
            function: function,
            make: make
        )
        #expect(report.rules.map(\.rule) == MiddlewareRule.allCases.filter { $0 != .state })
        #expect(report.schedules == 15 * 7)
    }

    @Test("effects")
    func effects() throws { try check { Self.effects($0) } }

    @Test("named, lifted, chained")
    func chained() throws {
        try check { world in
            Self.effects(world).named("effects").lift(inputAction: { $0 }) <> Speaker().named("speaker")
        }
    }

    @Test("composed and erased")
    func composed() throws {
        try check { world in
            AnyMiddleware(Self.effects(world)) <> AnyMiddleware(Speaker()) <> AnyMiddleware(Speaker().named("speaker"))
        }
    }

    @Test("gated by a gate, by an action, by the state")
    func gated() throws {
        try check { Self.effects($0).gated(by: Gate()) }
        try check { world in Self.effects(world).gated(state: { $0.note != 3 }) }
    }

    @Test("identity")
    func identity() throws { try check { _ in IdentityMiddleware<RuleAction, RuleAction, RuleState>() } }

    @Test("a plugin")
    func plugin() throws {
        try MiddlewareRules.checkPlugin(
            seeds: 0..<15,
            actions: Self.actions,
            initialState: RuleState(),
            reducer: counted,
            make: { Self.effects($0).named("effects") <> Speaker() }
        )
    }

    /// Counts the actions that came between `.say` and what it dispatches.
    private final class Intruders: @unchecked Sendable {
        // Unchecked because one world runs at a time, and one of its threads.
        var count = 0
        var expected = 0
    }

    private struct Watch: MiddlewareProtocol {
        let intruders: Intruders

        func handle(
            action: RuleAction,
            from dispatcher: ActionSource,
            state: @escaping GetState<RuleState>
        ) -> IO<RuleAction> {
            switch action {
            case .say(let count): intruders.expected += count
            case .said: intruders.expected -= 1
            default: intruders.count += intruders.expected > 0 ? 1 : 0
            }
            return .pure()
        }
    }

    @Test("the stores have the order that the test names", arguments: ActionOrder.allCases)
    func order(order: ActionOrder) throws {
        let actions: [RuleAction] = [.say(2), .note(1), .say(3), .note(2), .say(2), .note(3)]
        let intruders = (0..<3).map { _ in Intruders() }
        func watch(_ intruders: Intruders) -> Watch {
            intruders.expected = 0
            return Watch(intruders: intruders)
        }
        try MiddlewareRules.check(
            seeds: 0..<10,
            except: [.silentAfterRelease, .released],
            order: order,
            actions: actions,
            initialState: RuleState(),
            reducer: counted,
            make: { _ in watch(intruders[0]) <> Speaker() }
        )
        try MiddlewareRules.checkPlugin(
            seeds: 0..<10,
            except: [.silentAfterRelease, .released],
            order: order,
            actions: actions,
            initialState: RuleState(),
            reducer: counted,
            make: { _ in watch(intruders[1]) <> Speaker() }
        )
        try MiddlewareRules.check(
            seeds: 0..<10,
            except: [.silentAfterRelease, .released],
            order: order,
            wrapper: { watch(intruders[2]) <> $0 }
        )
        // Two threads dispatch, so their actions come in between if the order is first in, first out.
        let counts = intruders.map(\.count)
        #expect(counts.allSatisfy { order == .internalFirst ? $0 == 0 : $0 > 0 }, "\(counts)")
    }

    @Test("the rules hold with internal actions first")
    func internalFirst() throws {
        try MiddlewareRules.check(
            seeds: 0..<15,
            order: .internalFirst,
            actions: Self.actions,
            initialState: RuleState(),
            reducer: counted,
            make: { Self.effects($0) <> Speaker() }
        )
        try MiddlewareRules.check(seeds: 0..<15, order: .internalFirst, wrapper: { Transparent(base: $0) })
    }

    @Test("wrappers: named, lifted, gated, chained, a wrapper of one's own")
    func wrappers() throws {
        try MiddlewareRules.check(seeds: 0..<15, wrapper: { $0.named("outside") })
        try MiddlewareRules.check(seeds: 0..<15, wrapper: { $0.lift(inputAction: { $0 }, state: { $0 }) })
        try MiddlewareRules.check(seeds: 0..<15, wrapper: { $0.gated(state: { $0.note != 1 }, inFlight: .cancel) })
        try MiddlewareRules.check(seeds: 0..<15, wrapper: { IdentityMiddleware() <> $0 <> Speaker() })
        try MiddlewareRules.check(seeds: 0..<15, wrapper: { Transparent(base: $0) })
    }
}

let counted = Reducer<RuleAction, RuleState>.reduce { action, state in
    state.handled += 1
    if case .note(let number) = action { state.note = number }
}

/// Dispatches several actions at once.
struct Speaker: MiddlewareProtocol {
    func handle(
        action: RuleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<RuleState>
    ) -> IO<RuleAction> {
        guard case .say(let count) = action else { return .pure() }
        return IO { output in
            for number in 0..<count { output.dispatch(.said(number)) }
        }
    }
}

/// Changes nothing.
struct Transparent<Base: MiddlewareProtocol>: MiddlewareWrapper {
    var base: Base
}
