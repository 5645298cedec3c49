// SPDX-License-Identifier: Apache-2.0

/// Returns whether the calling code runs in a task.
@usableFromInline
func isInTask() -> Bool {
    // Not `$0 != nil`, which takes twice as long.
    withUnsafeCurrentTask { task in
        if case .some = task { return true }
        return false
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
