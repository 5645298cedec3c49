// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceInstrumentation
import TestSupport
import Testing

/// A middleware that copies its state, or makes the reducers copy it, is named.
@Suite("Why is it slow: copies", .timeLimit(.minutes(5)))
struct SlownessCopyTests {
    enum Job: Sendable {
        case small
    }

    struct Whole: Sendable {
        var numbers = Array(repeating: 1, count: 100_000)
    }

    /// What the middleware does with its state.
    enum Use: CaseIterable, Sendable {
        case keeps, reads, readsInIO, lends
    }

    struct Part: MiddlewareProtocol {
        let use: Use
        let kept = Shared<[Int]>([])
        var reader: StateReader<[Int]>?

        mutating func bind(_ binding: MiddlewareBinding<Job, [Int]>) {
            reader = binding.state
        }

        func handle(action: Job, from dispatcher: ActionSource, state: @escaping GetState<[Int]>) -> IO<Job> {
            switch use {
            case .keeps: kept.value = state()
            case .reads: kept.value = [state().count]
            case .readsInIO: return IO { [kept] _ in kept.value = [state().count] }
            case .lends: kept.value = [reader?.withState { $0.count } ?? 0]
            }
            return .pure()
        }
    }

    /// How the middleware is named, and how it gets its part.
    enum Form: CaseIterable, Sendable {
        case namedInside, namedOutside, erasedPart, notLifted, erased
    }

    /// Returns the findings for a store with this middleware, beside one that has a name and reads nothing.
    ///
    /// - Parameter actions: A copy takes 50 µs. So many take longer than a thread waits for a processor in another stage.
    private func findings<M: MiddlewareProtocol<Job, Job, Whole>>(
        _ middleware: sending M,
        actions: Int = 2_000
    ) async throws -> [String] {
        let store = ReduxStoreBase<Job, Whole>(
            initialState: Whole(),
            reducer: .reduce { _, state in state.numbers[0] += 1 },
            middleware: middleware,
            engine: .caller,
            publication: .onDemand
        )
        let instrumentation = Instrumentation(store)
        for _ in 0..<actions { store.dispatch(.small) }
        return SlownessReport(await instrumentation.snapshot()).findings.map { "\($0.text) \($0.hint)" }
    }

    private func findings(_ use: Use, _ form: Form, _ part: @escaping @Sendable (Whole) -> [Int]) async throws
        -> [String]
    {
        let other = AnyMiddleware<Job, Job, Whole> { _, _, _ in .pure() }.named("other middleware")
        // A lift that computes its part takes milliseconds.
        let actions = use == .keeps ? 2_000 : 100
        switch form {
        case .namedInside:
            return try await findings(other <> Part(use: use).named("part").lift(state: part), actions: actions)
        case .namedOutside:
            return try await findings(other <> Part(use: use).lift(state: part).named("part"), actions: actions)
        case .erasedPart:
            return try await findings(
                other <> AnyMiddleware(Part(use: use)).lift(state: part).named("part"),
                actions: actions
            )
        case .notLifted:
            return try await findings(
                other <> Unlifted(part: Part(use: use), map: part).named("part"),
                actions: actions
            )
        case .erased:
            return try await findings(
                other <> AnyMiddleware(Unlifted(part: Part(use: use), map: part)).named("part"),
                actions: actions
            )
        }
    }

    /// Uses the global state as a `Part` uses its own.
    private struct Unlifted: MiddlewareProtocol {
        let part: Part
        let map: @Sendable (Whole) -> [Int]

        func handle(action: Job, from dispatcher: ActionSource, state: @escaping GetState<Whole>) -> IO<Job> {
            part.handle(action: action, from: dispatcher) { map(state()) }
        }
    }

    @Test("a middleware that keeps its state is named, as the reducers must copy it", arguments: Form.allCases)
    func keeps(form: Form) async throws {
        let findings = try await findings(.keeps, form) { $0.numbers }
        let finding = try #require(findings.first { $0.contains("the reducers") })
        #expect(
            finding.contains(
                "a copy that the middleware part causes if it keeps its state, or the reducers' own work"
            ),
            "\(finding)"
        )
        #expect(
            finding.contains(
                "Before the reducers, the middleware part got a copy of its state in 100 % of the actions."
            )
        )
        #expect(finding.contains("See whether the middleware part still holds what `state()` gave it"))
    }

    @Test("if several middlewares got copies, each of them is named")
    func severalKeep() async throws {
        let middleware =
            Part(use: .keeps).lift(state: \Whole.numbers).named("first")
            <> Part(use: .keeps).lift(state: \Whole.numbers).named("second")
        let finding = try #require(await findings(middleware).first { $0.contains("the reducers") })
        #expect(
            finding.contains("a copy that one of the middlewares first, second causes if it keeps"),
            "\(finding)"
        )
        #expect(
            finding.contains(
                """
                Before the reducers, middlewares got copies of their states: first in 100 % of the actions, second in 100 % of \
                the actions.
                """
            ),
            "\(finding)"
        )
    }

    @Test(
        "a middleware whose lift computes its state is named, with its copies",
        arguments: [Form.namedInside, .namedOutside]
    )
    func computes(form: Form) async throws {
        let findings = try await findings(.reads, form) { $0.numbers.map { $0 &+ 1 } }
        // On a busy machine another stage may be the first finding, which begins with other words.
        let finding = try #require(
            findings.first { $0.contains("the middleware part") && !$0.contains("the reducers") }
        )
        #expect(
            finding.contains("In `handle`, the middleware part got a copy of its state in 100 % of the actions."),
            "\(finding)"
        )
        #expect(finding.contains("If its lift computes the state by a closure, each `state()` computes it again"))
    }

    @Test("a middleware whose IO reads a computed state is named with the effects", arguments: Form.allCases)
    func computesInIO(form: Form) async throws {
        let findings = try await findings(.readsInIO, form) { $0.numbers.map { $0 &+ 1 } }
        let finding = try #require(findings.first { $0.contains("the IOs, which start the effects, and afterReduce") })
        #expect(
            finding.contains("In an IO, the middleware part got a copy of its state in 100 % of the actions."),
            "\(finding)"
        )
        #expect(finding.contains("If the lift of the middleware part computes the state by a closure"))
    }

    @Test("a middleware to which the state is lent is not named", arguments: [Form.namedInside, .namedOutside])
    func lends(form: Form) async throws {
        let findings = try await findings(.lends, form) { $0.numbers.map { $0 &+ 1 } }
        #expect(!findings.contains { $0.contains("got a copy") || $0.contains("a copy that the middleware") })
    }

    /// Reads the state twice, and keeps its getter.
    private struct Collecting: MiddlewareProtocol {
        let getters: Shared<[GetState<Whole>]>

        func handle(action: Job, from dispatcher: ActionSource, state: @escaping GetState<Whole>) -> IO<Job> {
            getters.value.append(state)
            _ = (state(), state())
            return .pure()
        }
    }

    @Test(
        "copies are counted in the first 16 actions, then in one of 509, once an action, and on the pipeline's thread only"
    )
    func counts() async throws {
        let getters = Shared<[GetState<Whole>]>([])
        let store = ReduxStoreBase<Job, Whole>(
            initialState: Whole(),
            reducer: .reduce { _, state in state.numbers[0] += 1 },
            middleware: Collecting(getters: getters).named("part"),
            engine: .caller,
            publication: .onDemand
        )
        let instrumentation = Instrumentation(store)
        for _ in 0..<600 { store.dispatch(.small) }
        // Kept getters, after their actions: nobody is in an action.
        for getter in getters.value { _ = getter() }
        let stage = await instrumentation.snapshot().stages.first { $0.name == "part" }
        #expect(stage?.copies == StateCopies(actions: 17, beforeReducers: 17, afterReducers: 0))
        let merged = InstrumentationSnapshot.merging(
            [await instrumentation.snapshot(), await instrumentation.snapshot()],
            label: "both"
        )
        #expect(
            merged.stages.first { $0.name == "part" }?.copies
                == StateCopies(actions: 34, beforeReducers: 34, afterReducers: 0)
        )
        // After a reading, again the first 16.
        for _ in 0..<20 { store.dispatch(.small) }
        let later = await instrumentation.snapshot().stages.first { $0.name == "part" }
        #expect(later?.copies == StateCopies(actions: 33, beforeReducers: 33, afterReducers: 0))
    }
}
