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
    /// The current element, for the reader of the base; nil if the base has not kept the reader, and outside of a
    /// store.
    @usableFromInline var scope: ElementScope<Key, Part.StateType>?
    @usableFromInline var countVanished: (@Sendable () -> Void)?
    /// What `handle` needs of the above, without retaining it; nil if `memory` is nil.
    @usableFromInline var lent: Lent?

    @usableFromInline
    struct Lent: @unchecked Sendable {
        // Unchecked because of the unmanaged references and the address: `memory` and `scope` of the middleware keep
        // the objects, and the memory keeps the source of the state.
        @usableFromInline let memory: Unmanaged<Memory>
        @usableFromInline let scope: Unmanaged<ElementScope<Key, Part.StateType>>?
        /// Where the larger state is in `handle`, if that does not change.
        @usableFromInline let live: UnsafePointer<GlobalState>?

        @inlinable
        init(
            _ memory: Memory,
            _ scope: ElementScope<Key, Part.StateType>?,
            _ live: UnsafePointer<GlobalState>?
        ) {
            self.memory = .passUnretained(memory)
            self.scope = scope.map { .passUnretained($0) }
            self.live = live
        }
    }

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
        guard let lent else {
            let memory = makeMemory(state)
            let scope = scope.map { Unmanaged.passUnretained($0) }
            return handle(action, own, from: dispatcher, memory, scope, next) { memory.find(own.key) }
        }
        // The compiler would release a copy of this middleware early, and the base may replace the original.
        defer { withExtendedLifetime((memory, scope)) {} }
        return lent.memory._withUnsafeGuaranteedRef { memory in
            handle(action, own, from: dispatcher, memory, lent.scope, next) {
                guard let live = lent.live else { return memory.find(own.key) }
                return Borrowed.at(live) { axes.element($0, own.key) }
            }
        }
    }

    /// - Parameter element: Finds the element that the key addresses.
    @inlinable @inline(__always)
    func handle(
        _ action: GlobalInput,
        _ own: (key: Key, action: Part.InputActionType),
        from dispatcher: ActionSource,
        _ memory: Memory,
        _ scope: Unmanaged<ElementScope<Key, Part.StateType>>?,
        _ next: BaseHandle,
        element: () -> Part.StateType?
    ) -> IO<GlobalOutput> {
        guard memory.begin(own.key, element) else {
            handover?.memory = nil
            return .pure()
        }
        let io = memory.call(scope) { next(own.action, dispatcher, $0) }
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
        defer { withExtendedLifetime((memory, scope)) {} }
        if remembered == nil {
            if memory.begin(own.key, { memory.find(own.key) }) {
                memory.call(scope.map { .passUnretained($0) }, tell)
            }
        } else if !memory.resume(scope.map { .passUnretained($0) }, tell) {
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
        lent = memory.map { Lent($0, scope, source.live) }
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
        return Memory(vanished: vanished, isForOneAction: false) { key in
            var found: Part.StateType?
            source.lend { state in found = Borrowed.at(state) { element($0, key) } }
            return found
        }
    }

    @inlinable
    func makeMemory(_ state: @escaping GetState<GlobalState>) -> Memory {
        let element = axes.element
        return Memory(vanished: vanished, isForOneAction: true) { element(state(), $0) }
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
            if let scope { scope.running(getter) { io.run(output) } } else { io.run(output) }
            getter.endCall()
        }
    }
}

extension LiftToElementMiddleware: Sendable where Part: Sendable {}
