// SPDX-License-Identifier: Apache-2.0

extension SubstateStore {
    /// The actions that the store handles itself, as RxState 0.6 spells them: `Store.Action.reset`.
    public typealias Action = StoreAction
}

extension SubstateStore: CustomStringConvertible {
    /// One line for a log: the engine, the capacity and the metrics. It does not read the state.
    public var description: String { "SubstateStore on \(base)" }
}

/// RxState's name of the store.
public typealias Store = SubstateStore
