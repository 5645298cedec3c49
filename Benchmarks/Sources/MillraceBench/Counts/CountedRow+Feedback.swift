// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceFeedback

extension CountedRow {
    /// Rows that send events to feedback loops, one by one.
    static var feedbacks: [CountedRow] {
        [
            CountedRow("feedback: a loop without feedbacks") { loop([]) },
            CountedRow("feedback: three feedbacks that do not fire") { loop(FeedbackSection.feedbacks) },
        ]
    }

    private static func loop(_ feedbacks: [Feedback<AppState, AppAction>]) -> Run {
        let loop = FeedbackSection.Loop(
            initial: AppState(),
            feedbacks: feedbacks,
            scheduler: .caller,
            publication: .onDemand,
            reducer: AppState.reducer
        )
        return Run { operations in
            for index in 0..<operations { loop.send(event: AppAction.nth(index)) }
        }
    }
}
