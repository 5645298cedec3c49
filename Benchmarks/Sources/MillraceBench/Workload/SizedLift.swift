// SPDX-License-Identifier: Apache-2.0

import Millrace

/// A lift of a middleware and of a reducer to a part of a state with many elements.
enum SizedLift: String, CaseIterable, Sendable {
    case keyPath = "a key path"
    case closure = "a closure"
    case id = "its id"
    case index = "its index"
    case key = "its key"
    case optional = "an optional"
    case enumCase = "a case"
    /// A closure that makes a new array: what a lift should not do.
    case computed = "a closure that computes a copy"

    typealias Store = ReduxStoreBase<SizedAction, SizedState>

    /// Returns a store with middlewares of a part with this number of entries; a collection has as many elements. Each
    /// middleware reads its part in `afterReduce` and in its IO. The reducer changes one entry, so that it would have
    /// to copy all of them if a middleware still held the part.
    func store(elements size: Int, middlewares count: Int, _ sum: Cliff.Counter) -> Store {
        var middleware = ComposedMiddleware<SizedAction, SizedAction, SizedState>()
        for _ in 0..<count { middleware.append(middleware: lifted(SizedReader(sum: sum))) }
        // Made here, and used by the store alone.
        nonisolated(unsafe) let composed = middleware
        return Store(
            initialState: SizedState(self, size),
            reducer: lifted(.reduce { action, part in part.entries[action] &+= 1 }),
            middleware: composed,
            engine: .caller,
            publication: .onDemand
        )
    }

    /// The action that changes an entry.
    func action(_ entry: Int) -> SizedAction {
        switch self {
        case .keyPath, .closure, .optional, .enumCase, .computed: .part(entry)
        case .id, .key: .id(ElementIDAction(id: 1, action: entry))
        case .index: .index(ElementIndexAction(index: 1, action: entry))
        }
    }

    private func lifted(_ part: SizedReader) -> AnyMiddleware<SizedAction, SizedAction, SizedState> {
        switch self {
        case .keyPath:
            AnyMiddleware(
                part.lift(statePath: \SizedState.part).lift(
                    inputAction: \SizedAction.part,
                    outputAction: SizedAction.part
                )
            )
        case .closure:
            AnyMiddleware(
                part.lift(
                    inputAction: { (action: SizedAction) in action.part },
                    outputAction: { SizedAction.part($0) },
                    state: { (state: SizedState) in state.part }
                )
            )
        case .computed:
            AnyMiddleware(
                part.lift(
                    inputAction: { (action: SizedAction) in action.part },
                    outputAction: { SizedAction.part($0) },
                    state: { (state: SizedState) in SizedPart(id: 1, entries: state.part.entries.map { $0 &+ 1 }) }
                )
            )
        case .id:
            AnyMiddleware(
                part.liftToCollection(
                    inputAction: \SizedAction.id,
                    outputAction: SizedAction.id,
                    state: \SizedState.keyed
                )
            )
        case .index:
            AnyMiddleware(
                part.liftToCollection(
                    inputAction: \SizedAction.index,
                    outputAction: SizedAction.index,
                    state: \SizedState.array
                )
            )
        case .key:
            AnyMiddleware(
                part.liftToDictionary(
                    inputAction: \SizedAction.id,
                    outputAction: SizedAction.id,
                    state: \SizedState.byKey
                )
            )
        case .optional:
            AnyMiddleware(
                part.liftToOptional(
                    inputAction: \SizedAction.part,
                    outputAction: SizedAction.part,
                    state: \SizedState.optional
                )
            )
        case .enumCase:
            AnyMiddleware(
                part.liftToOptional(
                    inputAction: \SizedAction.part,
                    outputAction: SizedAction.part,
                    state: \SizedState.screen.part
                )
            )
        }
    }

    private func lifted(_ reducer: Reducer<Int, SizedPart>) -> Reducer<SizedAction, SizedState> {
        switch self {
        case .keyPath, .closure, .computed: reducer.lift(action: \.part, state: \.part)
        case .id: reducer.liftToCollection(action: \SizedAction.id, stateCollection: \SizedState.keyed)
        case .index: reducer.liftToCollection(action: \SizedAction.index, stateCollection: \SizedState.array)
        case .key: reducer.liftToDictionary(action: \SizedAction.id, stateDictionary: \SizedState.byKey)
        case .optional: reducer.liftToOptional(action: \SizedAction.part, state: \SizedState.optional)
        case .enumCase:
            reducer.liftToCase(extract: \SizedScreen.part, embed: SizedScreen.part)
                .lift(action: \SizedAction.part, state: \SizedState.screen)
        }
    }
}

/// An action for the part, or for an element.
enum SizedAction: Sendable {
    case part(Int)
    case id(ElementIDAction<Int, Int>)
    case index(ElementIndexAction<Int, Int>)

    var part: Int? { if case .part(let entry) = self { entry } else { nil } }
    var id: ElementIDAction<Int, Int>? { if case .id(let action) = self { action } else { nil } }
    var index: ElementIndexAction<Int, Int>? { if case .index(let action) = self { action } else { nil } }
}

/// A state in which one lift has its part. The rest is empty.
struct SizedState: Sendable {
    var part = SizedPart(id: 0, entries: [])
    var keyed = KeyedArray<SizedPart>([])
    var array: [SizedPart] = []
    var byKey: [Int: SizedPart] = [:]
    var optional: SizedPart?
    var screen = SizedScreen.empty

    init(_ lift: SizedLift, _ size: Int) {
        let large = SizedPart(id: 1, entries: Array(0..<size))
        var all: [SizedPart] { (0..<size).map { $0 == 1 ? large : SizedPart(id: $0, entries: []) } }
        switch lift {
        case .keyPath, .closure, .computed: part = large
        case .id: keyed = KeyedArray(all)
        case .index: array = all
        case .key: byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        case .optional: optional = large
        case .enumCase: screen = .part(large)
        }
    }
}

/// A part, or an element, with a container.
struct SizedPart: Sendable, Identifiable {
    let id: Int
    var entries: [Int]
}

/// A state that has a part only in one case.
enum SizedScreen: Sendable {
    case empty
    case part(SizedPart)

    var part: SizedPart? { if case .part(let part) = self { part } else { nil } }
}

/// Reads the number of entries after the reducers, in both places.
private struct SizedReader: MiddlewareProtocol {
    let sum: Cliff.Counter
    var reader: StateReader<SizedPart>?

    mutating func bind(_ binding: MiddlewareBinding<Int, SizedPart>) {
        reader = binding.state
    }

    func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<SizedPart>) -> IO<Int> {
        IO { [sum] _ in sum.count &+= state().entries.count }
    }

    func afterReduce(
        action: Int,
        from dispatcher: ActionSource,
        state: @escaping GetState<SizedPart>,
        output: AnyActionHandler<Int>
    ) {
        sum.count &+= reader?.withState { $0.entries.count } ?? 0
    }
}
