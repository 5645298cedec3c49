// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The longest time that ``eventually(within:isolation:_:)`` waits. `make mutate` sets it in the environment: with a
/// mistake in the library the condition may never hold, and few tests run beside each other.
private let longest: Duration =
    ProcessInfo.processInfo.environment["MILLRACE_TEST_SECONDS"].flatMap(Int.init).map(Duration.seconds)
    ?? .seconds(240)

/// Waits until a condition holds. Returns false if it does not hold within the limit, or if the test is cancelled.
///
/// The limit is long because a machine may be busy: a test that passes never waits for it.
public func eventually(
    within limit: Duration = .seconds(240),
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async -> Bool
) async -> Bool {
    let end = ContinuousClock.now + min(limit, longest)
    while await !condition() {
        if Task.isCancelled || ContinuousClock.now >= end { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
