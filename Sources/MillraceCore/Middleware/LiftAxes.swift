// SPDX-License-Identifier: Apache-2.0

/// How a middleware's actions and state are found in larger ones; an axis that is left out stays as it is.
@usableFromInline
struct LiftAxes<GlobalInput, GlobalOutput, GlobalState, Input, Output, State>: Sendable {
    @usableFromInline typealias LiftedOutput =
        @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>

    @usableFromInline let input: @Sendable (GlobalInput) -> Input?
    @usableFromInline let io: @Sendable (IO<Output>) -> IO<GlobalOutput>
    /// Makes the function that lifts the output given to `afterReduce`.
    @usableFromInline let makeLiftedOutput: @Sendable () -> LiftedOutput
    @usableFromInline let getter: @Sendable (@escaping GetState<GlobalState>) -> GetState<State>
    /// Where the same as the getter's lies; nil if it is not stored.
    @usableFromInline let live: @Sendable (LiveState<GlobalState>) -> LiveState<State>?

    @inlinable
    init(
        input: @escaping @Sendable (GlobalInput) -> Input?,
        io: @escaping @Sendable (IO<Output>) -> IO<GlobalOutput>,
        makeLiftedOutput: @escaping @Sendable () -> LiftedOutput,
        getter: @escaping @Sendable (@escaping GetState<GlobalState>) -> GetState<State>,
        live: @escaping @Sendable (LiveState<GlobalState>) -> LiveState<State>?
    ) {
        self.input = input
        self.io = io
        self.makeLiftedOutput = makeLiftedOutput
        self.getter = getter
        self.live = live
    }
}

extension LiftAxes where GlobalInput == Input, GlobalOutput == Output, GlobalState == State {
    /// All axes as they are.
    @inlinable
    init() {
        self.init(input: { $0 }, io: { $0 }, makeLiftedOutput: { { $0 } }, getter: { $0 }, live: { $0 })
    }
}

extension LiftAxes {
    /// Larger input actions.
    @inlinable
    func input<NewInput>(
        _ map: @escaping @Sendable (NewInput) -> Input?
    ) -> LiftAxes<NewInput, GlobalOutput, GlobalState, Input, Output, State> where GlobalInput == Input {
        LiftAxes<NewInput, GlobalOutput, GlobalState, Input, Output, State>(
            input: map,
            io: io,
            makeLiftedOutput: makeLiftedOutput,
            getter: getter,
            live: live
        )
    }

    /// Larger output actions.
    @inlinable
    func output<NewOutput>(
        _ map: @escaping @Sendable (Output) -> NewOutput
    ) -> LiftAxes<GlobalInput, NewOutput, GlobalState, Input, Output, State> where GlobalOutput == Output {
        LiftAxes<GlobalInput, NewOutput, GlobalState, Input, Output, State>(
            input: input,
            io: { $0.map(map) },
            makeLiftedOutput: {
                let memory = LiftedOutputMemory { $0.contramap(map) }
                return { memory.lift($0) }
            },
            getter: getter,
            live: live
        )
    }

    /// A larger state.
    @inlinable
    func state<NewState>(
        _ map: @escaping @Sendable (NewState) -> State
    ) -> LiftAxes<GlobalInput, GlobalOutput, NewState, Input, Output, State> where GlobalState == State {
        state(map, live: { _ in nil })
    }

    /// A larger state, by a key path that is used as an offset where it can be.
    @inlinable
    func state<NewState>(
        path: KeyPath<NewState, State>
    ) -> LiftAxes<GlobalInput, GlobalOutput, NewState, Input, Output, State> where GlobalState == State {
        let reader = PathReader(path)
        return state({ reader.read($0) }, live: { $0.part(reader) })
    }

    @inlinable
    func state<NewState>(
        _ map: @escaping @Sendable (NewState) -> State,
        live: @escaping @Sendable (LiveState<NewState>) -> LiveState<State>?
    ) -> LiftAxes<GlobalInput, GlobalOutput, NewState, Input, Output, State> where GlobalState == State {
        LiftAxes<GlobalInput, GlobalOutput, NewState, Input, Output, State>(
            input: input,
            io: io,
            makeLiftedOutput: makeLiftedOutput,
            getter: { state in { map(state()) } },
            live: live
        )
    }
}
