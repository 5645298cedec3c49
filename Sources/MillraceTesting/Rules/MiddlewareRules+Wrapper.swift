// SPDX-License-Identifier: Apache-2.0

public import Millrace

extension MiddlewareRules {
    /// Checks the rules for a wrapper: a middleware that holds another one.
    ///
    /// ```swift
    /// try MiddlewareRules.check(wrapper: { $0.traced() })
    /// ```
    ///
    /// The middleware inside is a ``RuleSubject``. It runs effects with tokens, dispatches several actions at once, has
    /// a name, and checks the state that it reads. So all rules of ``MiddlewareRule`` are checked, also those that
    /// concern a wrapper only.
    ///
    /// - Parameters:
    ///   - seeds: The seeds of the worlds. Each rule is checked with each of them.
    ///   - exceptions: The rules that are not checked.
    ///   - horizon: How long a run goes on at most, in the time of its world. Shorten it for effects that never end by
    ///     themselves.
    ///   - order: Where the stores put the actions that they dispatch themselves. Use the order of the app's store.
    ///   - function: The name of the test, for the command.
    ///   - wrapper: The closure that makes the wrapper. It is called for each store. A wrapper may filter actions, and
    ///     dispatch actions of its own.
    /// - Throws: ``BrokenRule`` for the first rule that does not hold.
    /// - Returns: What was checked.
    @discardableResult
    public static func check<M: MiddlewareProtocol>(
        seeds: Range<UInt64> = 0..<100,
        except exceptions: Set<MiddlewareRule> = [],
        horizon: Duration = .seconds(60),
        order: ActionOrder = .fifo,
        function: String = #function,
        wrapper: @escaping (RuleSubject) -> M
    ) throws(BrokenRule) -> RulesReport
    where M.InputActionType == RuleAction, M.OutputActionType == RuleAction, M.StateType == RuleState {
        let checker = RuleChecker<RuleAction, RuleState>(
            actions: RuleSubject.actions,
            innerName: RuleSubject.name,
            horizon: horizon
        ) { world, form in
            // The middleware inside and the wrapper share one log: an action that passes both is noted inside, and
            // counts once.
            let log = RuleLog()
            let middleware = wrapper(RuleSubject(world, log))
            watch(middleware, in: world)
            return stage(middleware, form, world, log, RuleState(), RuleSubject.reducer, order)
        }
        return try checker.check(seeds: seeds, except: exceptions, rules: MiddlewareRule.allCases, function: function)
    }
}
