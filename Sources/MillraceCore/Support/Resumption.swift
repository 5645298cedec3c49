// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A task that is suspended in ``suspend(isolation:_:)``. It is resumed once, from any thread.
package struct Resumption<Value: Sendable>: Sendable {
    fileprivate let continuation: CheckedContinuation<Value, Never>
    fileprivate let order: ResumptionOrder

    package func resume(returning value: Value) {
        // Releasing: everything done before, for the task; pairs with suspend(_:).
        order.isResumed.store(true, ordering: .releasing)
        continuation.resume(returning: value)
    }

    package func resume() where Value == Void { resume(returning: ()) }
}

private final class ResumptionOrder: Sendable {
    let isResumed = Atomic<Bool>(false)
}

/// Suspends the task until `body`'s resumption is resumed, as `withCheckedContinuation` does.
///
/// A continuation already gives the order "resumed before continued". But ThreadSanitizer does not see it when the
/// continuation is resumed before the task is suspended (Swift 6.3), and reports the caller's own data as a race. It
/// sees the atomic flag used here. One small allocation.
package func suspend<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Resumption<Value>) -> Void
) async -> Value {
    let order = ResumptionOrder()
    let value = await withCheckedContinuation { body(Resumption(continuation: $0, order: order)) }
    // Acquiring: pairs with resume(returning:).
    let isResumed = order.isResumed.load(ordering: .acquiring)
    precondition(isResumed)
    return value
}
