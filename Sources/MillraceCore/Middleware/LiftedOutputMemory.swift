// SPDX-License-Identifier: Apache-2.0

/// Lifts the output that a store gives to `afterReduce`; as a store always gives the same, it is done once.
@usableFromInline
final class LiftedOutputMemory<Output, GlobalOutput>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store that the middleware is bound to comes here.
    @usableFromInline let map: @Sendable (Output) -> GlobalOutput
    @usableFromInline var sink: ActionSink<GlobalOutput>?
    @usableFromInline var lifted: ActionSink<Output>?

    @inlinable
    init(_ map: @escaping @Sendable (Output) -> GlobalOutput) {
        self.map = map
    }

    @inlinable
    func lift(_ output: AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output> {
        if let lifted, sink === output.sink {
            return AnyActionHandler(sink: lifted, cause: output.cause, run: output.run)
        }
        let result = output.contramap(map)
        sink = output.sink
        lifted = result.sink
        return result
    }
}
