// SPDX-License-Identifier: Apache-2.0

/// A middleware that holds another one, its base, and forwards everything to it: names, probes, cancellation, binding.
///
/// Only `base` is required. A wrapper changes what it is made for, and the rest is forwarded by the defaults:
///
/// ```swift
/// struct Traced<Base: MiddlewareProtocol>: MiddlewareWrapper {
///     var base: Base
///
///     func handle(
///         action: Base.InputActionType, from dispatcher: ActionSource, state: @escaping GetState<Base.StateType>,
///         next: BaseHandle
///     ) -> IO<Base.OutputActionType> {
///         print("handles", action)
///         return next(action, dispatcher, state)
///     }
/// }
/// ```
///
/// A wrapper implements `handle` and `afterReduce` with the parameter `next`, which calls the base. The store's calls,
/// with and without a probe, arrive there. Do not implement the functions without `next`: a probe would pass by them.
///
/// A wrapper whose types differ from those of its base names its own three types, and implements `handle`,
/// `afterReduce` and `bind(_:)`, which calls `bind(_:)` of the base. Without one of them it does not compile.
///
/// **Cost.** None: the calls of the base are specialised into the store's loop.
public protocol MiddlewareWrapper<Base>: MiddlewareProtocol where AfterReduce == Void {
    /// The type of the middleware inside.
    associatedtype Base: MiddlewareProtocol
    // Declared again, for the defaults.
    associatedtype InputActionType = Base.InputActionType
    associatedtype OutputActionType = Base.OutputActionType
    associatedtype StateType = Base.StateType

    /// Calls `handle` of the base.
    typealias BaseHandle = (
        Base.InputActionType, ActionSource, @escaping GetState<Base.StateType>
    ) -> IO<Base.OutputActionType>

    /// Calls `afterReduce` of the base.
    typealias BaseAfterReduce = (
        Base.InputActionType, ActionSource, @escaping GetState<Base.StateType>, AnyActionHandler<Base.OutputActionType>
    ) -> Void

    /// The middleware inside.
    var base: Base { get set }

    /// Receives an action before the reducers. Default: returns what `next` returns.
    ///
    /// `next` calls `handle` of the base. Use it at most once in each call, and not after the call. `afterReduce` must
    /// pass on the same action: a lift to an element inside keeps one action between the two.
    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        next: BaseHandle
    ) -> IO<OutputActionType>

    /// Receives the same action after the reducers. Default: calls `next`. Called only if `hasAfterReduce` is true,
    /// which by default it is if the base has an `afterReduce`.
    ///
    /// `next` calls `afterReduce` of the base. It must not be used after the call.
    func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>,
        next: BaseAfterReduce
    )
}

// What the store calls.
extension MiddlewareWrapper {
    /// Calls `handle` with `next`.
    @preconcurrency
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        handle(action: action, from: dispatcher, state: state) { action, dispatcher, state in
            base.handle(action: action, from: dispatcher, state: state)
        }
    }

    /// Calls `handle` with `next`, and passes the probe on to the base.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        handle(action: action, from: dispatcher, state: state) { action, dispatcher, state in
            // A lift has a getter of its own, which a named middleware around it has not seen.
            base.handle(action: action, from: dispatcher, state: probe.reporting(state), probe: probe)
        }
    }

    /// Calls `afterReduce` with `next`.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        afterReduce(action: action, from: dispatcher, state: state, output: output) {
            action,
            dispatcher,
            state,
            output in
            base.afterReduce(action: action, from: dispatcher, state: state, output: output)
        }
    }

    /// Whether the base has an `afterReduce`.
    @inlinable
    public var hasAfterReduce: Bool { base.hasAfterReduce }

    /// The canceller of the base.
    @inlinable
    public var effectCanceller: EffectCanceller { base.effectCanceller }
}

// A declaration that never compiles: the compiler chooses it where a wrapper with other types has no `bind(_:)` of its
// own. Otherwise the one of `MiddlewareProtocol` would fit, which does nothing. scripts/errors-test.sh compares the
// message.
extension MiddlewareWrapper {
    /// Binds nothing: it does not compile, and the message says what to write.
    @available(
        *,
        unavailable,
        message: "its types are not those of its base: implement bind(_:), as base.bind(binding.lifted(state: …))"
    )
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {}
}

// What a wrapper with the types of its base may leave out.
extension MiddlewareWrapper
where
    InputActionType == Base.InputActionType,
    OutputActionType == Base.OutputActionType,
    StateType == Base.StateType
{
    /// Returns what the base returns.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        next: BaseHandle
    ) -> IO<OutputActionType> {
        next(action, dispatcher, state)
    }

    /// Calls the base.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>,
        next: BaseAfterReduce
    ) {
        next(action, dispatcher, state, output)
    }

    /// Binds the base.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        base.bind(binding)
    }
}
