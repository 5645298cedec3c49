// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Counts the errors of a store of substates, and passes them to a handler.
///
/// Without a handler, the first error is written to standard error.
public final class SubstateErrors: Sendable {
    private let counter = Atomic<Int>(0)
    private let last = Locked<SubstateError?>(nil)
    private let handler: (@Sendable (SubstateError) -> Void)?

    init(_ handler: (@Sendable (SubstateError) -> Void)?) {
        self.handler = handler
    }

    /// The number of errors so far. Any thread.
    public var count: Int {
        // Relaxed: a statistic.
        counter.load(ordering: .relaxed)
    }

    /// The latest error. Any thread.
    public var latest: SubstateError? { last.withLock { $0 } }

    @usableFromInline
    func report(_ error: SubstateError) {
        // The errors of one store come from its pipeline and from its tasks. Relaxed: a statistic.
        let number = counter.add(1, ordering: .relaxed).newValue
        last.withLock { $0 = error }
        if let handler { return handler(error) }
        guard number == 1 else { return }
        let line = "MillraceSubstates: \(error). Later errors are only counted; pass onError: to see them.\n"
        _ = line.utf8.withContiguousStorageIfAvailable { write(2, $0.baseAddress, $0.count) }
    }
}
