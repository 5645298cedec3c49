// SPDX-License-Identifier: Apache-2.0

/// What begins an effect that had to wait for others of its token.
enum DeferredStart: Sendable {
    case body(@Sendable () -> Void)
    /// It also waits for the journal.
    case held(HeldStart)

    /// Begins the effect, unless it still waits for the journal. Returns whether the body has returned.
    func begin() -> Bool {
        switch self {
        case .body(let body):
            body()
            return true
        case .held(let start): return start.takePlace()
        }
    }
}
