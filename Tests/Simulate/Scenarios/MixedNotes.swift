// SPDX-License-Identifier: Apache-2.0

extension Mixed {
    /// What the threads note for the rules.
    struct Notes: Sendable {
        var sent = 0
        var handled = 0
        var isGateClosed = false
        var isPluginGone = false
        var lastTold: Int?
        var completed: Set<Int> = []
        var isDone = false
        var isUrgentReduced = false
    }
}
