// SPDX-License-Identifier: Apache-2.0

/// What an object may do when one call follows the other: the reference for ``LinearizabilityChecker``.
///
/// An operation takes effect at one moment between its call and its return, or at several moments, one after the other: its
/// *parts*. Between the parts of all operations the object may make steps of its own, which no caller orders.
protocol SequentialSpecification {
    associatedtype Call: Sendable
    associatedtype State: Hashable

    var initial: State { get }

    /// The number of parts of a call, at least 1.
    func parts(of call: Call) -> Int

    /// Returns the state after a part of a call of a thread; nil if the call cannot have this effect and result in this state.
    func apply(_ call: Call, part: Int, thread: Int, to state: State) -> State?

    /// Calls `body` with each state that one step of the object itself can lead to.
    func ownSteps(from state: State, _ body: (State) -> Void)

    /// Whether the object may be in this state when all calls have returned.
    func isFinal(_ state: State) -> Bool
}

/// A call of one thread, with the times of its beginning and its end.
///
/// The times are numbers of a shared counter. A call happened before another one if it ended before the other began.
struct Operation<Call: Sendable>: Sendable {
    var thread: Int
    var call: Call
    var began: Int
    var ended: Int
}
