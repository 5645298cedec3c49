// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting

/// Effects with tokens under every policy, promises whose callback two threads call, and cancels by actions and by threads.
///
/// Token 0 is serial, token 1 has at most two effects at once, token 2 keeps the first, token 3 has promises.
struct Tokens: Scenario {
    enum Action: Sendable {
        case start(token: Int, run: Int)
        case done(run: Int)
        case cancel(token: Int)
    }

    struct Values: Sendable {
        /// The runs of each token that were asked for, in order.
        var asked: [[Int]] = Array(repeating: [], count: 4)
        var begun: Set<Int> = []
        var ended: Set<Int> = []
        /// The runs whose action was not reduced yet when a cancel of their token began.
        var maybeCancelled: Set<Int> = []
        /// The runs that a cancel has certainly ended.
        var cancelled: Set<Int> = []
        /// The runs whose handler for a cancel was called.
        var told: Set<Int> = []
        /// How often the action of a run was reduced.
        var done: [Int: Int] = [:]
        /// The place of the last run of each token that has begun.
        var last: [Int] = [-1, -1, -1, -1]
        var callbacks: [@Sendable () -> Void] = []
    }

    typealias Book = Notebook<Values>

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        let book = Book(Values())
        var random = world.random
        let middleware = effects(world, book)
        let store = ReduxStoreBase<Action, Int>(
            initialState: 0,
            reducer: Reducer.reduce { action, count in
                count += 1
                if case .done(let run) = action { reduced(run, book) }
            },
            middleware: middleware,
            engine: .simulated(in: world),
            capacity: Bool.random(using: &random) ? .unbounded : .bounded(2)
        )
        for producer in 0..<2 {
            let odds = (0..<12).map { _ in Int.random(in: 0..<10, using: &random) }
            world.thread("producer \(producer)") {
                for (number, odd) in odds.enumerated() {
                    store.dispatch(
                        odd < 9 ? .start(token: odd % 4, run: 2 * number + producer) : .cancel(token: number % 3)
                    )
                }
            }
        }
        if Bool.random(using: &random) { addCanceller(world, middleware, book, Int.random(in: 0..<3, using: &random)) }
        for caller in 0..<2 { addCaller(world, book, caller) }
        try book.run(world)
        // The callers may have ended before a promise began.
        for callback in book.now.callbacks { callback() }
        try book.run(world)
        let values = book.now
        for token in [0, 1] {
            for run in values.asked[token] where !values.maybeCancelled.contains(run) {
                try expect(values.done[run] == 1, "an effect that waits begins, and its action is reduced: \(values)")
            }
        }
        for run in values.asked[3] where !values.maybeCancelled.contains(run) {
            try expect(values.done[run] == 1, "a promise is kept once: \(values.done)")
        }
        try expect(middleware.runningEffects == 0, "no effect is left")
        try expect(store.metrics.pending == 0, "nothing is left")
    }

    private static func effects(_ world: SimulatedWorld, _ book: Book) -> EffectMiddleware<Action, Action, Int, Void> {
        let clock = world.clock
        return SimpleEffectMiddleware<Action, Int>.onAction { action, _, _ in
            switch action {
            case .start(let token, let run) where token == 3:
                book.change { $0.asked[3].append(run) }
                return .promise(token: 100 + run) { _, done in
                    // Both callers call it.
                    book.change { values in
                        values.begun.insert(run)
                        values.callbacks.append { done(.done(run: run)) }
                    }
                }
            case .start(let token, let run) where token == 2:
                book.change { $0.asked[2].append(run) }
                return first(run, world, book)
            case .start(let token, let run):
                book.change { $0.asked[token].append(run) }
                return .task(token: token, policy: token == 0 ? .serial : .concurrent(max: 2)) { _ in
                    begins(run, token, book)
                    for _ in 0..<run % 3 { await Task.yield() }
                    if run % 4 == 3 { try? await clock.sleep(for: .milliseconds(run)) }
                    book.change { $0.ended.insert(run) }
                    return .done(run: run)
                }
            case .cancel(let token):
                // Nothing runs between this and the cancel.
                book.change { cancel(token, &$0, isOver: true) }
                return .toCancel(token)
            case .done: return .doNothing
            }
        }
    }

    /// An effect that adds its handler for a cancel late.
    private static func first(_ run: Int, _ world: SimulatedWorld, _ book: Book) -> Effect<Void, Action> {
        Effect(token: 2, policy: .keepFirst) { _, sink in
            begins(run, 2, book)
            world.task("run \(run)") {
                for _ in 0..<run % 3 { await Task.yield() }
                sink.onCancel { book.change { _ = $0.told.insert(run) } }
                for _ in 0..<run % 2 { await Task.yield() }
                book.change { _ = $0.ended.insert(run) }
                sink.send(DispatchedAction(.done(run: run)))
                sink.complete()
                if sink.isCancelled, !book.now.told.contains(run) {
                    book.breaks("the handler of a cancelled effect is called")
                }
            }
        }
    }

    private static func cancel(_ token: Int, _ values: inout Values, isOver: Bool) {
        values.maybeCancelled.formUnion(values.asked[token].filter { values.done[$0] == nil })
        if isOver { values.cancelled.formUnion(values.asked[token].filter { !values.ended.contains($0) }) }
    }

    private static func begins(_ run: Int, _ token: Int, _ book: Book) {
        let broken = book.change { values -> String? in
            values.begun.insert(run)
            if values.cancelled.contains(run) { return "a cancelled effect that has not begun never begins" }
            let others = values.asked[token].filter {
                $0 != run && values.begun.contains($0) && !values.ended.contains($0)
                    && !values.maybeCancelled.contains($0)
            }
            if others.count >= [1, 2, 1][token] {
                return "a policy limits the effects that run: \(run) beside \(others)"
            }
            let order = values.asked[token].firstIndex(of: run) ?? 0
            if token == 0, order <= values.last[0] { return "serial effects begin in order" }
            values.last[token] = order
            return nil
        }
        if let broken { book.breaks(broken) }
    }

    private static func reduced(_ run: Int, _ book: Book) {
        let isLate = book.change { values in
            values.done[run, default: 0] += 1
            return values.cancelled.contains(run)
        }
        if isLate { book.breaks("no action of a cancelled effect is reduced: \(run), \(book.now)") }
        if book.now.done[run] != 1 { book.breaks("an effect with one action sends it once") }
    }

    /// Cancels by calls of the middleware.
    private static func addCanceller(
        _ world: SimulatedWorld,
        _ middleware: EffectMiddleware<Action, Action, Int, Void>,
        _ book: Book,
        _ token: Int
    ) {
        world.thread("canceller") {
            for _ in 0..<4 {
                for _ in 0..<5 { world.pause() }
                let waiting = book.change { values in
                    cancel(token, &values, isOver: false)
                    return values.asked[token].filter { !values.begun.contains($0) }
                }
                middleware.cancel(token)
                book.change { values in values.cancelled.formUnion(waiting.filter { !values.begun.contains($0) }) }
            }
        }
    }

    /// Calls the callbacks of the promises. Two of these threads call each.
    private static func addCaller(_ world: SimulatedWorld, _ book: Book, _ caller: Int) {
        world.thread("caller \(caller)") {
            var next = 0
            for _ in 0..<200 {
                world.pause()
                let waiting = book.now.callbacks
                if next < waiting.count {
                    waiting[next]()
                    next += 1
                }
            }
        }
    }
}
