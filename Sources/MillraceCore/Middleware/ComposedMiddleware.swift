// SPDX-License-Identifier: Apache-2.0

/// Any number of middlewares, one after the other, with their types hidden.
///
/// ```swift
/// var middleware = ComposedMiddleware<AppAction, AppAction, AppState>()
/// middleware.append(middleware: Auth())
/// if isDebug { middleware.append(middleware: Audit()) }
/// ```
///
/// Identities vanish and other composites join it part by part, also when they are erased. `handle` is called on the
/// parts in order; after the reducers it goes from the last to the first.
///
/// **Cost.** A call of a closure for each part, at any number of them. Where the parts are known when you write the code, `<>` without a type
/// annotation gives a ``Chain``, which has no such calls.
public struct ComposedMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Monoid {
    @usableFromInline typealias Child = AnyMiddleware<InputActionType, OutputActionType, StateType>
    @usableFromInline typealias BoundChild = BoundMiddlewareBox<InputActionType, OutputActionType, StateType>

    @usableFromInline var children: [Child]
    /// Those that have an `afterReduce`.
    @usableFromInline var observers: [Child]
    /// What is called once they are bound: all in order, and the observers from the last to the first.
    @usableFromInline var boundParts: (all: FixedList<BoundChild>, observers: FixedList<BoundChild>)?

    /// Without a part; it does nothing.
    @inlinable
    public init() {
        self.init(children: [])
    }

    @inlinable
    init(children: [Child]) {
        self.children = children
        observers = children.filter(\.hasAfterReduce)
    }

    /// Without a part; it does nothing.
    @inlinable
    public static var identity: ComposedMiddleware { ComposedMiddleware() }

    /// How many parts there are: what was added, without identities, with each composite counted by its parts.
    @inlinable
    public var count: Int { children.count }

    /// Adds a middleware at the end.
    @inlinable
    public mutating func append<Middleware: MiddlewareProtocol>(middleware: Middleware)
    where
        Middleware.InputActionType == InputActionType,
        Middleware.OutputActionType == OutputActionType,
        Middleware.StateType == StateType
    {
        let parts = AnyMiddleware(middleware).parts
        children += parts
        observers += parts.filter(\.hasAfterReduce)
        boundParts = nil
    }

    /// Asks the parts in order; the work of the last runs first.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        var io = IO<OutputActionType>.pure()
        if let boundParts {
            boundParts.all.forEach { child in
                let answer = child.handle(action, dispatcher)
                // As a rule it is: so that nothing is composed, which code that knows no types does not do for nothing.
                if !answer.isPure { io = answer <> io }
            }
            return io
        }
        for child in children {
            io = child.handle(action: action, from: dispatcher, state: state) <> io
        }
        return io
    }

    /// Asks the parts in order, and lets them tell the probe.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        var io = IO<OutputActionType>.pure()
        for child in children {
            io = child.handle(action: action, from: dispatcher, state: state, probe: probe) <> io
        }
        return io
    }

    /// Whether a part has one.
    @inlinable
    public var hasAfterReduce: Bool { !observers.isEmpty }

    /// Cancels the effects of all parts.
    @inlinable
    public var effectCanceller: EffectCanceller {
        children.reduce(.identity) { $0 <> $1.effectCanceller }
    }

    /// Tells the parts, from the last to the first.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        if let boundParts {
            boundParts.observers.forEach { $0.afterReduce?(action, dispatcher, output) }
            return
        }
        for child in observers.reversed() {
            child.afterReduce(action: action, from: dispatcher, state: state, output: output)
        }
    }

    /// Binds the parts.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        bind(to: state, live: nil)
    }

    /// The same, and tells where the live state is.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?) {
        self = ComposedMiddleware(children: children.map { $0.bound(to: state, live: live) })
        let boxes = children.compactMap(\.boundBox)
        boundParts = (FixedList(boxes), FixedList(boxes.reversed().filter { $0.afterReduce != nil }))
    }

    /// Binds the parts to no state.
    @inlinable
    public mutating func bindWithoutState() {
        self = ComposedMiddleware(children: children.map { $0.boundWithoutState() })
    }
}

extension ComposedMiddleware: ErasableComposite {
    @usableFromInline
    var erasedParts: [AnyMiddleware<InputActionType, OutputActionType, StateType>] { children }

    /// Its parts are leaves.
    @usableFromInline
    var holdsErasedComposite: Bool { false }
}
