// SPDX-License-Identifier: Apache-2.0

/// A middleware with its type hidden, or one made of a closure.
///
/// ```swift
/// let audit = AnyMiddleware<AppAction, AppAction, AppState> { action, dispatcher, state in
///     IO { output in output.dispatch(.audited(dispatcher.line)) }
/// }
/// let middlewares: [AnyMiddleware<AppAction, AppAction, AppState>] = [auth.eraseToAnyMiddleware(), audit]
/// ```
///
/// Erasing one that is erased already returns it. It remembers whether it is an identity, which vanishes in a
/// composition, or a composite, whose parts join a composition one by one.
///
/// **Cost.** Each call is a call of a closure, and the middleware is not specialised into the store's loop. Still a
/// store allocates nothing an action for it. It is as Sendable as what it holds, which nobody knows: so it is not.
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

    /// A middleware made of a closure.
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

    /// Hides the type of a middleware.
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

    /// What a store uses; nil before it is bound.
    @usableFromInline
    var boundBox: BoundMiddlewareBox<InputActionType, OutputActionType, StateType>? {
        if case .bound(let box) = storage { box } else { nil }
    }

    /// Whether it is made of others.
    @usableFromInline
    var isComposite: Bool {
        switch storage {
        case .identity: false
        case .unbound(let box): box.parts != nil
        case .bound(let box): box.origin.parts != nil
        }
    }

    /// The leaves in order, without identities.
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
    /// The same middleware with its type hidden.
    @inlinable
    public func eraseToAnyMiddleware() -> AnyMiddleware<InputActionType, OutputActionType, StateType> {
        AnyMiddleware(self)
    }
}
