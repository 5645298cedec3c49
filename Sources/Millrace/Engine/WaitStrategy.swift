// SPDX-License-Identifier: Apache-2.0

/// What the thread of a store does when there is nothing to do.
///
/// | strategy | wakes up in | CPU when idle |
/// |---|---|---|
/// | `.park` | some 10 µs (a system call each side) | none |
/// | `.spinThenPark()` | about 1 µs for the first 50 µs, then as `.park` | none after those 50 µs |
/// | `.busySpin` | about 1 µs | one core, always |
/// | `.busySpinClosely` | well below 1 µs | one core, always |
///
/// A spinning thread looks at the queue every microsecond or so rather than all the time: looking takes the cache line
/// away from the producer that is writing it. On a machine with one processor nobody spins.
public struct WaitStrategy: Sendable, Hashable {
    @usableFromInline enum Kind: Sendable, Hashable {
        case park
        case spinThenPark(Duration)
        case busySpin
        case busySpinClosely
    }

    @usableFromInline let kind: Kind

    /// Sleeps at once.
    public static let park = WaitStrategy(kind: .park)

    /// Looks again for a while, then sleeps. The default.
    public static func spinThenPark(for duration: Duration = .microseconds(50)) -> WaitStrategy {
        WaitStrategy(kind: .spinThenPark(duration))
    }

    /// Never sleeps. For a core that the store has to itself.
    public static let busySpin = WaitStrategy(kind: .busySpin)

    /// Never sleeps, and looks every few nanoseconds: the least latency, at the cost of some throughput when producers
    /// are fast.
    public static let busySpinClosely = WaitStrategy(kind: .busySpinClosely)
}

extension WaitStrategy: CustomStringConvertible {
    /// As it is written.
    public var description: String {
        switch kind {
        case .park: ".park"
        case .spinThenPark(let duration): ".spinThenPark(for: \(duration))"
        case .busySpin: ".busySpin"
        case .busySpinClosely: ".busySpinClosely"
        }
    }
}
