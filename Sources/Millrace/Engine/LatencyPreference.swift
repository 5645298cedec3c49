// SPDX-License-Identifier: Apache-2.0

/// One knob between CPU and latency, over the detailed ``WaitStrategy``.
public enum LatencyPreference: String, Sendable, Hashable, Codable, CaseIterable {
    /// The thread sleeps as soon as nothing is there: least CPU.
    case throughput
    /// The thread looks again for 50 µs before it sleeps. The default of ``StoreEngine/thread(name:wait:)``.
    case balanced
    /// The thread never sleeps, and looks as often as it can: it needs a core to itself, always.
    case lowLatency

    /// What it stands for.
    public var strategy: WaitStrategy {
        switch self {
        case .throughput: .park
        case .balanced: .spinThenPark()
        case .lowLatency: .busySpinClosely
        }
    }
}
