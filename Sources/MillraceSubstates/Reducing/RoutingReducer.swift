// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The reducers of a store of substates: each is found by the type of the action, and changes one substate in place.
///
/// ```swift
/// let routes = RoutingReducer()
///     .routing(TasksAction.self, to: Tasks.self, tasksReducer)
///     .routing(FilterAction.self, to: Filter.self) { action, filter in filter = action.filter }
/// ```
///
/// An action type may have several reducers, for the same or for different substates. They run in the order in which
/// they were added. A route gets only actions of exactly its type: a route for a class gets no actions of its
/// subclasses.
///
/// **Cost.** Each action costs one look-up in a hash table, and one more for each of its reducers, however many routes
/// there are. An action allocates nothing while no published state shares the substate.
public struct RoutingReducer: Sendable {
    @usableFromInline typealias Route = @Sendable (AnyActionType, inout StoreState, SubstateErrors) -> Void

    @usableFromInline var routes = TypeTable<Route>()

    /// Creates a reducer without routes.
    public init() {}

    /// Returns a copy of this reducer with one more route, from an action type to a substate type.
    ///
    /// If no substate of this type is registered when the store handles such an action, this route changes nothing, and
    /// the store reports ``SubstateError/missingSubstate(_:action:)``.
    @inlinable
    public func routing<Action: ActionType, Substate: SubstateType>(
        _ action: Action.Type,
        to substate: Substate.Type,
        _ reducer: Reducer<Action, Substate>
    ) -> RoutingReducer {
        let reduce = reducer.reduce
        return adding(action) { action, state, errors in
            guard let place = state.places[ObjectIdentifier(Substate.self)] else {
                return errors.report(.missing(Substate.self, for: Action.self))
            }
            reduce(typed(action), &state.ownedBox(at: place, of: Substate.self).value)
        }
    }

    /// Returns a copy of this reducer with one more route, whose reducer is a closure.
    @inlinable
    public func routing<Action: ActionType, Substate: SubstateType>(
        _ action: Action.Type,
        to substate: Substate.Type,
        _ reduce: @escaping @Sendable (Action, inout Substate) -> Void
    ) -> RoutingReducer {
        routing(action, to: substate, Reducer.reduce(reduce))
    }

    /// Returns a reducer with the reducers of both, those of `lhs` first.
    public static func <> (lhs: RoutingReducer, rhs: RoutingReducer) -> RoutingReducer {
        var both = lhs
        for (type, route) in rhs.routes.all { both.routes.add(route, for: type) }
        return both
    }

    @usableFromInline
    func adding(_ action: any ActionType.Type, _ route: @escaping Route) -> RoutingReducer {
        var more = self
        more.routes.add(route, for: ObjectIdentifier(action))
        return more
    }
}

extension TypeTable<RoutingReducer.Route> {
    /// Adds a route after those of the same type.
    fileprivate mutating func add(_ route: @escaping RoutingReducer.Route, for type: ObjectIdentifier) {
        guard let first = self[type] else { return set(route, for: type) }
        set(
            { action, state, errors in
                first(action, &state, errors)
                route(action, &state, errors)
            },
            for: type
        )
    }
}

/// Returns the type of an action, as the existential stores it.
@inlinable @inline(__always)
func typeID(of action: AnyActionType) -> ObjectIdentifier {
    // Not `type(of:)`, which calls the runtime.
    func open<Actual: ActionType>(_ action: Actual) -> ObjectIdentifier { ObjectIdentifier(Actual.self) }
    return open(action)
}

/// Returns an action as a value of its own type. The caller knows the type, because it has found the route by it.
@inlinable @inline(__always)
func typed<Action: ActionType>(_ action: AnyActionType) -> Action {
    func open<Actual: ActionType>(_ action: Actual) -> Action {
        withUnsafePointer(to: action) { UnsafeRawPointer($0).assumingMemoryBound(to: Action.self).pointee }
    }
    return open(action)
}
