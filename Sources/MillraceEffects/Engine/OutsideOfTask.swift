// SPDX-License-Identifier: Apache-2.0

/// Returns whether the calling code runs in a task.
@usableFromInline
func isInTask() -> Bool { withUnsafeCurrentTask { $0.isThere } }

extension Optional where Wrapped: ~Copyable {
    /// Whether there is a value. A comparison with nil, or a pattern, would copy the value, which takes long if the
    /// compiler does not know its size.
    fileprivate var isThere: Bool {
        @inline(__always)
        borrowing get {
            switch self {
            case .some: true
            case .none: false
            }
        }
    }
}

/// Calls `body`, which must see nothing of the current task: no task-locals, priority or cancellation. Returns after
/// `body` has returned.
@usableFromInline
func outsideOfTask(_ priority: TaskPriority, _ body: @escaping @Sendable () -> Void) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, *) {
        // `body` runs on this thread, before this call returns: an immediate task runs here until it first suspends,
        // and this one never does.
        _ = Task.immediateDetached(priority: priority) { body() }
    } else {
        body()
    }
}
