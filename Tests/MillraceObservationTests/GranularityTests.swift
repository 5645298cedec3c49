// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import Observation
import TestSupport
import Testing

@testable import MillraceObservation

/// Who is told of what.
@MainActor
@Suite("Granularity of an observable store", .timeLimit(.minutes(5)))
struct GranularityTests {
    @Test("an observer of a member is told when that member changes, and of nothing else")
    func ownMember() {
        let model = pageStore().asObservableStore()
        let count = observe { _ = model.count }
        let title = observe { _ = model.title }
        model.dispatch(.title("a"))
        #expect(count.value == 0)
        #expect(title.value == 1)
        model.dispatch(.count(0))
        #expect(count.value == 0)
        model.dispatch(.count(1))
        #expect(count.value == 1)
        #expect(model.count == 1)
        #expect(model.title == "a")
    }

    @Test("of several observers of one member all are told; one of two members is told once")
    func severalObservers() {
        let model = pageStore().asObservableStore()
        let first = observe { _ = model.count }
        let second = observe { _ = model.count }
        let both = observe { _ = (model.count, model.title) }
        model.dispatch(
            Edit {
                $0.count = 1
                $0.title = "a"
            }
        )
        #expect([first.value, second.value, both.value] == [1, 1, 1])
    }

    @Test("who reads again is told again, and a member that nobody reads again is compared no more")
    func again() {
        let model = pageStore().asObservableStore()
        for number in 1...10 {
            let told = observe { _ = model.count }
            #expect(model.members.count == 1)
            model.dispatch(.count(number))
            #expect(told.value == 1)
        }
        #expect(model.members.count == 0)
    }

    @Test("an observer of a member that is not Equatable is told with every state")
    func notEquatable() {
        let model = pageStore().asObservableStore()
        let told = observe { _ = model.note }
        model.dispatch(.count(1))
        #expect(told.value == 1)
    }

    @Test("generic code compares as code that knows the type")
    func genericRead() {
        func read<Member>(_ member: KeyPath<Page, Member>) -> Member { model[dynamicMember: member] }
        let model = pageStore().asObservableStore()
        let told = observe { _ = read(\.count) }
        model.dispatch(.title("a"))
        #expect(told.value == 0)
        model.dispatch(.count(1))
        #expect(told.value == 1)
    }

    @Test("an observer of the state is told of every change, of an Equatable state only of changes")
    func wholeState() {
        let model = pageStore().asObservableStore()
        let told = observe { _ = model.state }
        model.dispatch(.count(0))
        #expect(told.value == 0)
        model.dispatch(.title("a"))
        #expect(told.value == 1)
        #expect(model.state.title == "a")
    }

    @Test("a state that is not Equatable counts as changed whenever it comes")
    func stateNotEquatable() {
        let store = SubjectStore(Note())
        let model = store.asObservableStore(initialState: Note())
        let told = observe { _ = model.state }
        store.push(Note())
        #expect(told.value == 1)
    }

    @Test("observers are told before the change")
    func toldBefore() {
        let model = pageStore().asObservableStore()
        let seen = Recorder<Int>()
        let told = observe {
            _ = model.count
        } onChange: {
            MainActor.assumeIsolated { seen.record(model.count) }
        }
        model.dispatch(.count(5))
        #expect(told.value == 1)
        #expect(seen.all == [0])
        #expect(model.count == 5)
    }

    @Test("optional members are followed through their own member")
    func nested() {
        struct Outer: Sendable {
            var user: Page?
            var other = 0
        }
        let store = SubjectStore(Outer())
        let model = store.asObservableStore(initialState: Outer())
        let told = observe { _ = model.user?.title }
        store.push(Outer(user: nil, other: 1))
        #expect(told.value == 0)
        store.push(Outer(user: Page(title: "a")))
        #expect(told.value == 1)
    }

    @Test("a great number of members is not watched one by one: everybody is told once, then what is read is watched")
    func bounded() {
        let limit = WatchedMembers<Page>.limit
        let numbers = Array(0..<limit * 3)
        let model = pageStore(Page(items: numbers)).asObservableStore()
        for number in numbers { #expect(model[dynamicMember: \.items[number]] == number) }
        #expect(model.members.count == limit)
        let beyond = observe { _ = model.title }
        #expect(model.members.count == limit)
        model.dispatch(.count(1))
        #expect(beyond.value == 1)
        #expect(model.members.count == 0)

        let watched = observe { _ = model.title }
        model.dispatch(.count(2))
        #expect(watched.value == 0)
        model.dispatch(.title("a"))
        #expect(watched.value == 1)
    }

    @Test("nobody misses a change when there are too many members")
    func tooMany() {
        let limit = WatchedMembers<Page>.limit
        let numbers = Array(0..<limit * 2)
        let model = pageStore(Page(items: numbers)).asObservableStore()
        let observers = numbers.map { number in observe { _ = model[dynamicMember: \.items[number]] } }
        model.dispatch(.items(numbers.map { -$0 }))
        #expect(observers.allSatisfy { $0.value == 1 })
    }
}
