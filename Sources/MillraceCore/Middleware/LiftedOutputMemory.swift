// SPDX-License-Identifier: Apache-2.0

/// Changes the output that a store gives to `afterReduce`; as a store always gives the same, it is done once.
@usableFromInline
package final class LiftedOutputMemory<Output, GlobalOutput>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store that the middleware is bound to comes here.
    @usableFromInline let make: @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>
    @usableFromInline var sink: ActionSink<GlobalOutput>?
    @usableFromInline var lifted: ActionSink<Output>?

    /// - Parameter make: Keeps cause and run.
    @inlinable
    package init(_ make: @escaping @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>) {
        self.make = make
    }

    @inlinable
    package func lift(_ output: AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output> {
        if let lifted, sink === output.sink {
            return AnyActionHandler(sink: lifted, cause: output.cause, run: output.run)
        }
        let result = make(output)
        sink = output.sink
        lifted = result.sink
        return result
    }
}
