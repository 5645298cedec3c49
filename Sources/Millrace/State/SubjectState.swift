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

    /// Changes the state. Returns whether `emitsValue` lets the new state through to subscribers.
    ///
    /// A subject that can change its value in place does so, and calls its subscribers only if the state is let
    /// through. Any other subject can be changed only by a push, which always calls its own subscribers.
    @inlinable
    func change(_ reduce: (inout State) -> Void) -> Bool {
        guard let mutateInPlace = subject.mutateInPlace else { return replace(reduce) }
        var tells = true
        mutateInPlace { state in
            switch emitsValue {
            case .always: reduce(&state)
            case .never:
                reduce(&state)
                tells = false
            case .when(let predicate):
                let previous = state
                reduce(&state)
                tells = predicate(previous, state)
            }
            return tells
        }
        return tells
    }

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
        return Reducer<Action, State>.reduce { action, _ in
            unretained._withUnsafeGuaranteedRef { $0.reduce(in: state) { reduce(action, &$0) } }
        }
    }

    @inlinable
    func reduce(in state: SubjectState<State>, _ reduce: (inout State) -> Void) {
        let tells = state.change {
            reduce(&$0)
            // The subscribers are called next, and may read the state.
            if let slot = cell.stage.slot { cell.stage.enter(slot, Stage.effects) }
        }
        if tells, !subscribers.isEmpty { tellSubscribers(cell.read()) }
    }
}
