// SPDX-License-Identifier: Apache-2.0

/// A handler that accepts urgent actions: a store. ``AnyActionHandler`` then passes them on as urgent ones.
@usableFromInline
package protocol UrgentHandler: ActionHandler {
    /// Makes a sink that keeps the handler, and passes the actions of both kinds to it.
    func makeSink() -> ActionSink<ActionType>
}

extension UrgentHandler {
    /// The sink if its actions have this type. A cast to a protocol with a given action type would need a newer runtime
    /// on Apple's systems.
    @usableFromInline
    package func sink<Action>(of type: Action.Type) -> ActionSink<Action>? { makeSink() as? ActionSink<Action> }
}
