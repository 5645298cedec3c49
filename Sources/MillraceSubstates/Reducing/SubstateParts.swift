// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceEffects

/// The reducer and the effects of a store of substates, for stores that you make yourself: a `TestStore` or a
/// `ReduxStoreBase`.
///
/// ```swift
/// let parts = SubstateParts(reducer: routes)
/// let test = TestStore(
///     initialState: StateLastAction(currentState: [Tasks()]),
///     reducer: parts.reducer,
///     middleware: parts.effects,
///     stateEquating: StateLastAction.haveEqualStates
/// )
/// let store = SubstateStore(test.store, parts: parts)
/// ```
///
/// Give each store its own parts: the effects and the errors belong to one store.
public struct SubstateParts: Sendable {
    /// Changes the substates, and stores the last action.
    public let reducer: Reducer<AnyActionType, StateLastAction>
    /// Reads the streams of actions that were dispatched.
    public let effects: SimpleEffectMiddleware<AnyActionType, StateLastAction>
    /// Counts and reports the errors.
    public let errors: SubstateErrors

    /// Creates the parts of one store.
    ///
    /// - Parameters:
    ///   - routes: The reducers by types.
    ///   - mainReducer: The reducer for the actions that have no route. If nil, such an action is reported as an error.
    ///   - options: The options of the effects: their clock, capacity, priority and observer.
    ///   - onError: Called with each error, on the pipeline's thread or in the task of a stream of actions. It must not
    ///     read the state of the store. If nil, the first error is written to standard error.
    public init(
        reducer routes: RoutingReducer = RoutingReducer(),
        mainReducer: MainReducer? = nil,
        options: EffectOptions = EffectOptions(),
        onError: (@Sendable (SubstateError) -> Void)? = nil
    ) {
        let errors = SubstateErrors(onError)
        let routes = routes.routes
        self.errors = errors
        reducer = .reduce { action, pair in
            Self.reduce(action, &pair.currentState, routes, mainReducer, errors)
            pair.lastAction = action
            // The type is compared first, because a cast takes longer.
            if typeID(of: action) == ObjectIdentifier(RunActions.self) {
                pair.lastAction = Self.withoutStream(action)
            }
        }
        effects = .onAction(options: options) { action, _, _ in
            // The type is compared first, as above.
            guard typeID(of: action) == ObjectIdentifier(RunActions.self), let run = action as? RunActions else {
                return .doNothing
            }
            return run.effect
        }
    }

    /// Returns the action as the state keeps it: a `RunActions` without its stream, because the stream may keep the
    /// store.
    @inline(never)
    private static func withoutStream(_ action: AnyActionType) -> AnyActionType {
        (action as? RunActions).map { RunActions($0.name, .doNothing) } ?? action
    }

    private static func reduce(
        _ action: AnyActionType,
        _ state: inout StoreState,
        _ routes: TypeTable<RoutingReducer.Route>,
        _ mainReducer: MainReducer?,
        _ errors: SubstateErrors
    ) {
        let type = typeID(of: action)
        // This runs before the routes of the app, so that they find the substates registered.
        if type == ObjectIdentifier(StoreAction.self) { (action as? StoreAction)?.reduce(&state) }
        if let route = routes[type] { return route(action, &state, errors) }
        if type == ObjectIdentifier(StoreAction.self) || type == ObjectIdentifier(RunActions.self) { return }
        guard let mainReducer else { return errors.report(.unknown(action)) }
        do {
            state = try mainReducer(state, action)
        } catch let error as SubstateError {
            errors.report(error)
        } catch {
            errors.report(
                .mainReducerFailed(action: String(reflecting: Swift.type(of: action)), error: String(describing: error))
            )
        }
    }
}
