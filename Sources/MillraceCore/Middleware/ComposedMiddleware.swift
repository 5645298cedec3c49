// SPDX-License-Identifier: Apache-2.0

/// Any number of type-erased middlewares, one after the other.
///
/// ```swift
/// var middleware = ComposedMiddleware<AppAction, AppAction, AppState>()
/// middleware.append(middleware: Auth())
/// if isDebug { middleware.append(middleware: Audit()) }
/// ```
///
/// A composite leaves out identities, and takes in other composites part by part, even if they are type-erased.
/// `handle` is called on the parts in order. After the reducers, the order is reversed.
///
/// **Cost.** One closure call per part, whatever their number. If the parts are known when you write the code, use `<>`
/// without a type annotation: the result is a ``Chain``, which has no such calls.
public struct ComposedMiddleware<InputActionType, OutputActionType, StateType>: MiddlewareProtocol, Monoid {
    @usableFromInline typealias Child = AnyMiddleware<InputActionType, OutputActionType, StateType>
    @usableFromInline typealias BoundChild = BoundMiddlewareBox<InputActionType, OutputActionType, StateType>

    @usableFromInline var children: [Child]
    /// The parts that have an `afterReduce`.
    @usableFromInline var afterReducers: [Child]
    /// The parts to call once they are bound: all in order, and those with an `afterReduce` from the last to the first.
    @usableFromInline var boundParts: (all: FixedList<BoundChild>, afterReducers: FixedList<BoundChild>)?

    /// Creates a composite without parts; it does nothing.
    @inlinable
    public init() {
        self.init(children: [])
    }

    @inlinable
    init(children: [Child]) {
        self.children = children
        afterReducers = children.filter(\.hasAfterReduce)
    }

    /// A composite without parts; it does nothing.
    @inlinable
    public static var identity: ComposedMiddleware { ComposedMiddleware() }

    /// The number of parts. Identities do not count, and a composite counts as its parts.
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
        afterReducers += parts.filter(\.hasAfterReduce)
        boundParts = nil
    }

    /// Calls `handle` of the parts in order; the IO of the last part runs first.
    @preconcurrency
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
                // Most answers are pure. The check avoids composing them, which has a cost in code that is not
                // specialised.
                if !answer.isPure { io = answer <> io }
            }
            return io
        }
        for child in children {
            io = child.handle(action: action, from: dispatcher, state: state) <> io
        }
        return io
    }

    /// Calls `handle` of the parts in order, and passes the probe on.
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

    /// Whether a part has an `afterReduce`.
    @inlinable
    public var hasAfterReduce: Bool { !afterReducers.isEmpty }

    /// The canceller of all parts.
    @inlinable
    public var effectCanceller: EffectCanceller {
        children.reduce(.identity) { $0 <> $1.effectCanceller }
    }

    /// Calls `afterReduce` of the parts, from the last to the first.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        if let boundParts {
            boundParts.afterReducers.forEach { $0.afterReduce?(action, dispatcher, output) }
            return
        }
        for child in afterReducers.reversed() {
            child.afterReduce(action: action, from: dispatcher, state: state, output: output)
        }
    }

    /// Binds the parts.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        self = ComposedMiddleware(children: children.map { $0.bound(binding) })
        guard binding.state.source.isFixed else { return }
        let boxes = children.compactMap(\.boundBox)
        boundParts = (FixedList(boxes), FixedList(boxes.reversed().filter { $0.afterReduce != nil }))
    }
}

extension ComposedMiddleware: ErasableComposite {
    @usableFromInline
    var erasedParts: [AnyMiddleware<InputActionType, OutputActionType, StateType>] { children }

    /// False: the parts are leaf middlewares.
    @usableFromInline
    var holdsErasedComposite: Bool { false }
}
