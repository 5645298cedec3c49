// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import HashTreeCollections
import Millrace

extension Cliff {
    private static let sizes = [1 << 10, 1 << 15, 1 << 20, 1 << 25, 1 << 30]

    /// The cost of an action that changes one word of a state of this number of bytes, in place: the state is published
    /// on demand.
    static var stateInPlace: Cliff {
        Cliff("an action, state of so many bytes, in place", sizes: sizes, rule: .flat(atMost: 3)) { size in
            try nanoseconds(size, .onDemand, warmUp: 200_000, actions: 1_000_000)
        }
    }

    /// The same, published at every action: the array is copied, as the published state shares it.
    static var statePublished: Cliff {
        Cliff(
            "an action, state of so many bytes, every action published",
            sizes: sizes,
            runs: 3,
            rule: .documented("copies the array that changed: publication")
        ) { size in
            try nanoseconds(size, .everyAction, actions: max(2, min(20_000, (1 << 28) / size)))
        }
    }

    /// Returns the nanoseconds of an action whose state is one array.
    ///
    /// - Parameter warmUp: Actions that are not timed: the first ones fault in the memory of the queue.
    private static func nanoseconds(
        _ bytes: Int,
        _ publication: Publication,
        warmUp: Int = 1,
        actions: Int
    ) throws -> Double {
        let store = wordsStore(bytes: bytes, publication)
        // The first action copies the array, which `initialState` shares. The timed ones change one page of it.
        for index in 0..<warmUp { store.dispatch(index & 15) }
        let start = bench_thread_time()
        for index in 0..<actions { store.dispatch(index & 15) }
        let time = bench_thread_time() - start
        try expect(store.state.prefix(16).reduce(0, +), actions + warmUp, "changes")
        return Double(time) / Double(actions)
    }

    /// A store whose state is one array of this size. An action is the index of the word that it changes.
    nonisolated static func wordsStore(bytes: Int, _ publication: Publication) -> ReduxStoreBase<Int, [Int]> {
        ReduxStoreBase(
            initialState: [Int](repeating: 0, count: bytes / 8),
            reducer: Reducer<Int, [Int]>.reduce { index, words in words[index] &+= 1 },
            engine: .caller,
            publication: publication
        )
    }

    /// The cost of an action that changes one of this number of strings in an array, with every action published.
    static var arrayOfStrings: Cliff {
        Cliff(
            "one string of so many changed, [String], every action published",
            sizes: [100, 1_000, 10_000],
            rule: .documented("copies the array: publication")
        ) { size in
            try nanoseconds((0..<size).map(name), actions: 200_000 / size) { index, text, names in names[index] = text }
        }
    }

    /// The same in a dictionary of the standard library.
    static var dictionaryOfStrings: Cliff {
        Cliff(
            "one string of so many changed, [Int: String], every action published",
            sizes: [100, 1_000, 10_000],
            rule: .documented("copies the dictionary: publication")
        ) { size in
            let names = Dictionary(uniqueKeysWithValues: (0..<size).map { ($0, name($0)) })
            return try nanoseconds(names, actions: 200_000 / size) { index, text, names in names[index] = text }
        }
    }

    /// The same in swift-collections' `TreeDictionary`, which shares with its copy all but the path that changed.
    static var treeOfStrings: Cliff {
        Cliff(
            "one string of so many changed, TreeDictionary, every action published",
            sizes: [100, 1_000, 10_000],
            rule: .documented("copies the path to the element"),
            atMost: 1_000
        ) { size in
            try nanoseconds(tree(size), actions: 20_000) { index, text, names in names[index] = text }
        }
    }

    nonisolated static func tree(_ size: Int) -> TreeDictionary<Int, String> {
        TreeDictionary(uniqueKeysWithValues: (0..<size).map { ($0, name($0)) })
    }

    struct Rename: Sendable {
        var index: Int
        var text: String
    }

    private nonisolated static func name(_ number: Int) -> String { "the name of element \(number)" }

    nonisolated static func renames(_ actions: Int, of size: Int) -> [Rename] {
        (0..<actions).map { Rename(index: $0 &* 7_919 % size, text: "another name for element \($0)") }
    }

    /// A store that publishes every action, and whose state is these names.
    nonisolated static func namesStore<Names: Sendable>(
        _ names: Names,
        change: @escaping @Sendable (Int, String, inout Names) -> Void
    ) -> ReduxStoreBase<Rename, Names> {
        ReduxStoreBase(
            initialState: names,
            reducer: Reducer<Rename, Names>.reduce { action, names in change(action.index, action.text, &names) },
            engine: .caller,
            publication: .everyAction
        )
    }

    /// Returns the nanoseconds of an action that changes one element, in a store that publishes every action, and so
    /// keeps the published state.
    private static func nanoseconds<Names: Sendable & Collection>(
        _ names: Names,
        actions: Int,
        change: @escaping @Sendable (Int, String, inout Names) -> Void
    ) throws -> Double {
        let size = names.count
        let store = namesStore(names, change: change)
        let renames = renames(actions, of: size)
        for rename in renames.prefix(100) { store.dispatch(rename) }
        let start = bench_thread_time()
        for rename in renames { store.dispatch(rename) }
        let time = bench_thread_time() - start
        try expect(store.state.count, size, "elements")
        return Double(time) / Double(actions)
    }
}
