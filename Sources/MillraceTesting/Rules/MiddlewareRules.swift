// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// Checks the rules that every middleware obeys, under many schedules of a simulated world.
///
/// ```swift
/// @Test func loaderObeysTheRules() throws {
///     try MiddlewareRules.check(actions: [.load(1), .cancel, .load(2)], initialState: AppState(), reducer: appReducer) { world in
///         Loader(clock: world.clock)
///     }
/// }
/// ```
///
/// For the first rule that does not hold, the check throws a ``BrokenRule``. It has the rule in words, what happened,
/// the shortest schedule that was found, and the command that runs it again. ``MiddlewareRule`` lists the rules.
///
/// **How it runs.** For each rule and each seed, the check makes a store with the middleware in a ``SimulatedWorld``; a
/// rule that compares runs makes two or three. Two threads and a series of timers dispatch the actions. The world runs
/// until nothing is left to do, and at most for `horizon`. The check compares actions by their descriptions, so
/// different actions need different descriptions.
///
/// **Limits.** The rules say nothing about what the middleware is for: test that with a `TestStore`. A rule that holds
/// under these schedules and inputs may be broken under others, so choose actions that start everything that the
/// middleware can do.
///
/// **Threads.** Use it from one thread at a time; a call blocks until it has run all schedules. **Cost.** A schedule
/// costs a few milliseconds in a debug build. There are seven rules, and eight for a wrapper.
public enum MiddlewareRules {
    /// Checks the rules for a middleware.
    ///
    /// - Parameters:
    ///   - seeds: The seeds of the worlds. Each rule is checked with each of them.
    ///   - exceptions: The rules that are not checked.
    ///   - horizon: How long a run goes on at most, in the time of its world. Shorten it for effects that never end by
    ///     themselves.
    ///   - order: Where the stores put the actions that they dispatch themselves. Use the order of the app's store.
    ///   - actions: The actions that are dispatched to the store. At least one.
    ///   - initialState: The state before the first action.
    ///   - reducer: The reducer of the store.
    ///   - function: The name of the test, for the command.
    ///   - make: The closure that makes the middleware. It is called for each store. The middlewares that it makes must
    ///     not share anything that changes. Name objects that must be released with `world.mustRelease`.
    /// - Throws: ``BrokenRule`` for the first rule that does not hold.
    /// - Returns: What was checked.
    @discardableResult
    public static func check<M: MiddlewareProtocol>(
        seeds: Range<UInt64> = 0..<100,
        except exceptions: Set<MiddlewareRule> = [],
        horizon: Duration = .seconds(60),
        order: ActionOrder = .fifo,
        actions: [M.InputActionType],
        initialState: M.StateType,
        reducer: Reducer<M.InputActionType, M.StateType>,
        function: String = #function,
        make: @escaping (SimulatedWorld) -> M
    ) throws(BrokenRule) -> RulesReport
    where M.InputActionType == M.OutputActionType, M.InputActionType: Sendable, M.StateType: Sendable {
        let checker = RuleChecker<M.InputActionType, M.StateType>(actions: actions, horizon: horizon) { world, form in
            let log = RuleLog()
            let middleware = make(world)
            watch(middleware, in: world)
            return stage(middleware, form, world, log, initialState, reducer, order)
        }
        return try checker.check(seeds: seeds, except: exceptions, rules: rulesOfAll, function: function)
    }

    /// The rules that make sense for every middleware.
    static var rulesOfAll: [MiddlewareRule] { MiddlewareRule.allCases.filter { $0 != .state } }

    /// Makes a store of a middleware in one of its forms.
    static func stage<M: MiddlewareProtocol>(
        _ middleware: M,
        _ form: RuleForm,
        _ world: SimulatedWorld,
        _ log: RuleLog,
        _ initialState: M.StateType,
        _ reducer: Reducer<M.InputActionType, M.StateType>,
        _ order: ActionOrder
    ) -> RuleStage<M.InputActionType, M.StateType>
    where M.InputActionType == M.OutputActionType, M.InputActionType: Sendable, M.StateType: Sendable {
        switch form {
        case .alone: stage(ObservedMiddleware(middleware, log), world, log, initialState, reducer, order)
        case .lifted:
            stage(ObservedMiddleware(identityLift(middleware), log), world, log, initialState, reducer, order)
        case .erased:
            stage(ObservedMiddleware(AnyMiddleware(middleware), log), world, log, initialState, reducer, order)
        }
    }

    /// Lifts a middleware by functions that change nothing.
    static func identityLift<M: MiddlewareProtocol>(
        _ middleware: M
    ) -> LiftMiddleware<M.InputActionType, M.OutputActionType, M.StateType, M> {
        middleware.lift(inputAction: { $0 }, outputAction: { $0 }, state: { $0 })
    }

    private static func stage<M: MiddlewareProtocol>(
        _ middleware: ObservedMiddleware<M>,
        _ world: SimulatedWorld,
        _ log: RuleLog,
        _ initialState: M.StateType,
        _ reducer: Reducer<M.InputActionType, M.StateType>,
        _ order: ActionOrder
    ) -> RuleStage<M.InputActionType, M.StateType>
    where M.InputActionType == M.OutputActionType, M.InputActionType: Sendable, M.StateType: Sendable {
        // Unsafe: the closure of the test has made the middleware for this store alone.
        nonisolated(unsafe) let whole = RollCall<M.InputActionType, M.StateType>(log) <> middleware
        let store = ReduxStoreBase(
            initialState: initialState,
            reducer: reducer,
            middleware: whole,
            engine: .simulated(in: world),
            order: order
        )
        return RuleStage(world, log, store)
    }

    /// If the middleware is an object, notes that it must be released.
    static func watch<M: MiddlewareProtocol>(_ middleware: M, in world: SimulatedWorld) {
        guard M.self is AnyObject.Type else { return }
        world.mustRelease(middleware as AnyObject, "the middleware \(M.self)")
    }
}
