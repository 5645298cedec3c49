// SPDX-License-Identifier: Apache-2.0

import MillraceEffects

/// The action by which a store begins to read a stream of actions: what `dispatch(actionsOf:)` dispatches.
///
/// It is an action like any other. A log shows it, and it is the cause of the actions of the stream. It is the last
/// action until the store handles another one.
public struct RunActions: ActionType, CustomStringConvertible {
    /// The name of the stream's type.
    public let name: String
    /// The effect that reads the stream.
    let effect: Effect<Void, AnyActionType>

    init(_ name: String, _ effect: Effect<Void, AnyActionType>) {
        self.name = name
        self.effect = effect
    }

    /// The name of the stream's type: `RunActions(ActionStream)`.
    public var description: String { "RunActions(\(name))" }
}
