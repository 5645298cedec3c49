// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// Counters of a store that do not balance.
public struct UnbalancedCounters: Error, Sendable, Hashable, CustomStringConvertible {
    /// The counters.
    public let metrics: StoreMetrics
    /// What does not balance, one entry for each fault.
    public let faults: [String]

    /// The faults and the counters.
    public var description: String {
        "The counters of the store do not balance: \(faults.joined(separator: "; ")). \(metrics)"
    }

    static func faults(of metrics: StoreMetrics, isDrained: Bool) -> [String] {
        let outcomes: [(String, UInt64)] = [
            ("reduced", metrics.reduced), ("dropped", metrics.dropped), ("rejected", metrics.rejected),
            ("cancelled", metrics.cancelled), ("pending", metrics.pending),
        ]
        var faults: [String] = []
        let sum = outcomes.reduce(0 as UInt64) { $0 &+ $1.1 }
        if sum != metrics.offered {
            let terms = outcomes.map { "\($0.0) \($0.1)" }.joined(separator: " + ")
            let difference =
                sum > metrics.offered
                ? "\(sum - metrics.offered) more than offered: an action has two outcomes"
                : "\(metrics.offered - sum) fewer than offered: an action has no outcome"
            faults.append("\(terms) = \(sum), \(difference)")
            // Names the counter that is too large by itself, or that equals the difference.
            for (name, count) in outcomes where count > metrics.offered {
                faults.append("\(name) alone is \(count - metrics.offered) more than offered")
            }
            let suspects = sum > metrics.offered ? outcomes.filter { $0.1 == sum - metrics.offered }.map(\.0) : []
            if !suspects.isEmpty { faults.append("without \(suspects.joined(separator: " or ")) they would balance") }
        }
        let accepted = metrics.offered &- min(metrics.offered, metrics.rejected)
        if metrics.urgentActions &+ metrics.internalActions > accepted {
            faults.append(
                "urgentActions \(metrics.urgentActions) + internalActions \(metrics.internalActions) are more than the "
                    + "\(accepted) actions that were accepted"
            )
        }
        for (name, part) in [("unmatched", metrics.unmatched), ("vanished", metrics.vanished)]
        where part > metrics.reduced {
            faults.append("\(name) \(part) is more than reduced \(metrics.reduced)")
        }
        if isDrained, metrics.pending > 0 {
            faults.append("pending is \(metrics.pending), although the store is drained")
        }
        return faults
    }
}
