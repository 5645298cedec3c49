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
/// A wrapper passes the binding on, unchanged or by ``lifted(state:output:)``. So names, probes, cancellation and gates
/// reach the middlewares inside it.
///
/// It has no output: an action sent at any time, past the routers, gates and plugins around the middleware, would break
/// their rules. Dispatch in an `IO` or an effect. The store's services (who holds an IO, who is told of effects) are
/// not public.
public struct MiddlewareBinding<OutputActionType, StateType> {
    /// Reads the state.
    public let state: StateReader<StateType>

    @usableFromInline package var services: BindingServices

    /// Makes the output that `receiveContext` gets. Nil without a store, and in a lift to an element. Only during the
    /// binding.
    @usableFromInline package let makeOutput: (() -> AnyActionHandler<OutputActionType>)?

    @inlinable
    package init(
        state: StateReader<StateType>,
        services: BindingServices,
        makeOutput: (() -> AnyActionHandler<OutputActionType>)? = nil
    ) {
        self.state = state
        self.services = services
        self.makeOutput = makeOutput
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
    ///
    /// - Parameters:
    ///   - state: The reader of the middleware's part of the state.
    ///   - output: Adapts the store's output, for the `receiveContext` of an ``AnyMiddleware`` inside; nil: that
    ///     closure is not called.
    @inlinable
    public func lifted<PartOutput, Part>(
        state: StateReader<Part>,
        output: ((AnyActionHandler<OutputActionType>) -> AnyActionHandler<PartOutput>)? = nil
    ) -> MiddlewareBinding<PartOutput, Part> {
        var state = state
        if let copies = self.state.source.copies, state.source.copies == nil {
            state = StateReader(state.source.reporting(copies))
        }
        var makePart: (() -> AnyActionHandler<PartOutput>)?
        if let output, let makeOutput { makePart = { output(makeOutput()) } }
        return MiddlewareBinding<PartOutput, Part>(state: state, services: services, makeOutput: makePart)
    }
}

extension MiddlewareBinding {
    /// Returns the binding for a middleware inside a named one. The copies that its reader makes are reported under
    /// this name.
    @usableFromInline
    func named(_ name: MiddlewareName) -> MiddlewareBinding {
        var state = state
        if let cell = services.copies {
            state = StateReader(state.source.reporting(ReaderCopies(name: name, cell: cell)))
        }
        var binding = MiddlewareBinding(state: state, services: services, makeOutput: makeOutput)
        binding.services.name = name
        return binding
    }

    /// Returns the binding for a middleware whose names are collected apart, such as a plugin.
    package func collecting(_ names: BoundNames) -> MiddlewareBinding {
        var binding = self
        binding.services = services.collecting(names)
        return binding
    }

    /// Returns the binding for a middleware whose outputs pass through `map`.
    @usableFromInline
    package func mappingOutput(
        _ map: @escaping (AnyActionHandler<OutputActionType>) -> AnyActionHandler<OutputActionType>
    ) -> MiddlewareBinding {
        lifted(state: state, output: map)
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
