// SPDX-License-Identifier: Apache-2.0

/// A middleware at work on one element of many, or on a state that is not always there; made by `liftToCollection`,
/// `liftToDictionary` and `liftToOptional`.
///
/// ```swift
/// let middleware = TodoSync().liftToCollection(
///     inputAction: \.todo, outputAction: AppAction.todo, state: \.todos
/// )
/// ```
///
/// When the input action is none of its own, or the element is not there when `handle` is called, the part is not
/// called, neither then nor after the reducers, and there is no work. The getter that the part is given reads its
/// element as it is at the moment of the call; once the element is gone, as it was before the reducers. What the part
/// dispatches is put under the same key, also if the element is gone. Sources are kept.
///
/// **Cost.** A search for the element in `handle` and at each call of the getter. In a store nothing is allocated an
/// action, unless the part answers with work or keeps what it is given: work that reads the state takes four
/// allocations besides its own, for the getter, the output and the lifted work. While the getter is kept, and
/// between `handle` and `afterReduce` of a part that has one, the snapshot shares the element's containers: a reducer
/// that changes one of them then copies it.
///
/// **Limits.** The part is bound to no state (`bindWithoutState`), as none is the same each time: lifts inside of it
/// make their getter at each action, which allocates; lift the element's middleware first and the result further. Lifts
/// to elements inside of it take some allocations for each of their actions, and keep the rules above at any depth. A
/// middleware that is named inside is measured under its name, but not reported as stuck; name the lifted one. Outside
/// of a store `afterReduce` looks for the element anew.
public struct LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Key, Part: MiddlewareProtocol>:
    MiddlewareProtocol
{
    /// The actions it sees.
    public typealias InputActionType = GlobalInput
    /// The actions it dispatches.
    public typealias OutputActionType = GlobalOutput
    /// The state it can read.
    public typealias StateType = GlobalState

    @usableFromInline typealias Axes = ElementAxes<
        GlobalInput, GlobalOutput, GlobalState, Key, Part.InputActionType, Part.OutputActionType, Part.StateType
    >
    @usableFromInline typealias Memory = ElementMemory<
        GlobalInput, GlobalOutput, Key, Part.OutputActionType, Part.StateType
    >
    @usableFromInline typealias Handover = ElementHandover<
        GlobalInput, GlobalOutput, Key, Part.OutputActionType, Part.StateType
    >

    @usableFromInline var part: Part
    @usableFromInline let axes: Axes
    /// Made once when a store took the middleware.
    @usableFromInline var memory: Memory?
    /// The same where there is no state to bind to. Without either, outside of a store, nothing is remembered.
    @usableFromInline var handover: Handover?

    @inlinable
    init(_ part: Part, _ axes: Axes) {
        self.part = part
        self.axes = axes
    }

    /// Asks the part if the action is its own and the element is there.
    @inlinable
    public func handle(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>
    ) -> IO<GlobalOutput> {
        handle(action, state) { part.handle(action: $0, from: dispatcher, state: $1) }
    }

    /// Asks the part if the action is its own and the element is there, and lets it tell the probe.
    @inlinable
    public func handle(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        probe: some PipelineProbe
    ) -> IO<GlobalOutput> {
        handle(action, state) { part.handle(action: $0, from: dispatcher, state: $1, probe: probe) }
    }

    /// Whether the part has one.
    @inlinable
    public var hasAfterReduce: Bool { part.hasAfterReduce }

    /// Cancels the effects of the part, for all elements.
    @inlinable
    public var effectCanceller: EffectCanceller { part.effectCanceller }

    /// Tells the part if it was asked in `handle`.
    @inlinable
    public func afterReduce(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        output: AnyActionHandler<GlobalOutput>
    ) {
        guard part.hasAfterReduce, let own = axes.input(action) else { return }
        // Taken out of the handover, so that it is gone before whoever lent the getter looks whether that can be used again.
        let remembered = memory ?? handover?.memory.take()
        guard let memory = remembered ?? (handover == nil ? makeMemory(state) : nil) else { return }
        func tell(_ elementState: @escaping GetState<Part.StateType>) {
            part.afterReduce(
                action: own.action,
                from: dispatcher,
                state: elementState,
                output: memory.lift(output, axes.output, input: action, key: own.key)
            )
        }
        _ = remembered == nil ? memory.begin(own.key, tell) : memory.resume(tell)
        memory.end()
    }

    /// Makes what finds the elements, and binds the part to no state.
    @inlinable
    public mutating func bind(to state: @escaping GetState<GlobalState>) {
        part.bindWithoutState()
        (memory, handover) = (makeMemory(state), nil)
    }

    /// Binds the part to no state, and remembers the element of one action at a time.
    @inlinable
    public mutating func bindWithoutState() {
        part.bindWithoutState()
        (memory, handover) = (nil, Handover())
    }

    @inlinable
    func makeMemory(_ state: @escaping GetState<GlobalState>) -> Memory {
        let element = axes.element
        return Memory(find: { element(state(), $0) })
    }

    @inlinable
    func handle(
        _ action: GlobalInput,
        _ state: @escaping GetState<GlobalState>,
        _ ask: (Part.InputActionType, @escaping GetState<Part.StateType>) -> IO<Part.OutputActionType>
    ) -> IO<GlobalOutput> {
        guard let own = axes.input(action) else { return .pure() }
        let memory = memory ?? makeMemory(state)
        guard let io = memory.begin(own.key, { ask(own.action, $0) }) else {
            handover?.memory = nil
            return .pure()
        }
        if part.hasAfterReduce { handover?.memory = memory } else { memory.end() }
        return io.isPure ? .pure() : lifted(io, input: action, key: own.key)
    }

    @usableFromInline
    func lifted(_ io: IO<Part.OutputActionType>, input: GlobalInput, key: Key) -> IO<GlobalOutput> {
        // Unchecked as in every lift: parts of the handled action may go out again.
        let address = Unchecked((input: input, key: key))
        let axes = axes
        return IO { output in
            let sink = ElementOutput(
                axes.output,
                target: output.sink,
                input: address.value.input,
                key: address.value.key
            )
            io.run(AnyActionHandler(sink: sink, cause: output.cause, run: output.run))
        }
    }
}

extension LiftToElementMiddleware: Sendable where Part: Sendable {}
