// SPDX-License-Identifier: Apache-2.0

/// A choice between low CPU use and low latency: a simple form of ``WaitStrategy``.
public enum LatencyPreference: String, Sendable, Hashable, Codable, CaseIterable {
    /// The thread sleeps as soon as the queue is empty: the lowest CPU use.
    case throughput
    /// The thread spins for 50 µs before it sleeps. The default of ``StoreEngine/thread(name:wait:)``.
    case balanced
    /// The thread never sleeps, and reads the queue as often as it can. It always needs a processor core to itself. If
    /// as many threads spin already as ``WaitStrategy`` allows, the thread waits as with `balanced`.
    case lowLatency

    /// The wait strategy of this preference.
    public var strategy: WaitStrategy {
        switch self {
        case .throughput: .park
        case .balanced: .spinThenPark()
        case .lowLatency: .busySpinClosely
        }
    }
}
