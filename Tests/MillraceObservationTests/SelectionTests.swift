// SPDX-License-Identifier: Apache-2.0

import Millrace
import Observation
import TestSupport
import Testing

@testable import MillraceObservation

/// Parts of the state, and values computed from parts.
@MainActor
@Suite("Selections of an observable store", .timeLimit(.minutes(5)))
struct SelectionTests {
    @Test("observers of a selection are told when it changes, and of nothing else")
    func selection() {
        let model = pageStore().asObservableStore()
        let isEmpty = model.select { $0.items.isEmpty }
        let told = observe { _ = isEmpty.value }
        model.dispatch(.count(1))
        #expect(told.value == 0)
        model.dispatch(.items([1]))
        #expect(told.value == 1)
        #expect(!isEmpty.value)
        let again = observe { _ = isEmpty.value }
        model.dispatch(.items([1, 2]))
        #expect(again.value == 0)
        model.dispatch(.items([]))
        #expect(again.value == 1)
        #expect(isEmpty.value)
    }

    @Test("a duplicate by the caller's measure does not change the value")
    func removeDuplicates() {
        let model = pageStore().asObservableStore()
        let tens = model.select({ $0.count }, removeDuplicates: { $0 / 10 == $1 / 10 })
        let told = observe { _ = tens.value }
        model.dispatch(.count(9))
        #expect(told.value == 0)
        #expect(tens.value == 0)
        model.dispatch(.count(12))
        #expect(told.value == 1)
        #expect(tens.value == 12)
    }

    @Test("a derived value is computed when it is read, once for each change of its input")
    func derived() {
        let model = pageStore(Page(items: [1, 2])).asObservableStore()
        let computations = Shared(0)
        let total = model.derived(from: \.items) { items in
            computations.update { $0 += 1 }
            return items.reduce(0, +)
        }
        #expect(computations.value == 0)
        for _ in 0..<3 { #expect(total.value == 3) }
        #expect(computations.value == 1)

        model.dispatch(.count(1))
        #expect(total.value == 3)
        #expect(computations.value == 1)

        let told = observe { _ = total.value }
        model.dispatch(.items([5]))
        model.dispatch(.items([5, 6]))
        #expect(told.value == 1)
        #expect(computations.value == 1)
        for _ in 0..<3 { #expect(total.value == 11) }
        #expect(computations.value == 2)
    }

    @Test("a derived value of a part with a measure of its own")
    func derivedBy() {
        let model = pageStore().asObservableStore()
        let computations = Shared(0)
        let texts = model.derived(from: { $0 }, by: { $0.count == $1.count }) { page in
            computations.update { $0 += 1 }
            return page.title
        }
        #expect(texts.value == "")
        model.dispatch(.title("a"))
        #expect(texts.value == "")
        model.dispatch(.count(1))
        #expect(texts.value == "a")
        #expect(computations.value == 2)
    }

    @Test("a derived value that is nil is computed once, too")
    func derivedNil() {
        let model = pageStore().asObservableStore()
        let computations = Shared(0)
        let first = model.derived(from: \.items) { items -> Int? in
            computations.update { $0 += 1 }
            return items.first
        }
        for _ in 0..<3 { #expect(first.value == nil) }
        #expect(computations.value == 1)
        let other = model.select { $0.items.first }
        model.dispatch(.items([4]))
        #expect(first.value == 4)
        #expect(other.value == 4)
        model.dispatch(.items([]))
        #expect(other.value == nil)
    }

    @Test("a selection that is made while observers are told is not left behind")
    func madeMeanwhile() {
        let model = pageStore().asObservableStore()
        let made = Shared<ObservableSelection<Int>?>(nil)
        let told = observe {
            _ = model.count
        } onChange: {
            MainActor.assumeIsolated { made.value = model.select { $0.count } }
        }
        model.dispatch(.count(1))
        #expect(told.value == 1)
        let selection = made.value
        #expect(selection?.value == 1)
        let toldAgain = observe { _ = selection?.value }
        model.dispatch(.count(2))
        #expect(toldAgain.value == 1)
        #expect(selection?.value == 2)
    }

    @Test("selections that are let go are forgotten, by those that come and by the next state; the others are told")
    func forgotten() {
        let model = pageStore().asObservableStore()
        let kept = (0..<10).map { number in model.select { $0.count + number } }
        for _ in 0..<1_000 { _ = model.select { $0.count } }
        #expect(model.followers.count <= 32)
        var more = (0..<100).map { number in model.select { $0.count + number } }
        let told = (kept + more).map { selection in observe { _ = selection.value } }
        model.dispatch(.count(1))
        #expect(told.map(\.value) == Array(repeating: 1, count: 110))
        #expect(model.followers.count == 110)
        #expect(kept.map(\.value) == Array(1...10))
        more = []
        model.dispatch(.count(2))
        #expect(model.followers.count == 10)
        #expect(kept.map(\.value) == Array(2...11))
    }
}
