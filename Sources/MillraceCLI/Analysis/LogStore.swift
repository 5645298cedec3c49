// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The store of the analysis.
typealias LogStore = ReduxStoreBase<LogAction, LogState>

extension Reducer<LogAction, LogState> {
    /// Counts in place. An event costs one branch for the kind of action and a few array accesses.
    static let accessLog = Reducer.reduce { action, state in
        switch action {
        case .event(let event): state.count(event)
        case .began(let run): state.begin(run)
        case .define(let definition): state.define(definition)
        case .malformed(let line): state.count(line)
        case .chunkRead(let chunk): state.close(chunk)
        case .inputEnded: state.end()
        case .alert(let alert): state.raise(alert)
        case .recovered(let alert): state.lower(alert.minute)
        }
    }

    /// Counts what the page of the log shows, too, if the state has it. It is a separate reducer, so that it costs
    /// nothing in runs without a page.
    static let accessLogWithPage =
        Reducer.reduce { action, state in
            if case .event(let event) = action { state.countTraffic(event) }
        } <> accessLog
}
