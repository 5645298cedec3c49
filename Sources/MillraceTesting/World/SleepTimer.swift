// SPDX-License-Identifier: Apache-2.0

/// A sleep on the clock of a world. Belongs to the holder of the world's token.
final class SleepTimer: @unchecked Sendable {
    // Unchecked because of that rule.
    var continuation: CheckedContinuation<Void, any Error>?
    var isCancelled = false
}

/// Work that is due at a time of the world.
struct WorldTimer {
    let due: UInt64
    let number: UInt64
    let name: String
    /// The sleep that the timer ends; nil if it does something else.
    var sleep: SleepTimer?
    let fire: () -> Void
}
