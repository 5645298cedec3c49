// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// Watches the actions of one store as the drain loop handles them.
///
/// The loop is generic over its watcher and compiled for each of them. A call that a watcher leaves to its default is
/// removed by the compiler, so a store without a watcher runs none of this.
///
/// All calls come on the consumer's thread, in this order for each action: ``takeUp(_:_:depth:)``,
/// ``handle(_:_:_:_:)``, the stages, ``holds(_:_:)`` if there is an IO to run, ``actionEnded()``.
@usableFromInline
package protocol PipelineWatcher {
    /// Whether this is the watcher of a store that has none: then the loop leaves a sampled action to the store's probe.
    static var isNone: Bool { get }

    /// The consumer takes up an action. Revoked and dropped actions are not taken up.
    ///
    /// - Parameter depth: Counts the slots that wait. It reads memory of the producers, so call it rarely.
    mutating func takeUp<Action>(_ action: UnsafePointer<Action>, _ taken: TakenAction, depth: () -> Int)

    /// Calls `handle` of the middlewares.
    mutating func handle<M: MiddlewareProtocol>(
        _ middleware: M,
        _ action: M.InputActionType,
        _ source: borrowing Borrowed<ActionSource>,
        _ state: @escaping GetState<M.StateType>
    ) -> IO<M.OutputActionType>

    /// A stage of the action begins.
    mutating func stageBegan(_ stage: PipelineStage)

    /// The stage ends.
    mutating func stageEnded(_ stage: PipelineStage)

    /// Returns true if the watcher keeps the IO and runs it later: then the loop does not run it.
    mutating func holds<Action>(_ io: IO<Action>, _ output: borrowing Borrowed<AnyActionHandler<Action>>) -> Bool

    /// The action is finished; its slot is still whole.
    mutating func actionEnded()
}

/// An action that the consumer has taken up.
@usableFromInline
package struct TakenAction {
    /// How many actions the store has handled, this one included: 1, 2, 3, … without a gap.
    @usableFromInline package let sequence: UInt64
    /// The number that its causes carry: its position in the queue, counted from 1. Messages and revoked actions count.
    @usableFromInline package let number: UInt64
    /// The slot; valid until the action has ended.
    @usableFromInline let slot: UnsafeMutableRawPointer

    @inlinable
    init(sequence: UInt64, number: UInt64, slot: UnsafeMutableRawPointer) {
        self.sequence = sequence
        self.number = number
        self.slot = slot
    }

    /// What caused the action.
    @inlinable package var cause: ActionCause { Slot.cause(slot) }

    /// Where the action was dispatched.
    @inlinable package var source: ActionSource { Slot.source(slot).pointee }
}

extension PipelineWatcher {
    @inlinable package static var isNone: Bool { false }

    @inlinable @inline(__always)
    package mutating func takeUp<Action>(_ action: UnsafePointer<Action>, _ taken: TakenAction, depth: () -> Int) {}

    @inlinable @inline(__always)
    package mutating func handle<M: MiddlewareProtocol>(
        _ middleware: M,
        _ action: M.InputActionType,
        _ source: borrowing Borrowed<ActionSource>,
        _ state: @escaping GetState<M.StateType>
    ) -> IO<M.OutputActionType> {
        middleware.handle(action: action, from: source.value, state: state)
    }

    @inlinable @inline(__always)
    package mutating func stageBegan(_ stage: PipelineStage) {}

    @inlinable @inline(__always)
    package mutating func stageEnded(_ stage: PipelineStage) {}

    @inlinable @inline(__always)
    package mutating func holds<Action>(
        _ io: IO<Action>,
        _ output: borrowing Borrowed<AnyActionHandler<Action>>
    ) -> Bool {
        false
    }

    @inlinable @inline(__always)
    package mutating func actionEnded() {}
}

/// The watcher of a store that has none.
@usableFromInline
struct NoWatcher: PipelineWatcher {
    @inlinable static var isNone: Bool { true }

    @inlinable init() {}
}
