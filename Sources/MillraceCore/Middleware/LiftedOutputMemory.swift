// SPDX-License-Identifier: Apache-2.0

/// Lifts the output that a store passes to `afterReduce`: only once, because a store always passes the same output.
@usableFromInline
package final class LiftedOutputMemory<Output, GlobalOutput>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store to which the middleware is bound uses it.
    @usableFromInline let make: @Sendable (AnyActionHandler<GlobalOutput>) -> AnyActionHandler<Output>
    @usableFromInline var sink: ActionSink<GlobalOutput>?
    @usableFromInline var lifted: ActionSink<Output>?

    /// - Parameter make: The function that lifts an output; it has to keep cause and run.
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
