// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Decides what a store's thread does when there is nothing to do.
///
/// | strategy | wake-up time | CPU when idle |
/// |---|---|---|
/// | `.park` | about 10 µs (one system call on each side) | none |
/// | `.spinThenPark()` | about 1 µs for the first 50 µs, then as `.park` | none after those 50 µs |
/// | `.busySpin` | about 1 µs | one core, always |
/// | `.busySpinClosely` | well below 1 µs | one core, always |
///
/// A spinning thread reads the queue about once a microsecond (`.busySpinClosely`: every few nanoseconds), because each
/// read takes the cache line away from the producer that writes it. On a machine with one processor the thread never spins.
///
/// **Limit.** The threads of a process that spin without end are always fewer than the processors that it may use, else
/// none would be left for the producers. The stores beyond that number wait as with `.spinThenPark()`, until a store
/// that spins has ended.
public struct WaitStrategy: Sendable, Hashable {
    @usableFromInline enum Kind: Sendable, Hashable {
        case park
        case spinThenPark(Duration)
        case busySpin
        case busySpinClosely
    }

    @usableFromInline let kind: Kind

    var isEndless: Bool { kind == .busySpin || kind == .busySpinClosely }

    /// Sleeps at once.
    public static let park = WaitStrategy(kind: .park)

    /// Spins for `duration`, then sleeps. The default.
    public static func spinThenPark(for duration: Duration = .microseconds(50)) -> WaitStrategy {
        WaitStrategy(kind: .spinThenPark(duration))
    }

    /// Never sleeps, within the limit of the type. For a store that has a processor core to itself.
    public static let busySpin = WaitStrategy(kind: .busySpin)

    /// Never sleeps, within the limit of the type, and reads the queue every few nanoseconds. Has the lowest latency, but
    /// costs some throughput when producers are fast.
    public static let busySpinClosely = WaitStrategy(kind: .busySpinClosely)
}

extension WaitStrategy: CustomStringConvertible {
    /// The strategy, nearly as it is written in code: `.spinThenPark(for: 50.0 µs)`.
    public var description: String {
        switch kind {
        case .park: ".park"
        case .spinThenPark(let duration): ".spinThenPark(for: \(Decimal.duration(duration)))"
        case .busySpin: ".busySpin"
        case .busySpinClosely: ".busySpinClosely"
        }
    }
}
