// SPDX-License-Identifier: Apache-2.0

import HashTreeCollections
import Millrace

extension CountedRow {
    /// Rows of operations at a small size and at a large one. The section `cliffs` measures their time at more sizes.
    static var growth: [CountedRow] {
        [
            words(bytes: 1 << 10, "1 KB"),
            words(bytes: 1 << 20, "1 MB", flatTo: wordsName("1 KB")),
            CountedRow("cliffs: an action of 4,096 bytes") {
                dispatching(Large(words: .init(repeating: 3))) { $0.words[0] &+ $0.words[511] }
            },
            CountedRow("cliffs: 8 middlewares, composed by <>") {
                let two = FirstMiddleware() <> SecondMiddleware()
                return dispatching(store(two <> two <> two <> two))
            },
            CountedRow("cliffs: 32 middlewares, composed by <>") {
                let two = FirstMiddleware() <> SecondMiddleware()
                let eight = two <> two <> two <> two
                return dispatching(store((eight <> eight) <> (eight <> eight)))
            },
            CountedRow("cliffs: 8 middlewares, erased") { erased(8) },
            CountedRow("cliffs: 32 middlewares, erased") { erased(32) },
            subscribed(1),
            subscribed(64),
            CountedRow("cliffs: a reducer lifted 8 times") {
                let store = ReduxStoreBase(
                    initialState: Nested.state8,
                    reducer: Cliff.liftedReducers.3,
                    engine: .caller,
                    publication: .onDemand
                )
                return dispatching(Nested.action8, to: store)
            },
            CountedRow("cliffs: a middleware lifted 8 times reads its part") {
                let store = ReduxStoreBase(
                    initialState: Nested.state8,
                    reducer: Reducer<Wrapped8, Level8>.reduce { _, state in state.others &+= 1 },
                    middleware: Cliff.lifted8(),
                    engine: .caller,
                    publication: .onDemand
                )
                return dispatching(Nested.action8, to: store)
            },
            // What a change of a tree copies depends on the hash of its key.
            CountedRow("cliffs: one of 10,000 strings in a TreeDictionary", tolerance: 0.05, divisor: 8) {
                let store = Cliff.namesStore(Cliff.tree(10_000)) { index, text, names in names[index] = text }
                let renames = Cliff.renames(1_024, of: 10_000)
                return Run { operations in
                    for index in 0..<operations { store.dispatch(renames[index & 1_023]) }
                }
            },
        ]
    }

    /// An action of 512 words.
    private struct Large: Sendable {
        var words: InlineArray<512, Int>
    }

    private static func wordsName(_ size: String) -> String { "cliffs: a state of \(size), changed in place" }

    private static func words(bytes: Int, _ size: String, flatTo few: String? = nil) -> CountedRow {
        CountedRow(wordsName(size), flatTo: few) {
            let store = Cliff.wordsStore(bytes: bytes, .onDemand)
            return Run { operations in
                for index in 0..<operations { store.dispatch(index & 15) }
            }
        }
    }

    private static func erased(_ count: Int) -> Run {
        var all = ComposedMiddleware<AppAction, AppAction, AppState>()
        for _ in 0..<count { all.append(middleware: FirstMiddleware().eraseToAnyMiddleware()) }
        return dispatching(store(all))
    }

    /// An action in a store that publishes each one. The number of old states that can be reused depends on a thread of
    /// liburcu.
    private static func subscribed(_ count: Int) -> CountedRow {
        let name = "cliffs: every action published to \(count) subscriber\(count == 1 ? "" : "s")"
        return CountedRow(name, tolerance: 0.2, moreSystemCalls: 1) {
            let store = plain(publication: .everyAction)
            let sum = Cliff.Counter()
            let subscriptions = (0..<count).map { _ in
                store.statePublisher.subscribe(UnfailableSubscriberType(onValue: { sum.count &+= $0.count }))
            }
            return Run(
                body: dispatching(store).body,
                after: {
                    withExtendedLifetime(subscriptions) {}
                    keep(sum.count)
                }
            )
        }
    }

    private static func dispatching<Action: Sendable, State>(
        _ action: Action,
        to store: ReduxStoreBase<Action, State>
    ) -> Run {
        Run { operations in
            for _ in 0..<operations { store.dispatch(action) }
        }
    }
}
