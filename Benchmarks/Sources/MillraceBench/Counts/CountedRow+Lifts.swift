// SPDX-License-Identifier: Apache-2.0

import Millrace

extension CountedRow {
    /// Rows with lifted middlewares and reducers.
    static var lifts: [CountedRow] {
        [
            CountedRow("lifted: three middlewares, one reads the state") {
                let first = FirstCounterMiddleware()
                    .lift(inputAction: \AppAction.counter, outputAction: AppAction.counter, state: \AppState.count)
                let second = SecondCounterMiddleware()
                    .lift(inputAction: \AppAction.counter, outputAction: AppAction.counter, state: \AppState.count)
                let third = ReadingCounterMiddleware()
                    .lift(inputAction: \AppAction.counter, outputAction: AppAction.counter, state: \AppState.count)
                return batches(store(first <> second <> third))
            },
            CountedRow("lifted: two middlewares with afterReduce") {
                let first = WatchingCounterMiddleware()
                    .lift(inputAction: \AppAction.counter, outputAction: AppAction.counter, state: \AppState.count)
                let second = WatchingCounterMiddleware()
                    .lift(inputAction: \AppAction.counter, outputAction: AppAction.counter, state: \AppState.count)
                return batches(store(first <> second))
            },
            CountedRow("collection: a reducer of an element, KeyedArray", tolerance: 0.03) {
                elements(
                    KeyedArray((0..<100).map { Item(id: Item.id($0)) }),
                    itemReducer.liftToCollection(action: \.item, stateCollection: \.elements)
                )
            },
            CountedRow("collection: a reducer of an element, Dictionary") {
                elements(
                    Dictionary(uniqueKeysWithValues: (0..<100).map { (Item.id($0), Item(id: Item.id($0))) }),
                    itemReducer.liftToDictionary(action: \.item, stateDictionary: \.elements)
                )
            },
            CountedRow("collection: a middleware of an element ignores the state") {
                handling(ElementMiddleware.Ignoring())
            },
            CountedRow("collection: a middleware of an element reads the state") {
                handling(ElementMiddleware.Reading())
            },
            // Searches that the runtime has inlined are counted, and depend on addresses.
            CountedRow("collection: a middleware of an element reads it in its IO", tolerance: 0.03) {
                handling(ElementMiddleware.Working())
            },
        ]
    }

    private static func elements<Elements>(
        _ elements: Elements,
        _ reducer: Reducer<CollectionAction, CollectionState<Elements>>
    ) -> Run {
        var state = CollectionState(elements: elements)
        return Run { operations in
            for operation in 0..<operations {
                reducer.reduce(.item(ElementIDAction(id: Item.id(operation % 100), action: 1)), &state)
            }
        }
    }

    private static func handling<Part: MiddlewareProtocol>(_ part: Part) -> Run
    where Part.InputActionType == UInt32, Part.OutputActionType == UInt32, Part.StateType == Item {
        let state = CollectionState(elements: KeyedArray((0..<100).map { Item(id: Item.id($0)) }))
        let getter = StoredGetter { state }
        let lifted = part.liftToCollection(
            inputAction: \CollectionAction.item,
            outputAction: CollectionAction.item,
            state: \CollectionState<KeyedArray<Item>>.elements
        ).bound(to: getter.read)
        return Run { operations in
            let output = AnyActionHandler<CollectionAction> { _ in }
            let source = ActionSource.here()
            let getState = getter.read
            for operation in 0..<operations {
                let action = CollectionAction.item(ElementIDAction(id: Item.id(operation % 100), action: 1))
                lifted.handle(action: action, from: source, state: getState).run(output)
            }
        }
    }
}
