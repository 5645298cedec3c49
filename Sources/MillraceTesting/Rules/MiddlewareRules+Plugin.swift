// SPDX-License-Identifier: Apache-2.0

public import Millrace

extension MiddlewareRules {
    /// Checks the rules for a middleware that is installed as a plugin in a running store, and removed from it.
    ///
    /// ```swift
    /// try MiddlewareRules.checkPlugin(actions: [.sold], initialState: Shop(), reducer: shop) { _ in Audit() }
    /// ```
    ///
    /// The parameters are those of ``check(seeds:except:horizon:order:actions:initialState:reducer:function:make:)``.
    /// Where that check releases the store, this one removes the plugin, and the store goes on.
    ///
    /// - Throws: ``BrokenRule`` for the first rule that does not hold.
    /// - Returns: What was checked.
    @discardableResult
    public static func checkPlugin<M: MiddlewareProtocol>(
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
            let store = ReduxStoreBase(
                initialState: initialState,
                reducer: reducer,
                middleware: RollCall<M.InputActionType, M.StateType>(log),
                engine: .simulated(in: world),
                order: order
            )
            let stage = RuleStage(world, log, store, hasPlugin: true)
            switch form {
            case .alone: install(ObservedMiddleware(middleware, log), in: store, of: world)
            case .lifted: install(ObservedMiddleware(identityLift(middleware), log), in: store, of: world)
            case .erased: install(ObservedMiddleware(AnyMiddleware(middleware), log), in: store, of: world)
            }
            try stage.runWithoutTime()
            return stage
        }
        return try checker.check(seeds: seeds, except: exceptions, rules: rulesOfAll, function: function)
    }

    private static func install<M: MiddlewareProtocol>(
        _ middleware: M,
        in store: ReduxStoreBase<M.InputActionType, M.StateType>,
        of world: SimulatedWorld
    ) where M.InputActionType == M.OutputActionType, M.InputActionType: Sendable, M.StateType: Sendable {
        // Unsafe: the closure of the test has made the middleware for this store alone.
        let install = Unchecked { () async throws -> Void in
            nonisolated(unsafe) let middleware = middleware
            try await store.plugins.install(
                middleware,
                as: RuleStage<M.InputActionType, M.StateType>.pluginName
            )
        }
        world.task("installation of the plugin") { try await install.value() }
    }
}
