// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceEffects
import TestSupport
import Testing

/// What effects see of the task that dispatches, or of the effect that they wait for: nothing.
@Suite("Effect: priority and task-locals", .timeLimit(.minutes(5)))
struct EffectContextTests {
    enum Trace {
        @TaskLocal static var id: String?
    }

    struct Seen: Equatable, Sendable {
        var trace: String?
        var priority: TaskPriority?
        var isCancelled = false

        /// What the code that calls this sees.
        static func here() -> Seen {
            Seen(
                trace: Trace.id,
                priority: withUnsafeCurrentTask { $0?.priority },
                isCancelled: withUnsafeCurrentTask { $0?.isCancelled ?? false }
            )
        }
    }

    /// Effects in whose bodies there is a task, of which the priority is known.
    enum InTask: CaseIterable, Sendable {
        case task, failing, retried, stream, delayed, debounced, throttled, timeout, timedOut, serial, second, inGroup
        case merged, mapped, concatenated, supervised
    }

    /// Effects whose bodies are called synchronously.
    enum Synchronous: CaseIterable, Sendable {
        case body, withToken, promise, fireAndForget, just, mapped, merged, timeout, serial, ownTask
    }

    static let engines: [StoreEngine] = [
        .thread(name: "effects"), .caller, .queue(DispatchQueue(label: "effects")), .main,
    ]

    private let seen = Recorder<Seen>()

    private func effect(_ kind: InTask) -> Effect<Void, Int> {
        let note: @Sendable () -> Void = { [seen] in seen.record(.here()) }
        let plain = Effect<Void, Int>.task { _ in
            note()
            return nil
        }
        switch kind {
        case .task: return plain
        case .failing:
            return .task { _ in
                note()
                throw CancellationError()
            } catchErrors: { _ in
                nil
            }
        case .retried:
            let isFirst = Shared(true)
            return .task(retry: .exponential(retries: 1, initial: .nanoseconds(1))) { _ in
                if isFirst.value {
                    isFirst.value = false
                    throw CancellationError()
                }
                note()
                return nil
            } catchErrors: { _ in
                nil
            }
        case .stream:
            return .stream { _ in
                note()
                return AsyncStream<Int> { $0.finish() }
            }
        case .delayed: return plain.delay(for: .nanoseconds(1))
        case .debounced: return Effect<Void, Int>.fireAndForget(note).debounce(for: .nanoseconds(1), token: "t")
        case .throttled:
            // The clock stands still until the second waits for the end of the interval, however slow the machine is.
            let clock = ManualClock()
            let throttled = Effect<Void, Int>.fireAndForget(note).throttle(for: .seconds(1), token: "t", clock: clock)
            let first = Effect<Void, Int>.fireAndForget {}.throttle(for: .seconds(1), token: "t", clock: clock)
            let advance = Effect<Void, Int>.fireAndForget { clock.advance(by: .seconds(2)) }
            return .merge(first, throttled, advance)
        case .timeout: return plain.timeout(after: .seconds(60))
        case .timedOut:
            return Effect<Void, Int> { _, _ in }.timeout(after: .nanoseconds(1)) {
                note()
                return nil
            }
        case .serial, .second:
            let first = Effect<Void, Int>.task(token: "s", policy: .serial, priority: .background) { _ in
                await Trace.$id.withValue("first") { await Task.yield() }
                return nil
            }
            return .merge(first, plain.withToken("s", policy: kind == .serial ? .serial : .concurrent(max: 1)))
        case .inGroup:
            return .task { _ in
                await withTaskGroup { group in group.addTask { note() } }
                return nil
            }
        case .merged: return .merge(plain, .doNothing, .just(0))
        case .mapped: return plain.map { $0 }
        case .concatenated: return .concat(.task(priority: .background) { _ in nil }, plain)
        case .supervised: return .doNothing
        }
    }

    private func effect(_ kind: Synchronous) -> Effect<Void, Int> {
        let note: @Sendable () -> Void = { [seen] in
            var here = Seen.here()
            // Outside of tasks there is none, within it is the one of the effects.
            here.priority = nil
            seen.record(here)
        }
        let plain = Effect<Void, Int> { _, sink in
            note()
            sink.complete()
        }
        switch kind {
        case .body: return plain
        case .withToken:
            return Effect(token: "t") { _, sink in
                note()
                sink.complete()
            }
        case .promise:
            return .promise(token: "t") { _, done in
                note()
                done(0)
            }
        case .fireAndForget: return .fireAndForget(note)
        case .just:
            return .just { _ in
                note()
                return 0
            }
        case .mapped: return plain.map { $0 }
        case .merged: return .merge(.just(0), plain)
        case .timeout: return plain.timeout(after: .seconds(60))
        case .serial:
            let first = Effect<Void, Int> { _, sink in
                Task.detached(priority: .background) { Trace.$id.withValue("first") { sink.complete() } }
            }
            return .merge(first.withToken("s", policy: .serial), plain.withToken("s", policy: .serial))
        case .ownTask:
            return Effect { _, sink in
                Task {
                    note()
                    sink.complete()
                }
            }
        }
    }

    /// Dispatches in a cancelled task of low priority that has a task-local, and waits for what is seen.
    private func dispatch<M: MiddlewareProtocol & Sendable>(_ engine: StoreEngine, _ middleware: M) async -> Seen?
    where M.InputActionType == Int, M.OutputActionType == Int, M.StateType == Int {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, state in state += action },
            middleware: middleware,
            engine: engine
        )
        let stranger: @Sendable () async -> Void = {
            withUnsafeCurrentTask { $0?.cancel() }
            Trace.$id.withValue("stranger") { store.dispatch(1) }
        }
        if engine == .main {
            await Task(priority: .background) { @MainActor in await stranger() }.value
        } else {
            await Task.detached(priority: .background) { await stranger() }.value
        }
        #expect(await eventually { seen.count == 1 })
        return seen.all.first
    }

    @Test("a task of an effect has the priority of the options, and no task-locals", arguments: InTask.allCases, 0..<4)
    func inTask(kind: InTask, engine: Int) async {
        let options = EffectOptions(priority: .utility)
        let effect = effect(kind)
        let here: Seen?
        if kind == .supervised {
            let supervised = Self.self.supervised(options, effect: self.effect(.task))
            here = await dispatch(Self.engines[engine], supervised)
        } else {
            let middleware = SimpleEffectMiddleware<Int, Int>.onAction(options: options) { action, _, _ in
                action == 1 ? effect : .doNothing
            }
            here = await dispatch(Self.engines[engine], middleware)
        }
        #expect(here == Seen(trace: nil, priority: .utility))
    }

    private static func supervised(
        _ options: EffectOptions,
        effect: Effect<Void, Int>
    ) -> SupervisingMiddleware<Int, Int, Int, Void> {
        EffectMiddleware<Int, Int, Int, Void>.supervise(options: options) { _ in [SupervisedEffect("a", effect)] }
    }

    @Test("a priority that an effect names is that of its task, also of one that waits for its turn")
    func named() async {
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { [seen] action, _, _ in
            guard action == 1 else { return .doNothing }
            return .merge(
                .task(token: "s", policy: .serial, priority: .background) { _ in nil },
                .task(token: "s", policy: .serial, priority: .high) { _ in
                    seen.record(.here())
                    return nil
                }
            )
        }
        #expect(await dispatch(.thread(), middleware) == Seen(trace: nil, priority: .high))
    }

    @Test("a body that is called synchronously sees nothing of the task", arguments: Synchronous.allCases, 0..<4)
    func synchronous(kind: Synchronous, engine: Int) async {
        let effect = effect(kind)
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            action == 1 ? effect : .doNothing
        }
        #expect(await dispatch(Self.engines[engine], middleware) == Seen())
    }
}
