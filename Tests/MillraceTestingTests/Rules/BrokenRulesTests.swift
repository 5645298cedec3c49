// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite("Rules: each of these middlewares breaks exactly one")
struct BrokenRulesTests {
    /// Returns the rules that a check finds broken.
    private func collect(
        _ check: (Set<MiddlewareRule>) throws(BrokenRule) -> RulesReport
    ) -> [MiddlewareRule: BrokenRule] {
        var found: [MiddlewareRule: BrokenRule] = [:]
        while found.count < MiddlewareRule.allCases.count {
            do { _ = try check(Set(found.keys)) } catch {
                found[error.rule] = error
                continue
            }
            break
        }
        return found
    }

    private func broken<M: MiddlewareProtocol>(
        _ make: @escaping (SimulatedWorld) -> M
    ) -> [MiddlewareRule: BrokenRule]
    where M.InputActionType == RuleAction, M.OutputActionType == RuleAction, M.StateType == RuleState {
        collect { exceptions throws(BrokenRule) in
            try MiddlewareRules.check(
                seeds: 0..<20,
                except: exceptions,
                actions: PassingRulesTests.actions,
                initialState: RuleState(),
                reducer: counted,
                function: "defect",
                make: make
            )
        }
    }

    private func brokenByWrapper<M: MiddlewareProtocol>(
        _ wrapper: @escaping (RuleSubject) -> M
    ) -> [MiddlewareRule: BrokenRule]
    where M.InputActionType == RuleAction, M.OutputActionType == RuleAction, M.StateType == RuleState {
        collect { exceptions throws(BrokenRule) in
            try MiddlewareRules.check(seeds: 0..<40, except: exceptions, function: "defect", wrapper: wrapper)
        }
    }

    /// Returns the first broken rule.
    private func first<M: MiddlewareProtocol>(_ make: @escaping (SimulatedWorld) -> M) -> BrokenRule?
    where M.InputActionType == RuleAction, M.OutputActionType == RuleAction, M.StateType == RuleState {
        #expect(throws: BrokenRule.self) {
            try MiddlewareRules.check(
                seeds: 0..<20,
                actions: PassingRulesTests.actions,
                initialState: RuleState(),
                reducer: counted,
                function: "defect",
                make: make
            )
        }
    }

    @Test("chance from elsewhere, a task outside of the world: the first rule, as the others compare runs")
    func repeatable() throws {
        let chance = try #require(first { _ in Chance() })
        #expect(chance.rule == .repeatable)
        #expect("\(chance)".contains("Two runs of the same world differ"))
        let outside = try #require(first { _ in Outside() })
        #expect(outside.rule == .repeatable)
        #expect("\(outside)".contains("outside of it"))
    }

    @Test("a hasAfterReduce that changes")
    func forms() throws {
        let found = broken { _ in LateAfterReduce() }
        #expect(Set(found.keys) == [.liftAndErasure])
        #expect("\(try #require(found[.liftAndErasure]))".contains("erased to AnyMiddleware"))
    }

    @Test("an urgent action after another one; a wrapper that reverses")
    func order() throws {
        let found = broken { _ in Overtaking() }
        #expect(Set(found.keys) == [.order])
        let text = "\(try #require(found[.order]))"
        #expect(text.contains("but handled before it"))
        #expect(text.contains("MILLRACE_SEED="))
        #expect(Set(brokenByWrapper({ Reversing(base: $0) }).keys) == [.order])
    }

    @Test("an effect that outlives the store")
    func silence() throws {
        let found = broken { Waiting(Waits(world: $0, endsWithOwner: false), hasCanceller: true) }
        #expect(Set(found.keys) == [.silentAfterRelease])
        #expect("\(try #require(found[.silentAfterRelease]))".contains("an effect was not cancelled"))
    }

    @Test("an object that keeps itself; an object that the maker names")
    func release() throws {
        let found = broken { _ in Selfish() }
        #expect(Set(found.keys) == [.released])
        #expect("\(try #require(found[.released]))".contains("the middleware Selfish"))
        let named = broken { world in
            let client = Client()
            client.itself = client
            world.mustRelease(client, "the client")
            return Speaker()
        }
        #expect(Set(named.keys) == [.released])
        #expect("\(try #require(named[.released]))".contains("the client"))
    }

    @Test("effects without a canceller; a wrapper that loses the run of an effect")
    func cancellation() throws {
        let found = broken { Waiting(Waits(world: $0, endsWithOwner: true), hasCanceller: false) }
        #expect(Set(found.keys) == [.cancellation])
        let wrapper = brokenByWrapper({ Runless(base: $0) })
        #expect(Set(wrapper.keys) == [.cancellation])
        #expect("\(try #require(wrapper[.cancellation]))".contains("was cancelled, but its action"))
    }

    @Test("a wrapper that passes no probe on; a middleware that is idle under a probe")
    func probes() throws {
        let wrapper = brokenByWrapper({ Opaque(base: $0) })
        #expect(Set(wrapper.keys) == [.probes])
        #expect("\(try #require(wrapper[.probes]))".contains("but the probe saw 0"))
        #expect(Set(broken { _ in ShyOfProbes() }.keys) == [.probes])
    }

    @Test("a wrapper that keeps the state of handle")
    func state() throws {
        let found = brokenByWrapper({ Remembering(base: $0) })
        #expect(Set(found.keys) == [.state])
        #expect("\(try #require(found[.state]))".contains("In afterReduce of action number 1"))
    }

    /// Keeps what it is given, in a cycle of objects.
    private struct Hoarder: MiddlewareProtocol {
        private final class Store: @unchecked Sendable {
            // Unchecked because it belongs to the world.
            var output: AnyActionHandler<RuleAction>?
            var own: Store?
        }

        private let kept = Store()

        func handle(
            action: RuleAction,
            from dispatcher: ActionSource,
            state: @escaping GetState<RuleState>
        ) -> IO<RuleAction> {
            kept.own = kept
            return IO { [kept] output in kept.output = output }
        }
    }

    @Test("released: a structure whose object keeps an output in a cycle")
    func keptOutput() {
        let found = broken { _ in Hoarder() }
        #expect(Set(found.keys) == [.released])
        #expect(found[.released].map { "\($0)" }?.contains("an output that the middleware was given") == true)
    }

    @Test("released: an effect that never ends")
    func endlessEffect() {
        let found = broken { _ in
            SimpleEffectMiddleware<RuleAction, RuleState>.onAction { action, _, _ in
                guard case .start = action else { return .doNothing }
                return .task { _ in
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                    return .note(1)
                }
            }
        }
        #expect(Set(found.keys) == [.released])
    }

    @Test("without actions there is nothing to check")
    func noActions() {
        let error = #expect(throws: BrokenRule.self) {
            try MiddlewareRules.check(actions: [], initialState: RuleState(), reducer: counted) { _ in Hoarder() }
        }
        #expect(error.map { "\($0)" }?.hasPrefix("The rules cannot be checked: there are no actions") == true)
    }
}
