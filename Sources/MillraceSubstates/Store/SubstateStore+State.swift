// SPDX-License-Identifier: Apache-2.0

import Millrace

// Properties that return the state at one moment: on the pipeline's thread the live state, on other threads the state
// published last.
extension SubstateStore {
    /// The substates and the action that was handled last, as one value.
    public var currentStateLastAction: StateLastAction { base.state }

    /// The substates.
    public var currentState: StoreState { base.withState { $0.currentState } }

    /// The action that was handled last; nil if there was none.
    public var lastAction: AnyActionType? { base.withState { $0.lastAction } }

    /// Returns the substate of a type, the first one if there are several.
    ///
    /// - Throws: ``SubstateError/missingSubstate(_:action:)`` if there is none.
    public func substate<Substate: SubstateType>(_ type: Substate.Type = Substate.self) throws(SubstateError)
        -> Substate
    {
        try currentState.substate(type)
    }

    /// Returns the state after a store action, as the store makes it: RxState's `Store.reduce`.
    public static func reduce(state: StoreState, action: StoreAction) -> StoreState {
        var state = state
        action.reduce(&state)
        return state
    }
}

/// Streams of the values now and later. All are made from one stream of pairs, so they never contradict each other.
extension SubstateStore {
    /// The substates and the last action: the pair now, then one after every action, also if the substates have not
    /// changed.
    public var stateLastAction: StoreStream<StateLastAction> {
        StoreStream(store: WeakStore(base), makeStep: { { $0 } })
    }

    /// The substates now, then after every action, also if they have not changed.
    public var state: StoreStream<StoreState> { stateLastAction.map(\.currentState) }

    /// The last action, then every action as it was handled. It begins with nil if there was none.
    public var lastDispatchedAction: StoreStream<AnyActionType?> { stateLastAction.map(\.lastAction) }

    /// The same stream, under its name in RxState 0.6.
    @available(*, deprecated, renamed: "lastDispatchedAction")
    public var lastDispatchedaAtion: StoreStream<AnyActionType?> { lastDispatchedAction }

    /// The substate of a type now, then each time that a reducer was called with it. Nothing comes while no substate of
    /// the type is registered.
    ///
    /// After a ``StoreAction/reset`` the next value comes when a substate of the type is registered again.
    public func states<Substate: SubstateType>(of type: Substate.Type) -> StoreStream<Substate> {
        boxes(of: type).map { $0.value }
    }

    /// The substate of a type now, then each time that it is not equal to the previous one. Nothing comes while no
    /// substate of the type is registered.
    public func states<Substate: SubstateType & Equatable>(of type: Substate.Type) -> StoreStream<Substate> {
        // Most actions leave the box as it is: then the substates are not compared.
        boxes(of: type).map { $0.value }.removeDuplicates()
    }

    private func boxes<Substate: SubstateType>(of type: Substate.Type) -> StoreStream<SharedBox<Substate>> {
        stateLastAction
            .compactMap { pair in pair.currentState.box(of: type).map(SharedBox.init) }
            .removeDuplicates { $0.box === $1.box }
    }
}

/// A box of a published state. Nothing changes it any more.
private struct SharedBox<Substate: SubstateType>: @unchecked Sendable {
    // Unchecked because a box that two states hold is never changed.
    let box: SubstateBox<Substate>

    var value: Substate { box.value }
}
