// SPDX-License-Identifier: Apache-2.0

/// A type-erased middleware, or a middleware made of a closure.
///
/// ```swift
/// let audit = AnyMiddleware<AppAction, AppAction, AppState> { action, dispatcher, state in
///     IO { output in output.dispatch(.audited(dispatcher.line)) }
/// }
/// let middlewares: [AnyMiddleware<AppAction, AppAction, AppState>] = [auth.eraseToAnyMiddleware(), audit]
/// ```
///
/// Erasing a middleware that is already type-erased returns it. The value knows whether it is an identity or a
/// composite. A composition leaves out an identity, and takes in the parts of a composite one by one.
///
/// **Cost.** Each call is a closure call, and the middleware is not specialised into the store's loop. A store still
/// allocates nothing per action for it. It is not Sendable, because the compiler does not know whether the hidden type
/// is.
public struct AnyMiddleware<InputActionType, OutputActionType, StateType> {
    @usableFromInline
    enum Storage {
        case identity
        case unbound(MiddlewareBox<InputActionType, OutputActionType, StateType>)
        case bound(BoundMiddlewareBox<InputActionType, OutputActionType, StateType>)
    }

    @usableFromInline var storage: Storage

    @inlinable
    init(storage: Storage) {
        self.storage = storage
    }

    /// Creates a middleware from a closure.
    @preconcurrency
    @inlinable
    public init(
        handle:
            @escaping @Sendable (
                InputActionType, ActionSource, @escaping GetState<StateType>
            ) -> IO<OutputActionType>
    ) {
        storage = .unbound(MiddlewareBox(ClosureMiddleware(handle)))
    }

    /// Creates a middleware from two closures: one that keeps the state and the output, and one that handles actions.
    ///
    /// ```swift
    /// let clock = AnyMiddleware<AppAction, AppAction, AppState>(
    ///     receiveContext: { _, output in timer.onTick = { output.dispatch(.tick) } },
    ///     handle: { _, _, _ in .pure() }
    /// )
    /// ```
    ///
    /// A store calls `receiveContext` once, when the store is made, on the thread that makes it. Without a store, and
    /// in a lift to an element, nothing calls it: there is no element yet.
    ///
    /// The output may be kept and used from any thread. It does not keep the store: after the store's end its actions
    /// vanish. They go to the tail of the queue, also those that `receiveContext` itself dispatches: these are handled
    /// after every middleware has been bound. In a store with `order: .internalFirst`, those that are dispatched on the
    /// pipeline's thread are internal actions. Lifts map them. Their cause is ``ActionCause/none``.
    ///
    /// - Parameters:
    ///   - receiveContext: The closure that gets a getter of the state, and the output.
    ///   - handle: The closure that handles an action.
    @preconcurrency
    @inlinable
    public init(
        receiveContext:
            @escaping @Sendable (
                @escaping GetState<StateType>, AnyActionHandler<OutputActionType>
            ) -> Void,
        handle:
            @escaping @Sendable (
                InputActionType, ActionSource, @escaping GetState<StateType>
            ) -> IO<OutputActionType>
    ) {
        storage = .unbound(MiddlewareBox(ClosureMiddleware(receiveContext: receiveContext, handle)))
    }

    /// Erases the type of a middleware.
    @inlinable
    public init<Middleware: MiddlewareProtocol>(_ realMiddleware: Middleware)
    where
        Middleware.InputActionType == InputActionType,
        Middleware.OutputActionType == OutputActionType,
        Middleware.StateType == StateType
    {
        if let erased = realMiddleware as? AnyMiddleware {
            self = erased
        } else if realMiddleware is IdentityMiddleware<InputActionType, OutputActionType, StateType> {
            storage = .identity
        } else if let composite = realMiddleware as? any ErasableComposite<InputActionType, OutputActionType, StateType>
        {
            let parts = composite.erasedParts
            switch parts.count {
            case 0: storage = .identity
            case 1: self = parts[0]
            case _ where composite.holdsErasedComposite:
                storage = .unbound(MiddlewareBox(ComposedMiddleware(children: parts), parts: parts))
            default: storage = .unbound(MiddlewareBox(realMiddleware, parts: parts))
            }
        } else {
            storage = .unbound(MiddlewareBox(realMiddleware))
        }
    }

    /// The box that a store uses; nil before the middleware is bound.
    @usableFromInline
    var boundBox: BoundMiddlewareBox<InputActionType, OutputActionType, StateType>? {
        if case .bound(let box) = storage { box } else { nil }
    }

    /// Whether it is composed of other middlewares.
    @usableFromInline
    var isComposite: Bool {
        switch storage {
        case .identity: false
        case .unbound(let box): box.parts != nil
        case .bound(let box): box.origin.parts != nil
        }
    }

    /// The leaf middlewares in order, without identities.
    @usableFromInline
    var parts: [AnyMiddleware] {
        switch storage {
        case .identity: []
        case .unbound(let box): box.parts ?? [self]
        case .bound(let box): box.origin.parts ?? [self]
        }
    }
}

extension MiddlewareProtocol {
    /// Returns this middleware type-erased.
    @inlinable
    public func eraseToAnyMiddleware() -> AnyMiddleware<InputActionType, OutputActionType, StateType> {
        AnyMiddleware(self)
    }
}
