// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// Watches the actions of one store as the drain loop handles them.
///
/// The loop is generic over its watcher and compiled for each of them. A call that a watcher leaves to its default is
/// removed by the compiler, so a store without a watcher runs none of this.
///
/// All calls come on the consumer's thread, in this order for each action: ``takeUp(_:_:depth:)``,
/// ``handle(_:_:_:_:)``, the stages, ``holds(_:_:)`` if there is an IO to run, ``actionEnded(_:)``.
@usableFromInline
package protocol PipelineWatcher {
    /// What the watcher keeps of an action until its end. The loop holds it, as a copy in the watcher would cost more.
    associatedtype Kept

    /// Whether this is the watcher of a store that has none: then the loop leaves a sampled action to the store's
    /// probe.
    static var isNone: Bool { get }

    /// Whether ``admits(_:)`` has to be asked.
    static var checksNumbers: Bool { get }

    /// Whether an action is to be handled; asked before it is taken up, if ``checksNumbers``. Otherwise it counts as
    /// cancelled.
    mutating func admits(_ slot: UnsafeRawPointer) -> Bool

    /// The consumer takes up an action. Cancelled and dropped actions are not taken up.
    ///
    /// - Parameter depth: Counts the slots that wait. It reads memory of the producers, so call it rarely.
    mutating func takeUp<Action>(_ action: UnsafePointer<Action>, _ taken: TakenAction, depth: () -> Int) -> Kept

    /// Calls `handle` of the middlewares.
    mutating func handle<M: MiddlewareProtocol>(
        _ middleware: M,
        _ action: borrowing Borrowed<M.InputActionType>,
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
    mutating func actionEnded(_ kept: borrowing Kept)
}

/// An action that the consumer has taken up.
@usableFromInline
package struct TakenAction {
    /// How many actions the store has handled, this one included: 1, 2, 3, … without a gap. The actions that it causes
    /// carry this number.
    @usableFromInline package let number: UInt64
    /// The slot; valid until the action has ended.
    @usableFromInline let slot: UnsafeMutableRawPointer
    @usableFromInline let counters: UnsafeMutablePointer<Counters>

    @inlinable
    init(number: UInt64, slot: UnsafeMutableRawPointer, counters: UnsafeMutablePointer<Counters>) {
        self.number = number
        self.slot = slot
        self.counters = counters
    }

    /// Sets the time of the action, which reducers made by `reduceAt` get. Without this call they get the time at which
    /// the first of them asks.
    @usableFromInline package func setTime(_ time: ActionTime) {
        counters.pointee.time = time
        counters.pointee.timedAction = number
    }

    /// What caused the action.
    @inlinable package var cause: ActionCause { Slot.cause(slot) }

    /// Where the action was dispatched.
    @inlinable package var source: ActionSource { Slot.source(slot).pointee }
}

extension PipelineWatcher {
    @inlinable package static var isNone: Bool { false }
    @inlinable package static var checksNumbers: Bool { false }
    @inlinable package mutating func admits(_ slot: UnsafeRawPointer) -> Bool { true }

    @inlinable @inline(__always)
    package mutating func handle<M: MiddlewareProtocol>(
        _ middleware: M,
        _ action: borrowing Borrowed<M.InputActionType>,
        _ source: borrowing Borrowed<ActionSource>,
        _ state: @escaping GetState<M.StateType>
    ) -> IO<M.OutputActionType> {
        middleware.handle(action: action.value, from: source.value, state: state)
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
    package mutating func actionEnded(_ kept: borrowing Kept) {}
}

/// The watcher of a store that has none.
@usableFromInline
struct NoWatcher: PipelineWatcher {
    // An empty value has no place of its own: ThreadSanitizer would report two threads that change their empty values
    // as a race. The optimiser removes this one.
    @usableFromInline var isUnused = true

    @inlinable static var isNone: Bool { true }

    @inlinable init() {}

    @inlinable @inline(__always)
    mutating func takeUp<Action>(_ action: UnsafePointer<Action>, _ taken: TakenAction, depth: () -> Int) {}
}
