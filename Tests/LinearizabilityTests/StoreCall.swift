// SPDX-License-Identifier: Apache-2.0

/// An action of the tests. Its number is unique in a history, and below 256.
enum NumberedAction: Sendable, Equatable {
    /// Is appended to the state.
    case append(UInt8)
    /// Is appended to the state, and a middleware dispatches `append(child)` in the IO.
    case spawn(UInt8, child: UInt8)
    /// Starts the effect of a token. Not appended.
    case start(token: Int)

    /// The number that the reducer appends.
    var number: UInt8? {
        switch self {
        case .append(let number), .spawn(let number, _): number
        case .start: nil
        }
    }
}

/// A call to a store, with its result.
enum StoreCall: Sendable, Equatable {
    case dispatch(UInt8)
    case spawn(UInt8, child: UInt8)
    case urgent(UInt8)
    case offer(UInt8, isAccepted: Bool)
    /// An effect of a token sends an action.
    case emit(UInt8, token: Int)
    /// Cancels the effects of a token.
    case cancel(token: Int)
    /// Returned this state.
    case read([UInt8])
    case drain
}

typealias StoreHistory = [Operation<StoreCall>]

/// The options of a store that change what its callers may see.
struct StoreTraits: Sendable {
    enum Pace: Sendable { case everyAction, atTimes, onDemand }

    var pace = Pace.atTimes
    var isInternalFirst = false
    /// The capacity of a bounded store. At most 4, so that a batch is one action.
    var capacity: Int?
    /// Whether a dispatch that finds no room waits. Otherwise its action is dropped.
    var blocks = false
}
