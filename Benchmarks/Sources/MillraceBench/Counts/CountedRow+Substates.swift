// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceSubstates

extension CountedRow {
    /// Rows of stores of substates: what an action costs must not depend on how many are registered.
    static var substates: [CountedRow] {
        [
            CountedRow("substates: 10") { batches(of: 10, .onDemand) },
            CountedRow("substates: 1,000") { batches(of: 1_000, .onDemand) },
            CountedRow("substates: 10, every action", tolerance: 0.1, moreSystemCalls: 1) {
                batches(of: 10, .everyAction)
            },
            CountedRow("substates: 1,000, every action", tolerance: 0.1, moreSystemCalls: 1) {
                batches(of: 1_000, .everyAction)
            },
        ]
    }

    private static func batches(of count: Int, _ publication: Publication) -> Run {
        let (store, batch) = Substates(count).makeStore(publication)
        return Run { operations in
            for _ in 0..<operations / batch.count { store.base.dispatch(contentsOf: batch) }
        }
    }
}
