// SPDX-License-Identifier: Apache-2.0

import Millrace

extension Analysis.Outcome {
    /// A description of figures that contradict each other, or nil. Every line and every event must be counted exactly
    /// once.
    var imbalance: String? {
        let missing = metrics.dropped &+ metrics.rejected
        let settled = metrics.reduced &+ metrics.cancelled &+ missing
        if metrics.pending > 0 || metrics.offered != settled {
            return """
                of \(metrics.offered) offered actions \(settled) were reduced, dropped, rejected or cancelled, and \
                \(metrics.pending) are pending
                """
        }
        if parsed != state.events &+ missing {
            return "of \(parsed) events \(state.events) were counted and \(missing) dropped or rejected"
        }
        if state.lines != parsed &+ state.malformed &+ state.directives {
            return """
                of \(state.lines) lines \(parsed) are events, \(state.malformed) malformed and \(state.directives) \
                directives
                """
        }
        let statuses = state.statuses.reduce(0, &+)
        if statuses != state.events {
            return "of \(state.events) events \(statuses) have a status"
        }
        return nil
    }
}
