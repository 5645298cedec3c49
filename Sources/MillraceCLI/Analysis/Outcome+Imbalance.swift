// SPDX-License-Identifier: Apache-2.0

import Millrace

extension Analysis.Outcome {
    /// What is wrong with the counters, or nil if they agree. The run must have counted each line once. It must have
    /// counted, dropped or rejected each event, and exactly once.
    var imbalance: String? {
        let missing = metrics.dropped &+ metrics.rejected
        let settled = metrics.reduced &+ metrics.cancelled &+ missing
        if metrics.pending > 0 || metrics.offered != settled {
            return """
                \(metrics.offered) actions were dispatched, but \(settled) were reduced, dropped, rejected or \
                cancelled, and \(metrics.pending) are pending
                """
        }
        if parsed != state.events &+ missing {
            return """
                the producers found \(parsed) events, but \(state.events) were counted and \(missing) dropped or \
                rejected
                """
        }
        if state.lines != parsed &+ state.malformed &+ state.directives {
            return """
                the chunks had \(state.lines) lines, but \(parsed) were events, \(state.malformed) malformed and \
                \(state.directives) directives
                """
        }
        let statuses = state.statuses.reduce(0, &+)
        if statuses != state.events {
            return "\(state.events) events were counted, but \(statuses) by their status"
        }
        return nil
    }
}
