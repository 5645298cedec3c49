// SPDX-License-Identifier: Apache-2.0

extension ReduxStoreBase {
    /// Calls a closure on the pipeline's thread, between two actions, when the pipeline reaches its place in the queue.
    /// Not counted as an action, and it makes no publication due. Returns false if the pipeline has ended.
    @discardableResult
    package final func perform(_ body: @escaping @Sendable () -> Void) -> Bool {
        core.send(body)
    }
}
