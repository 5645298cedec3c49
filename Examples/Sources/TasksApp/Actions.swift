// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates

package enum TasksAction: ActionType, Equatable {
    case add(title: String)
    case complete(number: Int)
    case loading
    case loaded(titles: [String])
    case failed(reason: String)
}

package enum FilterAction: ActionType, Equatable {
    case show(Filter)
}
