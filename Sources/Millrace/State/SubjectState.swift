// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The state of a store that is held by the caller's subject.
@usableFromInline
final class SubjectState<State>: Sendable {
    @usableFromInline let subject: UnfailableReplayLastSubjectType<State>
    @usableFromInline let emitsValue: ShouldEmitValue<State>
    @usableFromInline let suppressor: EmissionSuppressor

    @inlinable
    init(
        _ subject: UnfailableReplayLastSubjectType<State>,
        _ emitsValue: ShouldEmitValue<State>,
        _ suppressor: EmissionSuppressor
    ) {
        self.subject = subject
        self.emitsValue = emitsValue
        self.suppressor = suppressor
    }

    /// Whether the store may push a state that the subscribers of its `statePublisher` must not be called with.
    var pushesSilently: Bool {
        if case .always = emitsValue { return false }
        return subject.mutateInPlace == nil
    }

    /// Changes the value of a subject in its place. Returns whether `emitsValue` lets the new one through to
    /// subscribers.
    @inlinable @inline(__always)
    func change(_ value: inout State, _ reduce: (inout State) -> Void) -> Bool {
        switch emitsValue {
        case .always:
            reduce(&value)
            return true
        case .never:
            reduce(&value)
            return false
        case .when(let predicate):
            let previous = value
            reduce(&value)
            return predicate(previous, value)
        }
    }

    /// Changes the state of a subject that can be changed only by a push, which always calls its own subscribers.
    /// Returns whether `emitsValue` lets the new state through to those of the store.
    @inlinable
    func replace(_ reduce: (inout State) -> Void) -> Bool {
        let previous = subject.value()
        var state = previous
        reduce(&state)
        let tells = emitsValue.shouldEmit(previous: previous, new: state)
        suppressor.isKept = !tells
        defer { suppressor.isKept = false }
        subject.subscriber.onValue(state)
        return tells
    }
}

extension StoreCore {
    /// Creates a core whose state is held by a subject. The core's own storage holds only the initial state.
    @inlinable
    static func make<M: MiddlewareProtocol>(
        subject: UnfailableReplayLastSubjectType<State>,
        reducer: Reducer<Action, State>,
        middleware: M,
        emitsValue: ShouldEmitValue<State>,
        order: ActionOrder
    ) -> StoreCore where M.InputActionType == Action, M.OutputActionType == Action, M.StateType == State {
        let core = StoreCore(
            state: subject.value(),
            emitsValue: emitsValue,
            publication: .batch,
            capacity: .unbounded,
            order: order
        )
        let reducing = core.keepState(in: subject, reducer)
        let counters = core.consumer.counters
        core.install(
            Pipeline(middleware: middleware <> PluginHost(core.plugins), reducer: reducing, core: core),
            // The state is published while the action is reduced.
            publish: { counters.pointee.isDirty = false }
        )
        return core
    }

    /// The same with a journal, whose recovered state the subject gets later.
    @inlinable
    static func make<M: MiddlewareProtocol>(
        subject: RecoveringSubject<State>,
        reducer: Reducer<Action, State>,
        middleware: M,
        emitsValue: ShouldEmitValue<State>,
        order: ActionOrder,
        world: (any StoreWorld)?,
        journal port: JournalPort
    ) -> StoreCore where M.InputActionType == Action, M.OutputActionType == Action, M.StateType == State {
        let core = StoreCore(
            // Not the recovered state: each change of it would be a copy as long as this storage has it, too.
            state: subject.initialState,
            emitsValue: emitsValue,
            publication: .batch,
            capacity: .unbounded,
            order: order,
            world: world
        )
        let kept = subject.ofStore
        let reducing = core.keepState(in: kept, reducer)
        core.connect(port, capturing: kept)
        let counters = core.consumer.counters
        core.install(
            Pipeline(middleware: middleware <> PluginHost(core.plugins), reducer: reducing, core: core),
            publish: { counters.pointee.isDirty = false },
            journal: port
        )
        return core
    }

    /// Lets a subject hold the state. Returns the reducer for the pipeline, which changes the state there.
    @inlinable
    func keepState(
        in subject: UnfailableReplayLastSubjectType<State>,
        _ reducer: Reducer<Action, State>
    ) -> Reducer<Action, State> {
        let state = SubjectState(subject, emitsValue, EmissionSuppressor(identity: cell.identity))
        subjectState = state
        cell.external = subject.value
        let reduce = reducer.reduce
        // Unretained: the core holds the pipeline.
        let unretained = Unmanaged.passUnretained(self)
        // Captured by the reducer: reading the closure from the subject would retain it for each action.
        guard let mutateInPlace = subject.mutateInPlace else {
            return Reducer<Action, State>.reduce { action, _ in
                unretained._withUnsafeGuaranteedRef { core in
                    let tells = state.replace {
                        reduce(action, &$0)
                        core.enterEffects()
                    }
                    core.tellOfReduced(tells)
                }
            }
        }
        return Reducer<Action, State>.reduce { action, _ in
            unretained._withUnsafeGuaranteedRef { core in
                var tells = true
                mutateInPlace { value in
                    tells = state.change(&value) {
                        reduce(action, &$0)
                        core.enterEffects()
                    }
                    return tells
                }
                core.tellOfReduced(tells)
            }
        }
    }

    /// The subscribers are called next, and may read the state.
    @inlinable @inline(__always)
    func enterEffects() {
        if let slot = cell.stage.slot { cell.stage.enter(slot, Stage.effects) }
    }

    @inlinable @inline(__always)
    func tellOfReduced(_ tells: Bool) {
        if tells, !subscribers.isEmpty { tellSubscribers(cell.read()) }
    }
}
