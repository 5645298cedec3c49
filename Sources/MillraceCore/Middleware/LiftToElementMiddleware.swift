// SPDX-License-Identifier: Apache-2.0

/// A middleware adapted to one element of many, or to an optional state; made by `liftToCollection`, `liftToDictionary`
/// and `liftToOptional`.
///
/// ```swift
/// let middleware = TodoSync().liftToCollection(
///     inputAction: \.todo, outputAction: AppAction.todo, state: \.todos
/// )
/// ```
///
/// If the input action is not for the part, or if the element does not exist when `handle` is called, the part is not
/// called. Then its `afterReduce` is not called either, and the IO is pure. The part's getter returns the element at
/// the moment of the call. If the element no longer exists, the getter returns the element before the reducers. Actions
/// that the part dispatches get the same key, even if the element no longer exists. Sources are kept.
///
/// **Cost.** A search for the element in `handle` and at each call of the getter. In a store, nothing is allocated per
/// action, unless the part returns an IO that is not pure, or keeps its getter or output. An IO that reads the state
/// takes four allocations besides its own, for the getter, the output and the lifted IO. A stored copy of the element
/// shares its containers, so a reducer that changes a container then copies it. That copy exists while the getter is
/// kept. If the part has an `afterReduce`, the copy also exists between `handle` and `afterReduce`.
///
/// **Limits.** The part is bound without a state (`bindWithoutState`), because no getter is the same for each action. A
/// lift inside the part therefore creates its getter at each action, which allocates. To avoid this, lift to the
/// element first, and then lift the result. A lift to an element inside the part takes some allocations for each of its
/// actions, and follows the rules above at any depth. A named middleware inside the part is measured under its name,
/// but not reported as stuck: name the lifted middleware instead. Outside of a store, `afterReduce` searches for the
/// element again.
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
    /// Made once, when a store binds the middleware.
    @usableFromInline var memory: Memory?
    /// Used in place of `memory` if there is no state to bind to. Outside of a store both are nil, and nothing is
    /// remembered.
    @usableFromInline var handover: Handover?

    @inlinable
    init(_ part: Part, _ axes: Axes) {
        self.part = part
        self.axes = axes
    }

    /// Calls `handle` of the part if the action is for the part and the element exists.
    @inlinable
    public func handle(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>
    ) -> IO<GlobalOutput> {
        handle(action, state) { part.handle(action: $0, from: dispatcher, state: $1) }
    }

    /// Calls `handle` of the part if the action is for the part and the element exists, and passes the probe on.
    @inlinable
    public func handle(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        probe: some PipelineProbe
    ) -> IO<GlobalOutput> {
        handle(action, state) { part.handle(action: $0, from: dispatcher, state: $1, probe: probe) }
    }

    /// Whether the part has an `afterReduce`.
    @inlinable
    public var hasAfterReduce: Bool { part.hasAfterReduce }

    /// The canceller of the part, for all elements.
    @inlinable
    public var effectCanceller: EffectCanceller { part.effectCanceller }

    /// Calls `afterReduce` of the part if `handle` of the part was called.
    @inlinable
    public func afterReduce(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        output: AnyActionHandler<GlobalOutput>
    ) {
        guard part.hasAfterReduce, let own = axes.input(action) else { return }
        // Taken out of the handover, so that its getter is released before the outer lift checks whether it can reuse
        // the getter.
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

    /// Creates the memory that finds the elements, and binds the part without a state.
    @inlinable
    public mutating func bind(to state: @escaping GetState<GlobalState>) {
        part.bindWithoutState()
        (memory, handover) = (makeMemory(state), nil)
    }

    /// Binds the part without a state. The handover remembers the element of one action at a time.
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
        // Unchecked as in every lift: parts of the handled action may be dispatched again.
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
