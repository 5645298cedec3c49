// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Finds the part of an action in the whole state, as a lift does.
protocol PartSearch: Sendable {
    /// Returns the count of the part; nil if the action is not for it.
    static func count(of action: PartAction, in state: borrowing PartState) -> Int?
}

/// The searches of the lifts.
enum PartSearches {
    enum Number: PartSearch {
        static func count(of action: PartAction, in state: borrowing PartState) -> Int? {
            action.number == nil ? nil : state.count
        }
    }

    enum ID: PartSearch {
        static func count(of action: PartAction, in state: borrowing PartState) -> Int? {
            action.element.flatMap { state.elements[id: $0.id]?.count }
        }
    }

    enum Key: PartSearch {
        static func count(of action: PartAction, in state: borrowing PartState) -> Int? {
            action.element.flatMap { state.values[$0.id]?.count }
        }
    }

    enum Optional: PartSearch {
        static func count(of action: PartAction, in state: borrowing PartState) -> Int? {
            action.number == nil ? nil : state.optional?.count
        }
    }
}

/// A middleware that is not lifted, and reads the part of each action itself.
struct PartSearcher<Search: PartSearch>: PartReader {
    var reader: StateReader<PartState>?

    func handle(
        action: PartAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<PartState>
    ) -> IO<PartAction> {
        if reader?.withState({ Search.count(of: action, in: $0) }) == .min { return PartMiddleware.stop(action) }
        return .pure()
    }
}
