// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore

/// The state of a store whose caller keeps it, in a subject.
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

    /// Whether states are pushed that the store's subscribers are not to be told of.
    var pushesSilently: Bool {
        if case .always = emitsValue { return false }
        return subject.mutateInPlace == nil
    }

    /// Changes the state, and tells the subscribers of the subject, or does not. Returns whether it is to be told of.
    ///
    /// Where the subject can change its value in place it does, and is not heard of when nobody is to be told. Any
    /// other can be changed only by pushing, which its own subscribers hear.
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
    /// A core whose state lies in a subject. What the core itself holds is only the state of the beginning.
    @inlinable
    static func make<M: MiddlewareProtocol>(
        subject: UnfailableReplayLastSubjectType<State>,
        reducer: Reducer<Action, State>,
        middleware: M,
        emitsValue: ShouldEmitValue<State>
    ) -> StoreCore where M.InputActionType == Action, M.OutputActionType == Action, M.StateType == State {
        let core = StoreCore(state: subject.value(), emitsValue: emitsValue, publication: .batch, capacity: .unbounded)
        let state = SubjectState(subject, emitsValue, EmissionSuppressor(identity: core.cell.identity))
        core.subjectState = state
        core.cell.external = subject.value
        let reduce = reducer.reduce
        // The pipeline is held by the core.
        let unretained = Unmanaged.passUnretained(core)
        let reducing = Reducer<Action, State>.reduce { action, _ in
            unretained._withUnsafeGuaranteedRef { $0.reduce(in: state) { reduce(action, &$0) } }
        }
        let counters = core.consumer.counters
        core.install(
            Pipeline(middleware: middleware <> PluginHost(core.plugins), reducer: reducing, core: core),
            // Every action is published where it is reduced.
            publish: { counters.pointee.isDirty = false }
        )
        return core
    }

    @inlinable
    func reduce(in state: SubjectState<State>, _ reduce: (inout State) -> Void) {
        let tells = state.change {
            reduce(&$0)
            // The subscribers, who come next, may read the state.
            if let slot = millrace_queue_front(queue.raw) { millrace_stage_enter(cell.stage, slot, Stage.effects) }
        }
        if tells, !subscribers.isEmpty { tellSubscribers(cell.read()) }
    }
}
