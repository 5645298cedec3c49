// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import Observation
import TestSupport
import Testing

@testable import MillraceObservation

/// A selection of the whole number, and the numbers it was given.
@MainActor
private func recordedSelection<Action>(of model: ObservableStore<Action, Int>) -> (
    ObservableSelection<Int>, seen: Recorder<Int>
) {
    let seen = Recorder<Int>()
    let selection = model.select { number in
        seen.record(number)
        return number
    }
    return (selection, seen)
}

/// How states come to the main actor.
@MainActor
@Suite("Delivery to an observable store", .timeLimit(.minutes(5)))
struct DeliveryTests {
    @Test(
        "states of every engine arrive",
        arguments: [.thread(), .thread(wait: .park), .queue(DispatchQueue(label: "pages")), .main, .caller]
            as [StoreEngine]
    )
    func engines(engine: StoreEngine) async {
        let store = pageStore(engine: engine)
        let model = store.asObservableStore()
        await store.drain()
        await mainQueueTurn()
        let told = observe { _ = model.count }
        for number in 1...100 { model.dispatch(.count(number)) }
        await store.drain()
        await mainQueueTurn()
        #expect(model.count == 100)
        #expect(told.value == 1)
    }

    @Test(
        "on the main queue a dispatch has changed the model when it returns",
        arguments: [.main, .caller] as [StoreEngine]
    )
    func atOnce(engine: StoreEngine) {
        let model = pageStore(engine: engine).asObservableStore(initialState: Page(count: -1))
        #expect(model.count == 0)
        for number in 1...10 {
            model.dispatch(.count(number))
            #expect(model.count == number)
        }
    }

    @Test("a dispatch on another thread arrives too", arguments: [.main, .caller] as [StoreEngine])
    func elsewhereDispatched(engine: StoreEngine) async {
        let store = pageStore(engine: engine)
        let model = store.asObservableStore()
        await elsewhere { model.dispatch(.count(7)) }
        await store.drain()
        await mainQueueTurn()
        #expect(model.count == 7)
    }

    @Test("the initial state is seen until the store's has come")
    func initialState() async {
        let store = pageStore(Page(count: 3), engine: .thread())
        let early = store.asObservableStore(initialState: Page(count: -1))
        #expect(early.count == -1)
        #expect(store.asObservableStore().count == 3)
        await store.drain()
        await mainQueueTurn()
        #expect(early.count == 3)
    }

    @Test("only the latest state counts while the main queue is busy")
    func coalescing() async {
        let store = SubjectStore(0)
        let model = store.asObservableStore(initialState: 0)
        let (selection, seen) = recordedSelection(of: model)
        whileBlocked { for number in 1...1000 { store.push(number) } }
        #expect(selection.value == 0)
        await mainQueueTurn()
        #expect(selection.value == 1000)
        #expect(seen.all == [0, 1000])
    }

    @Test("at most one hop is under way, and after it there can be another")
    func oneHop() async {
        let inbox = StateInbox<Int>()
        let hops = Shared(0)
        for round in 1...3 {
            whileBlocked { for number in 0..<100 { inbox.put(number) { hops.update { $0 += 1 } } } }
            await mainQueueTurn()
            #expect(hops.value == round)
            #expect(inbox.take() == 99)
            #expect(inbox.take() == nil)
        }
    }

    @Test("a state on the main queue overtakes the hop of an older one, which then changes nothing")
    func overtaken() async {
        let store = SubjectStore(0)
        let model = store.asObservableStore(initialState: 0)
        let (selection, seen) = recordedSelection(of: model)
        whileBlocked { store.push(1) }
        #expect(model.state == 0)
        store.push(2)
        #expect(model.state == 2)
        await mainQueueTurn()
        #expect(model.state == 2)
        #expect(seen.all == [0, 2])
        withExtendedLifetime(selection) {}
    }

    @Test("a state that arrives while observers are told comes after the one they are told of")
    func nestedArrival() {
        // A publisher that calls its subscriber from within its subscriber; the native subject does not.
        let subscriber = Shared<UnfailableSubscriberType<Int>?>(nil)
        let push: @Sendable (Int) -> Void = { subscriber.value?.onValue($0) }
        let publisher = UnfailablePublisherType<Int> {
            subscriber.value = $0
            return Ending {}
        }
        let model = AnyStoreType<Int, Int>(action: { _ in }, state: publisher).asObservableStore(initialState: 0)
        let (selection, seen) = recordedSelection(of: model)
        let told = observe {
            _ = model.state
        } onChange: {
            push(2)
        }
        push(1)
        #expect(told.value == 1)
        #expect(model.state == 2)
        #expect(selection.value == 2)
        #expect(seen.all == [0, 1, 2])
    }

    @Test("an older state never comes after a newer one, whichever threads they arrive on")
    func order() async {
        let store = SubjectStore(0)
        let model = store.asObservableStore(initialState: 0)
        let (selection, seen) = recordedSelection(of: model)
        let increment: @Sendable () -> Void = {
            for _ in 0..<2000 {
                store.subject.mutate { state in
                    state += 1
                    return true
                }
            }
        }
        let others = Task.detached { await elsewhere { onThreads(3) { _ in increment() } } }
        // Fewer: each time the main queue, which other tests use as well, has a turn in between.
        for _ in 0..<100 {
            store.subject.mutate { state in
                state += 1
                return true
            }
            await Task.yield()
        }
        await others.value
        await mainQueueTurn()
        #expect(zip(seen.all, seen.all.dropFirst()).allSatisfy { $0 < $1 })
        #expect(selection.value == 6_100)
    }

    @Test("an action keeps its source, from any thread")
    func source() async {
        let sources = Recorder<ActionSource>()
        let store = AnyStoreType<Int, Int>(
            action: { sources.record($0.dispatcher) },
            state: SubjectStore(0).statePublisher
        )
        let model = store.asObservableStore(initialState: 0)
        model.dispatch(1)
        let line = UInt(#line - 1)
        await elsewhere { model.dispatch(2, file: "File", function: "function", line: 9) }
        #expect(sources.all.map(\.line) == [line, 9])
        #expect(sources.all.map(\.file) == [#fileID, "File"])
        #expect(sources.all.map(\.function) == ["source()", "function"])
    }

    @Test("it is a store: a projection of it follows the same states")
    func isStore() async {
        let model = pageStore().asObservableStore()
        let counts = model.projection(action: Edit.count, state: { $0.count }).asObservableStore(initialState: -1)
        counts.dispatch(4)
        #expect(counts.state == 4)
        #expect(model.count == 4)
    }
}
