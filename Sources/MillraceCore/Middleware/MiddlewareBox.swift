// SPDX-License-Identifier: Apache-2.0

/// What an ``AnyMiddleware`` holds until a store takes it.
///
/// Closures and not virtual methods: a closure is specialised for the middleware where the middleware is erased, the
/// methods of a generic class are not.
@usableFromInline
final class MiddlewareBox<InputActionType, OutputActionType, StateType> {
    @usableFromInline typealias Bound = BoundMiddlewareBox<InputActionType, OutputActionType, StateType>
    @usableFromInline typealias State = GetState<StateType>

    @usableFromInline let handle: (InputActionType, ActionSource, @escaping State) -> IO<OutputActionType>
    @usableFromInline let probedHandle:
        (InputActionType, ActionSource, @escaping State, any PipelineProbe) -> IO<OutputActionType>
    /// nil: it has none.
    @usableFromInline let afterReduce:
        ((InputActionType, ActionSource, @escaping State, AnyActionHandler<OutputActionType>) -> Void)?
    @usableFromInline let canceller: () -> EffectCanceller
    /// Makes what a store uses; given the box itself, as a closure that held it would keep it for ever.
    @usableFromInline let bound: (MiddlewareBox, @escaping State, LiveState<StateType>?) -> Bound
    /// Makes what a store uses where there is no state to bind to; given the box itself, too.
    @usableFromInline let boundWithoutState: (MiddlewareBox) -> MiddlewareBox
    /// The leaves in order if this is a composite, else nil.
    @usableFromInline let parts: [AnyMiddleware<InputActionType, OutputActionType, StateType>]?

    /// Holds a middleware; `parts` are given when it is made of others.
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
        bound = { Bound(base.bound(to: $1, live: $2), state: $1, origin: $0) }
        boundWithoutState = { MiddlewareBox(base.boundWithoutState(), parts: $0.parts) }
        self.parts = parts
    }
}

/// What an ``AnyMiddleware`` holds once a store took it: the getter is in the closures.
///
/// Were it passed to them at each call, each call would allocate: a closure that returns a generic type is wrapped
/// anew whenever it crosses from code that knows the type to code that does not.
@usableFromInline
final class BoundMiddlewareBox<InputActionType, OutputActionType, StateType> {
    @usableFromInline let handle: (InputActionType, ActionSource) -> IO<OutputActionType>
    @usableFromInline let probedHandle: (InputActionType, ActionSource, any PipelineProbe) -> IO<OutputActionType>
    /// nil: it has none.
    @usableFromInline let afterReduce: ((InputActionType, ActionSource, AnyActionHandler<OutputActionType>) -> Void)?
    @usableFromInline let canceller: () -> EffectCanceller

    /// What it was made of, unbound.
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
        probedHandle = { base.handle(action: $0, from: $1, state: state, probe: $2) }
        afterReduce = base.hasAfterReduce ? { base.afterReduce(action: $0, from: $1, state: state, output: $2) } : nil
        canceller = { base.effectCanceller }
        self.origin = origin
    }
}
