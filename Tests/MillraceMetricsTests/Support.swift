// SPDX-License-Identifier: Apache-2.0

/// Waits until a condition holds, at most so long. Returns whether it did.
func eventually(within limit: Duration = .seconds(60), _ condition: () -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while !condition() {
        guard clock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
