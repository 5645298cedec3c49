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
/// If the input action is not for the base, or if the element does not exist when `handle` is called, the base is not
/// called, and the IO is pure. If the reducers remove the element, `afterReduce` and the IO of that action are not
/// called either: see ``VanishedElement``. The base's getter returns the element at the moment of the call. A getter
/// that was kept in `afterReduce` or an IO returns, if the element no longer exists, the element as it was then.
/// Actions that the base dispatches get the same key, even if the element no longer exists. Sources are kept.
///
/// **Cost.** A search for the element in `handle`, in `afterReduce`, before an IO, and at each call of the getter. No
/// copy of the element exists while the reducers run, so they change it in place. In a store, nothing is allocated per
/// action, unless the base returns an IO that is not pure, or keeps its getter or output. An IO takes five allocations
/// besides its own. A getter that is kept also keeps a copy of the element, which shares its containers: a reducer that
/// changes a container then copies it.
///
/// **Limits.** In `handle`, do not give the getter to another thread: do it in the IO. Inside the base, each action has
/// its own getter. A lift inside the base therefore creates its getter at each action, which allocates. To avoid this,
/// lift to the element first, and then lift the result. A lift to an element inside the base takes some allocations for
/// each of its actions, and follows the rules above at any depth. Outside of a store, `afterReduce` searches for the
/// element again.
public struct LiftToElementMiddleware<GlobalInput, GlobalOutput, GlobalState, Key, Part: MiddlewareProtocol>:
    MiddlewareWrapper
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

    /// The middleware of one element.
    public var base: Part
    @usableFromInline let axes: Axes
    @usableFromInline let vanished: VanishedElement
    /// Made once, when a store binds the middleware. Nil outside of a store, and inside another lift to an element.
    @usableFromInline var memory: Memory?
    /// Used in place of `memory` inside another lift to an element. Outside of a store both are nil, and nothing is
    /// remembered.
    @usableFromInline var handover: Handover?
    /// The current element, for the reader of the base; nil if the base has not kept the reader, and outside of a store.
    @usableFromInline var scope: ElementScope<Key, Part.StateType>?
    @usableFromInline var countVanished: (@Sendable () -> Void)?

    @inlinable
    init(_ base: Part, _ axes: Axes, vanished: VanishedElement = .skip) {
        self.base = base
        self.axes = axes
        self.vanished = vanished
    }

    /// Calls `handle` of the base if the action is for the base and the element exists.
    @inlinable
    public func handle(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        next: BaseHandle
    ) -> IO<GlobalOutput> {
        guard let own = axes.input(action) else { return .pure() }
        let memory = memory ?? makeMemory(state)
        guard let io = memory.begin(own.key, { next(own.action, dispatcher, $0) }) else {
            handover?.memory = nil
            return .pure()
        }
        let lifted = io.isPure ? .pure() : self.lifted(io, memory, input: action, key: own.key)
        if base.hasAfterReduce {
            memory.suspend()
            handover?.memory = memory
        } else {
            memory.end(keeping: io.isPure)
        }
        return lifted
    }

    /// Calls `afterReduce` of the base if `handle` of the base was called and the element still exists.
    @inlinable
    public func afterReduce(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        output: AnyActionHandler<GlobalOutput>,
        next: BaseAfterReduce
    ) {
        guard base.hasAfterReduce, let own = axes.input(action) else { return }
        // Taken out of the handover, so that its getter is released before the outer lift checks whether it can reuse
        // the getter.
        let remembered = memory ?? handover?.memory.take()
        guard let memory = remembered ?? (handover == nil ? makeMemory(state) : nil) else { return }
        func tell(_ elementState: @escaping GetState<Part.StateType>) {
            let output = memory.lift(output, axes.output, input: action, key: own.key)
            next(own.action, dispatcher, elementState, output)
        }
        if remembered == nil {
            memory.begin(own.key, tell)
        } else if !memory.resume(tell) {
            countVanished?()
        }
        memory.end()
    }

    /// Binds the base to the element of the current action.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<GlobalOutput, GlobalState>) {
        let source = binding.state.source
        scope = bindBase(binding)
        countVanished = binding.services.countVanished
        (memory, handover) = source.isFixed ? (makeMemory(in: source), nil) : (nil, Handover())
    }

    /// Binds the base to the current element, and returns what finds that element; nil if the base has not kept the
    /// reader, so that nothing can ask for it. Most bases have not.
    @inlinable
    mutating func bindBase(_ binding: MiddlewareBinding<GlobalOutput, GlobalState>) -> ElementScope<
        Key, Part.StateType
    >? {
        var scope: ElementScope<Key, Part.StateType>? = ElementScope()
        if let source = scope?.source { base.bind(binding.lifted(state: StateReader(source))) }
        return isKnownUniquelyReferenced(&scope) ? nil : scope
    }

    @inlinable
    func makeMemory(in source: StateSource<GlobalState>) -> Memory {
        let element = axes.element
        return Memory(vanished: vanished, scope: scope) { key in
            var found: Part.StateType?
            source.lend { state in found = Borrowed.at(state) { element($0, key) } }
            return found
        }
    }

    @inlinable
    func makeMemory(_ state: @escaping GetState<GlobalState>) -> Memory {
        let element = axes.element
        return Memory(vanished: vanished, scope: scope) { element(state(), $0) }
    }

    @inlinable
    func lifted(_ io: IO<Part.OutputActionType>, _ memory: Memory, input: GlobalInput, key: Key) -> IO<GlobalOutput> {
        // Unchecked as in every lift: parts of the handled action may be dispatched again.
        let address = Unchecked((input: input, key: key))
        let axes = axes
        guard let getter = memory.getter else { return .pure() }
        return IO { [scope, vanished, countVanished] output in
            guard getter.refresh() || vanished == .snapshot else {
                countVanished?()
                return
            }
            let sink = ElementOutput(
                axes.output,
                target: output.sink,
                input: address.value.input,
                key: address.value.key
            )
            let output = AnyActionHandler(sink: sink, cause: output.cause, run: output.run)
            if let scope { scope.within(getter) { io.run(output) } } else { io.run(output) }
            getter.endCall()
        }
    }
}

extension LiftToElementMiddleware: Sendable where Part: Sendable {}
