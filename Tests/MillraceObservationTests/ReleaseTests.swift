// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import Observation
import TestSupport
import Testing

@testable import MillraceObservation

/// Who keeps whom.
@MainActor
@Suite("Release of an observable store", .timeLimit(.minutes(5)))
struct ReleaseTests {
    @Test("the model keeps its store, the store not the model", arguments: [.main, .caller] as [StoreEngine])
    func release(engine: StoreEngine) async {
        weak var store: ReduxStoreBase<Edit, Page>?
        weak var released: ObservableStore<Edit, Page>?
        var model: ObservableStore<Edit, Page>?
        do {
            let made = pageStore(engine: engine)
            store = made
            model = made.asObservableStore()
            released = model
        }
        #expect(store != nil)
        model?.dispatch(.count(2))
        #expect(model?.count == 2)
        model = nil
        #expect(released == nil)
        #expect(store == nil)
    }

    @Test("its release ends the subscription, once")
    func subscription() {
        let ends = Shared(0)
        let publisher = UnfailablePublisherType<Int> { subscriber in
            subscriber.onValue(1)
            return Ending { ends.update { $0 += 1 } }
        }
        var model: ObservableStore<Int, Int>? = AnyStoreType(action: { _ in }, state: publisher)
            .asObservableStore(initialState: 0)
        #expect(model?.state == 1)
        #expect(ends.value == 0)
        model = nil
        #expect(ends.value == 1)
    }

    @Test("nothing is told after the release, not even what was on its way")
    func late() async {
        let store = SubjectStore(0)
        var model: ObservableStore<Never, Int>? = store.asObservableStore(initialState: 0)
        let told = observe { _ = model?.state }
        whileBlocked { store.push(1) }
        weak let released = model
        model = nil
        #expect(released == nil)
        await mainQueueTurn()
        store.push(2)
        await mainQueueTurn()
        #expect(told.value == 0)
    }

    @Test("other threads that tell states never hold the last reference", arguments: 0..<20)
    func releasedMeanwhile(round: Int) async {
        let store = SubjectStore(0)
        let isOnMain = Shared<Bool?>(nil)
        let publisher = UnfailablePublisherType<Int> { subscriber in
            _ = store.statePublisher.subscribe(subscriber)
            // Where the model is destroyed.
            return Ending { isOnMain.value = DispatchQueue.isMainQueue }
        }
        var model: ObservableStore<Int, Int>? = AnyStoreType(action: { _ in }, state: publisher)
            .asObservableStore(initialState: 0)
        let stop = Shared(false)
        async let others: Void = elsewhere {
            var number = 0
            while !stop.value {
                number += 1
                store.push(number)
            }
        }
        for _ in 0..<round { await Task.yield() }
        model = nil
        #expect(isOnMain.value == true)
        stop.value = true
        await others
        #expect(model == nil)
    }

    @Test("a selection keeps the model, and costs nothing after it was let go")
    func selection() {
        let store = pageStore()
        let selections = Shared(0)
        weak var released: ObservableStore<Edit, Page>?
        var selection: ObservableSelection<Int>?
        do {
            let model = store.asObservableStore()
            released = model
            selection = model.select { page in
                selections.update { $0 += 1 }
                return page.count
            }
        }
        store.dispatch(.count(3))
        #expect(selection?.value == 3)
        #expect(selections.value == 2)
        let model = released
        selection = nil
        store.dispatch(.count(4))
        #expect(model?.count == 4)
        #expect(selections.value == 2)
    }
}
