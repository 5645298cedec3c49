// SPDX-License-Identifier: Apache-2.0

/// Whether the code that asks runs in a task.
@usableFromInline
func isInTask() -> Bool {
    // Not `$0 != nil` as the result, which takes twice as long.
    withUnsafeCurrentTask { task in
        if case .some = task { return true }
        return false
    }
}

/// Calls a body that must see nothing of the task in which it is called: no task-locals, priority or cancellation. It
/// has returned when this returns.
@usableFromInline
func outsideOfTask(_ priority: TaskPriority, _ body: @escaping @Sendable () -> Void) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, *) {
        // It runs here and now, as a task that begins at once runs on this thread until it first waits, and this one
        // never does.
        _ = Task.immediateDetached(priority: priority) { body() }
    } else {
        body()
    }
}
