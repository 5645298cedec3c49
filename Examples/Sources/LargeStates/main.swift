// SPDX-License-Identifier: Apache-2.0

// A state with 10,000 names that is published at every action, in an array and in a persistent dictionary.
//
// The published state and the live one share their storage. So an action that changes an array copies the whole array.
// TreeDictionary copies only the path to the element that changes, and shares the rest.
import HashTreeCollections
import Millrace

struct Rename: Sendable {
    var number: Int
    var name: String
}

let names = (0..<10_000).map { "name \($0)" }

let array = ReduxStoreBase(
    initialState: names,
    reducer: Reducer<Rename, [String]>.reduce { action, names in names[action.number] = action.name },
    engine: .caller,
    publication: .everyAction
)
let tree = ReduxStoreBase(
    initialState: TreeDictionary(uniqueKeysWithValues: names.enumerated().map { ($0.offset, $0.element) }),
    reducer: Reducer<Rename, TreeDictionary<Int, String>>.reduce { action, names in names[action.number] = action.name
    },
    engine: .caller,
    publication: .everyAction
)

/// The time of an action, on average over 1,000 actions that each change another name.
func timeOfAnAction<State>(in store: ReduxStoreBase<Rename, State>) -> Duration {
    ContinuousClock().measure {
        for number in 0..<1_000 { store.dispatch(Rename(number: number * 7, name: "renamed")) }
    } / 1_000
}

let before = tree.state
let times = (array: timeOfAnAction(in: array), tree: timeOfAnAction(in: tree))
print("[String]: \(times.array) an action; TreeDictionary: \(times.tree)")

// Both have the same names, and the state that was read before is as it was.
print(tree.state[7] ?? "", array.state[7], before[7] ?? "")  // renamed renamed name 7
print(tree.state.count { $0.value == "renamed" })  // 1000
