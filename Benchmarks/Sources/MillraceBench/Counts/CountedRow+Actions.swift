// SPDX-License-Identifier: Apache-2.0

import Millrace

extension CountedRow {
    /// Rows of actions that are large, or that hold an object. Neither may be copied on its way to the reducers.
    static var actions: [CountedRow] {
        [
            CountedRow("caller: an action of 512 bytes") {
                dispatching(LargeAction(words: .init(repeating: 3))) { $0.words[0] &+ $0.words[63] }
            },
            CountedRow("caller: an action with an object") {
                dispatching(ObjectAction(object: Weight(1))) { $0.object.amount }
            },
        ]
    }

    /// An action of 64 words.
    private struct LargeAction: Sendable {
        var words: InlineArray<64, Int>
    }

    private struct ObjectAction: Sendable {
        let object: Weight
    }

    private final class Weight: Sendable {
        let amount: Int

        init(_ amount: Int) {
            self.amount = amount
        }
    }

    static func dispatching<Action: Sendable>(
        _ action: Action,
        amount: @escaping @Sendable (Action) -> Int
    ) -> Run {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Action, Int>.reduce { action, sum in sum &+= amount(action) },
            engine: .caller,
            publication: .onDemand
        )
        return Run { operations in
            for _ in 0..<operations { store.dispatch(action) }
        }
    }
}
