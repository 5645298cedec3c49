// SPDX-License-Identifier: Apache-2.0

/// The storage of an ``AnyMiddleware`` before a store binds it.
///
/// Closures, not virtual methods: the compiler specialises a closure where the middleware is erased, but not the
/// methods of a generic class.
@usableFromInline
final class MiddlewareBox<InputActionType, OutputActionType, StateType> {
    @usableFromInline typealias Bound = BoundMiddlewareBox<InputActionType, OutputActionType, StateType>
    @usableFromInline typealias State = GetState<StateType>

    @usableFromInline let handle: (InputActionType, ActionSource, @escaping State) -> IO<OutputActionType>
    @usableFromInline let probedHandle:
        (InputActionType, ActionSource, @escaping State, any PipelineProbe) -> IO<OutputActionType>
    /// Nil if the middleware has no `afterReduce`.
    @usableFromInline let afterReduce:
        ((InputActionType, ActionSource, @escaping State, AnyActionHandler<OutputActionType>) -> Void)?
    @usableFromInline let canceller: () -> EffectCanceller
    /// Makes the box that a store uses. The argument is this box: a closure that captured the box would keep it for
    /// ever.
    @usableFromInline let bound:
        (MiddlewareBox, MiddlewareBinding<OutputActionType, StateType>, @escaping State) -> Bound
    /// Makes the box that a store uses inside a lift to an element, where each action has its own getter. The argument
    /// is this box here, too.
    @usableFromInline let boundToElement:
        (MiddlewareBox, MiddlewareBinding<OutputActionType, StateType>) -> MiddlewareBox
    /// The leaf middlewares in order if this is a composite, else nil.
    @usableFromInline let parts: [AnyMiddleware<InputActionType, OutputActionType, StateType>]?

    /// Holds a middleware; `parts` are given if it is composed of others.
    @inlinable
    init<Base: MiddlewareProtocol>(
        _ base: Base,
        parts: [AnyMiddleware<InputActionType, OutputActionType, StateType>]? = nil
    )
    where
        Base.InputActionType == InputActionType,
        Base.OutputActionType == OutputActionType,
        Base.StateType == StateType
    {
        handle = { base.handle(action: $0, from: $1, state: $2) }
        probedHandle = { base.handle(action: $0, from: $1, state: $2, probe: $3) }
        afterReduce = base.hasAfterReduce ? { base.afterReduce(action: $0, from: $1, state: $2, output: $3) } : nil
        canceller = { base.effectCanceller }
        bound = { Bound(base.bound($1), state: $2, origin: $0) }
        boundToElement = { MiddlewareBox(base.bound($1), parts: $0.parts) }
        self.parts = parts
    }
}

/// The storage of an ``AnyMiddleware`` after a store has bound it: its closures contain the getter.
///
/// If the getter were an argument of the closures, each call would allocate. A closure that returns a generic type is
/// wrapped anew whenever it is passed from code that knows the type to code that does not.
@usableFromInline
final class BoundMiddlewareBox<InputActionType, OutputActionType, StateType> {
    @usableFromInline let handle: (InputActionType, ActionSource) -> IO<OutputActionType>
    @usableFromInline let probedHandle: (InputActionType, ActionSource, any PipelineProbe) -> IO<OutputActionType>
    /// Nil if the middleware has no `afterReduce`.
    @usableFromInline let afterReduce: ((InputActionType, ActionSource, AnyActionHandler<OutputActionType>) -> Void)?
    @usableFromInline let canceller: () -> EffectCanceller

    /// The unbound box from which this box was made.
    @usableFromInline let origin: MiddlewareBox<InputActionType, OutputActionType, StateType>

    /// Holds a middleware that is bound to `state`.
    @inlinable
    init<Base: MiddlewareProtocol>(
        _ base: Base,
        state: @escaping GetState<StateType>,
        origin: MiddlewareBox<InputActionType, OutputActionType, StateType>
    )
    where
        Base.InputActionType == InputActionType,
        Base.OutputActionType == OutputActionType,
        Base.StateType == StateType
    {
        handle = { base.handle(action: $0, from: $1, state: state) }
        // A named middleware around this box has not seen its getter.
        probedHandle = { base.handle(action: $0, from: $1, state: $2.reporting(state), probe: $2) }
        afterReduce = base.hasAfterReduce ? { base.afterReduce(action: $0, from: $1, state: state, output: $2) } : nil
        canceller = { base.effectCanceller }
        self.origin = origin
    }
}
