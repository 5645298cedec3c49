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
/// **Cost.** A virtual call for each part. Where the parts are known when you write the code, `<>` without a type
/// annotation gives a ``Chain``, which has no such calls.
public struct ComposedMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Monoid {
    @usableFromInline typealias Child = AnyMiddleware<InputActionType, OutputActionType, StateType>

    @usableFromInline var children: [Child]
    /// Those that have an `afterReduce`, last first.
    @usableFromInline var observers: [Child]
    /// Asks all parts, once they are bound: a closure of closures, as to go through an array retains each part.
    @usableFromInline var boundHandle: ((InputActionType, ActionSource) -> IO<OutputActionType>)?

    /// Without a part; it does nothing.
    @inlinable
    public init() {
        self.init(children: [])
    }

    @inlinable
    init(children: [Child]) {
        self.children = children
        observers = children.reversed().filter(\.hasAfterReduce)
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
        self = ComposedMiddleware(children: children + AnyMiddleware(middleware).parts)
    }

    /// Asks the parts in order; the work of the last runs first.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        if let boundHandle { return boundHandle(action, dispatcher) }
        var io = IO<OutputActionType>.pure()
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
        for child in observers {
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
        var handle: (InputActionType, ActionSource) -> IO<OutputActionType> = { _, _ in .pure() }
        for (index, child) in children.reversed().enumerated() {
            guard case .bound(let box) = child.storage else { continue }
            let first = box.handle
            let rest = handle
            handle =
                index == 0
                ? first
                : { action, dispatcher in
                    let io = first(action, dispatcher)
                    return rest(action, dispatcher) <> io
                }
        }
        boundHandle = handle
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
}
