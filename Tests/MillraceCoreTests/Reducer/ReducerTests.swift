// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("Reducer")
struct ReducerTests {
    private let add = Reducer<Int, [Int]>.reduce { action, state in state.append(action) }
    private let double = Reducer<Int, [Int]>.reduce { _, state in state = state.map { $0 * 2 } }

    @Test("changes the state in place")
    func reduce() {
        var state = [1]
        add.reduce(2, &state)
        #expect(state == [1, 2])
    }

    @Test("does not copy what it changes")
    func noCopy() {
        var state = Array(0..<100)
        let address = state.withUnsafeBufferPointer { $0.baseAddress }
        let replace = Reducer<Int, [Int]>.reduce { action, state in state[0] = action }
        (replace <> replace).reduce(7, &state)
        #expect(state.withUnsafeBufferPointer { $0.baseAddress } == address)
        #expect(state[0] == 7)
    }

    @Test("lhs first, each sees what the one before did")
    func order() {
        var state = [1]
        (add <> double <> add).reduce(5, &state)
        #expect(state == [2, 10, 5])
    }

    @Test("identity leaves the state as it is")
    func identity() {
        var state = [1]
        Reducer<Int, [Int]>.identity.reduce(2, &state)
        #expect(state == [1])
        #expect(Reducer<Int, [Int]>.identity.isIdentity)
        #expect(!add.isIdentity)
        #expect(!(add <> add).isIdentity)
    }

    @Test("composing with identity returns the reducer itself, not a wrapper of it")
    func composingWithIdentity() {
        func words(_ reducer: Reducer<Int, [Int]>) -> [Int] {
            withUnsafeBytes(of: reducer) { Array($0.bindMemory(to: Int.self).prefix(2)) }
        }
        #expect(words(add <> .identity) == words(add))
        #expect(words(.identity <> add) == words(add))
        #expect(words(add <> double) != words(add))
        #expect((Reducer<Int, [Int]>.identity <> .identity).isIdentity)
        #expect(!(add <> .identity).isIdentity)
    }

    @Test("many fold into one")
    func fold() {
        var state: [Int] = []
        Array(repeating: add, count: 50).reduce(.identity, <>).reduce(1, &state)
        #expect(state.count == 50)
    }

    @Test("is Sendable: may be reduced on another thread")
    func sendable() async {
        let add = add
        let state = await Task.detached {
            var state: [Int] = []
            add.reduce(1, &state)
            return state
        }.value
        #expect(state == [1])
    }
}
