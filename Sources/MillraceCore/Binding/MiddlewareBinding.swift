// SPDX-License-Identifier: Apache-2.0

/// What a store gives to a middleware before the first action: the state, an output, and the store's services.
///
/// ```swift
/// mutating func bind(_ binding: MiddlewareBinding<AppAction, AppState>) {
///     state = binding.state
///     base.bind(binding)               // a middleware that holds others binds them
/// }
/// ```
///
/// A wrapper passes the binding on, unchanged or by ``lifted(state:output:)``. So names, probes, cancellation and gates
/// reach the middlewares inside it.
public struct MiddlewareBinding<OutputActionType, StateType> {
    /// Reads the state.
    public let state: StateReader<StateType>

    @usableFromInline package var services: BindingServices
    @usableFromInline let makeOutput: (@Sendable () -> AnyActionHandler<OutputActionType>)?

    @inlinable
    package init(
        state: StateReader<StateType>,
        services: BindingServices,
        makeOutput: (@Sendable () -> AnyActionHandler<OutputActionType>)?
    ) {
        self.state = state
        self.services = services
        self.makeOutput = makeOutput
    }

    /// Creates a binding without a store, for a test of a middleware. It has no output and no position.
    @inlinable
    public init(state: @escaping GetState<StateType>) {
        self.init(state: StateReader(state), services: BindingServices(), makeOutput: nil)
    }

    /// An output that dispatches at any time, from any thread, for a middleware that does not only answer actions, such
    /// as one that reads a socket.
    ///
    /// It does not keep the store alive; after the store's end its actions are rejected. Nil inside a lift to an
    /// element, because an action needs the key of an element, and in a binding without a store. Each call makes an
    /// output, so keep the result. Retaining a store that has made one costs some nanoseconds more.
    public var output: AnyActionHandler<OutputActionType>? { makeOutput?() }

    /// The name of the innermost named middleware that holds the one being bound; nil if there is none.
    public var name: MiddlewareName? { services.name }

    /// Returns the action that the store's pipeline handles; nil without a store. Call it only in `handle` and
    /// `afterReduce`. A call costs a few loads.
    public var position: (@Sendable () -> ActionPosition)? { services.position }

    /// Returns the binding for a middleware with smaller types. Use it in a wrapper that changes the types.
    @inlinable
    public func lifted<PartOutput, Part>(
        state: StateReader<Part>,
        output: @escaping @Sendable (PartOutput) -> OutputActionType
    ) -> MiddlewareBinding<PartOutput, Part> {
        lifted(state: state, handler: { $0.contramap(output) })
    }

    @inlinable
    package func lifted<PartOutput, Part>(
        state: StateReader<Part>,
        handler: (@Sendable (AnyActionHandler<OutputActionType>) -> AnyActionHandler<PartOutput>)?
    ) -> MiddlewareBinding<PartOutput, Part> {
        var make: (@Sendable () -> AnyActionHandler<PartOutput>)?
        if let makeOutput, let handler { make = { handler(makeOutput()) } }
        return MiddlewareBinding<PartOutput, Part>(state: state, services: services, makeOutput: make)
    }
}

extension MiddlewareBinding {
    /// Returns the binding for a middleware inside a named one.
    @usableFromInline
    func named(_ name: MiddlewareName) -> MiddlewareBinding {
        var binding = self
        binding.services.name = name
        return binding
    }

    /// Returns the binding for a middleware whose names are collected apart, such as a plugin.
    package func collecting(_ names: BoundNames) -> MiddlewareBinding {
        var binding = self
        binding.services = services.collecting(names)
        return binding
    }

    /// Returns the binding for a middleware behind a gate that cancels effects when it closes.
    @usableFromInline
    package func behindGate(_ isOpen: @escaping @Sendable () -> Bool) -> MiddlewareBinding {
        var binding = self
        let outer = services.areGatesOpen
        binding.services.areGatesOpen = { isOpen() && outer?() != false }
        return binding
    }
}
