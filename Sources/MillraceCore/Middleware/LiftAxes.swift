// SPDX-License-Identifier: Apache-2.0

/// The axes of a lift: how a middleware's actions and state are found in larger types. An omitted axis does not change.
@usableFromInline
struct LiftAxes<GlobalInput, GlobalOutput, GlobalState, Input, Output, State>: Sendable {
    @usableFromInline typealias LiftOutput =
        @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>

    @usableFromInline let input: @Sendable (GlobalInput) -> Input?
    @usableFromInline let io: @Sendable (IO<Output>) -> IO<GlobalOutput>
    @usableFromInline let output: LiftOutput
    /// Finds the state in the larger state of a binding.
    @usableFromInline let part: @Sendable (StateSource<GlobalState>) -> StateSource<State>
    /// Finds the state in the larger state of one action, where no binding has it.
    @usableFromInline let getter: @Sendable (@escaping GetState<GlobalState>) -> GetState<State>

    @inlinable
    init(
        input: @escaping @Sendable (GlobalInput) -> Input?,
        io: @escaping @Sendable (IO<Output>) -> IO<GlobalOutput>,
        output: @escaping LiftOutput,
        part: @escaping @Sendable (StateSource<GlobalState>) -> StateSource<State>,
        getter: @escaping @Sendable (@escaping GetState<GlobalState>) -> GetState<State>
    ) {
        self.input = input
        self.io = io
        self.output = output
        self.part = part
        self.getter = getter
    }
}

extension LiftAxes where GlobalInput == Input, GlobalOutput == Output, GlobalState == State {
    /// Creates axes that change nothing.
    @inlinable
    init() {
        self.init(
            input: { $0 },
            io: { $0 },
            output: { $0 },
            part: { $0 },
            getter: { $0 }
        )
    }
}

extension LiftAxes {
    /// Returns these axes with a larger input action type.
    @inlinable
    func input<NewInput>(
        _ map: @escaping @Sendable (NewInput) -> Input?
    ) -> LiftAxes<NewInput, GlobalOutput, GlobalState, Input, Output, State> where GlobalInput == Input {
        LiftAxes<NewInput, GlobalOutput, GlobalState, Input, Output, State>(
            input: map,
            io: io,
            output: output,
            part: part,
            getter: getter
        )
    }

    /// Returns these axes with a larger output action type.
    @inlinable
    func output<NewOutput>(
        _ map: @escaping @Sendable (Output) -> NewOutput
    ) -> LiftAxes<GlobalInput, NewOutput, GlobalState, Input, Output, State> where GlobalOutput == Output {
        LiftAxes<GlobalInput, NewOutput, GlobalState, Input, Output, State>(
            input: input,
            io: { $0.map(map) },
            output: { $0.contramap(map) },
            part: part,
            getter: getter
        )
    }

    /// Returns these axes with a larger state type.
    @inlinable
    func state<NewState>(
        _ map: @escaping @Sendable (NewState) -> State
    ) -> LiftAxes<GlobalInput, GlobalOutput, NewState, Input, Output, State> where GlobalState == State {
        state(map, part: { $0.part(map) })
    }

    /// Returns these axes with a larger state type and a key path, which is used as an offset if possible.
    @inlinable
    func state<NewState>(
        path: KeyPath<NewState, State>
    ) -> LiftAxes<GlobalInput, GlobalOutput, NewState, Input, Output, State> where GlobalState == State {
        let reader = PathReader(path)
        return state({ reader.read($0) }, part: { $0.part(reader) })
    }

    @inlinable
    func state<NewState>(
        _ map: @escaping @Sendable (NewState) -> State,
        part: @escaping @Sendable (StateSource<NewState>) -> StateSource<State>
    ) -> LiftAxes<GlobalInput, GlobalOutput, NewState, Input, Output, State> where GlobalState == State {
        LiftAxes<GlobalInput, GlobalOutput, NewState, Input, Output, State>(
            input: input,
            io: io,
            output: output,
            part: part,
            getter: { state in { map(state()) } }
        )
    }
}
