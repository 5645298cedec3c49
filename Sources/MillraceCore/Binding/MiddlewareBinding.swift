// SPDX-License-Identifier: Apache-2.0

/// What a store gives to a middleware before the first action: the state, and the store's services.
///
/// ```swift
/// mutating func bind(_ binding: MiddlewareBinding<AppAction, AppState>) {
///     state = binding.state
///     base.bind(binding)               // a middleware that holds others binds them
/// }
/// ```
///
/// A wrapper passes the binding on, unchanged or by ``lifted(state:)``. So names, probes, cancellation and gates
/// reach the middlewares inside it.
public struct MiddlewareBinding<OutputActionType, StateType> {
    /// Reads the state.
    public let state: StateReader<StateType>

    @usableFromInline package var services: BindingServices

    @inlinable
    package init(state: StateReader<StateType>, services: BindingServices) {
        self.state = state
        self.services = services
    }

    /// Creates a binding without a store, for a test of a middleware. It has no position.
    @inlinable
    public init(state: @escaping GetState<StateType>) {
        self.init(state: StateReader(state), services: BindingServices())
    }

    /// The name of the innermost named middleware that holds the one being bound; nil if there is none.
    public var name: MiddlewareName? { services.name }

    /// Returns the action that the store's pipeline handles; nil without a store. Call it only in `handle` and
    /// `afterReduce`. A call costs a few loads.
    public var position: (@Sendable () -> ActionPosition)? { services.position }

    /// Returns the binding for a middleware with other types. Use it in a wrapper that changes the types.
    @inlinable
    public func lifted<PartOutput, Part>(state: StateReader<Part>) -> MiddlewareBinding<PartOutput, Part> {
        MiddlewareBinding<PartOutput, Part>(state: state, services: services)
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
