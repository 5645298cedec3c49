// SPDX-License-Identifier: Apache-2.0

/// A middleware adapted to larger action and state types; made by `lift`.
///
/// ```swift
/// let middleware = Auth().lift(inputAction: \.auth, outputAction: AppAction.auth, state: \.auth)
/// ```
///
/// If the input action is not for the middleware, the middleware is not called, and the IO is pure. Sources are kept.
///
/// **Cost.** One call per closure. In a store, nothing is allocated per action, unless the middleware returns an IO
/// that is not pure and the output is lifted. Outside of a store, the state getter is created at each call.
public struct LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, Part: MiddlewareProtocol>: MiddlewareWrapper {
    /// The actions it sees.
    public typealias InputActionType = GlobalInput
    /// The actions it dispatches.
    public typealias OutputActionType = GlobalOutput
    /// The state it can read.
    public typealias StateType = GlobalState

    @usableFromInline typealias Axes = LiftAxes<
        GlobalInput, GlobalOutput, GlobalState, Part.InputActionType, Part.OutputActionType, Part.StateType
    >

    /// The middleware with the smaller types.
    public var base: Part
    @usableFromInline let axes: Axes
    /// The base's state, found once when a store binds the middleware. Nil outside of a store, and inside a lift to an
    /// element, where each action has its own getter.
    @usableFromInline var source: StateSource<Part.StateType>?
    /// The base's output, lifted once. Made when a store binds the middleware.
    @usableFromInline var output: LiftedOutputMemory<Part.OutputActionType, GlobalOutput>?
    /// Both, for `afterReduce`, which does not retain them; nil if `source` is nil.
    @usableFromInline var lent: Lent?

    @usableFromInline
    struct Lent: @unchecked Sendable {
        // Unchecked because an unmanaged reference is not Sendable; both objects are.
        @usableFromInline let source: Unmanaged<StateSource<Part.StateType>>
        @usableFromInline let output: Unmanaged<LiftedOutputMemory<Part.OutputActionType, GlobalOutput>>

        @inlinable
        init(
            _ source: StateSource<Part.StateType>,
            _ output: LiftedOutputMemory<Part.OutputActionType, GlobalOutput>
        ) {
            self.source = .passUnretained(source)
            self.output = .passUnretained(output)
        }
    }

    @inlinable
    init(_ base: Part, _ axes: Axes) {
        self.base = base
        self.axes = axes
    }

    /// Calls `handle` of the base if the action is for the base.
    @inlinable
    public func handle(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        next: BaseHandle
    ) -> IO<GlobalOutput> {
        guard let action = axes.input(action) else { return .pure() }
        // Two calls, not one with either getter: if the base ignores its getter, the compiler removes the bound one.
        guard let source else {
            let io = next(action, dispatcher, axes.getter(state))
            return io.isPure ? .pure() : axes.io(io)
        }
        let io = next(action, dispatcher, { source.read() })
        return io.isPure ? .pure() : axes.io(io)
    }

    /// Calls `afterReduce` of the base if the action is for the base.
    @inlinable
    public func afterReduce(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        output: AnyActionHandler<GlobalOutput>,
        next: BaseAfterReduce
    ) {
        guard base.hasAfterReduce, let action = axes.input(action) else { return }
        guard let lent else { return next(action, dispatcher, axes.getter(state), axes.output(output)) }
        // The compiler would release a copy of this middleware early, and the base may replace the original.
        defer {
            withExtendedLifetime(source) {}
            withExtendedLifetime(self.output) {}
        }
        lent.output._withUnsafeGuaranteedRef { memory in
            memory.lend(output) { output in
                lent.source._withUnsafeGuaranteedRef { source in
                    next(action, dispatcher, { source.read() }, output)
                }
            }
        }
    }

    /// Binds the base to its part of the state.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<GlobalOutput, GlobalState>) {
        let part = axes.part(binding.state.source)
        base.bind(binding.lifted(state: StateReader(part), output: axes.output))
        let memory = LiftedOutputMemory(axes.output)
        output = memory
        (source, lent) = part.isFixed ? (part, Lent(part, memory)) : (nil, nil)
    }
}

extension LiftMiddleware: Sendable where Part: Sendable {}
