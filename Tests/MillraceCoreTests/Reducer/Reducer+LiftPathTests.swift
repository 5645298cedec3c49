// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private struct Inner: Equatable {
    var flag = false
    var number = 0
    var names: [String] = []
}

private struct Outer: Equatable {
    var byte: UInt8 = 1
    var inner = Inner()
    var pair = (first: 1, second: Inner())
    var optional: Inner? = Inner()
    var table = ["k": Inner()]
    var items = [Inner(), Inner()]
    var writes = 0
    var observed = Inner() { didSet { writes += 1 } }

    static func == (lhs: Outer, rhs: Outer) -> Bool { lhs.inner == rhs.inner && lhs.byte == rhs.byte }
}

private final class Reference {
    var inner = Inner()
}

private let count = Reducer<Int, Inner>.reduce { action, state in
    state.number += action
    state.names.append("\(action)")
}

private func check(
    _ path: WritableKeyPath<Outer, Inner>,
    hasOffset: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect((MemoryLayout<Outer>.offset(of: path) != nil) == hasOffset, sourceLocation: sourceLocation)
    var outer = Outer()
    let lifted = count.lift(state: path)
    lifted.reduce(3, &outer)
    lifted.reduce(4, &outer)
    #expect(outer[keyPath: path] == Inner(number: 7, names: ["3", "4"]), sourceLocation: sourceLocation)
    #expect(outer.byte == 1 && (path == \.inner || outer.inner == Inner()), sourceLocation: sourceLocation)
}

@Suite("Reducer: lift by every kind of key path")
struct ReducerLiftPathTests {
    @Test("stored properties, nested ones, elements of tuples, the value itself")
    func stored() {
        check(\.inner, hasOffset: true)
        check(\.pair.second, hasOffset: true)
        var inner = Inner()
        count.lift(state: \Inner.self).reduce(2, &inner)
        #expect(inner.number == 2)
        var outer = Outer()
        Reducer<Int, Int>.reduce { $1 += $0 }.lift(state: \Outer.inner.number).reduce(5, &outer)
        #expect(outer.inner == Inner(number: 5))
    }

    @Test("what has no offset: optionals and subscripts")
    func fallBack() {
        check(\.optional!, hasOffset: false)
        check(\.table["k"]!, hasOffset: false)
        check(\.items[1], hasOffset: false)
    }

    @Test("an action found by the value of a key path, stored or computed")
    func actionPaths() {
        struct Envelope {
            var number = 0
            var stored: Int?
            var computed: Int? { number > 0 ? number * 10 : nil }
        }
        let paths: [KeyPath<Envelope, Int?>] = [\.stored, \.computed]
        let results = paths.map { path in
            var inner = Inner()
            let lifted = count.lift(action: path)
            for envelope in [Envelope(), Envelope(number: 1), Envelope(stored: 2), Envelope(number: 3, stored: 4)] {
                lifted.reduce(envelope, &inner)
            }
            return inner.names
        }
        #expect(results == [["2", "4"], ["10", "30"]])
    }

    @Test("an observed property is written once an action, and observed")
    func observed() {
        check(\.observed, hasOffset: false)
        var outer = Outer()
        count.lift(state: \Outer.observed).reduce(1, &outer)
        #expect(outer.writes == 1)
    }

    @Test("a property of a class")
    func reference() {
        var reference = Reference()
        count.lift(state: \Reference.inner).reduce(6, &reference)
        #expect(reference.inner.number == 6)
    }

    @Test("changes a stored part in place: nothing is copied", arguments: [0, 1])
    func inPlace(form: Int) {
        var state = AppState(list: Array(0..<100))
        let address = state.list.withUnsafeBufferPointer { $0.baseAddress }
        let replace = Reducer<Int, [Int]>.reduce { action, list in list[0] = action }
        let lifted =
            form == 0 ? replace.lift(state: \AppState.list) : replace.lift(action: { $0 }, state: \AppState.list)
        lifted.reduce(7, &state)
        #expect(state.list[0] == 7)
        #expect(state.list.withUnsafeBufferPointer { $0.baseAddress } == address)
    }
}
