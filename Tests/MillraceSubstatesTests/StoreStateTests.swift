// SPDX-License-Identifier: Apache-2.0

import MillraceSubstates
import Testing

@Suite("StoreState")
struct StoreStateTests {
    @Test("substates keep the order of registration, and look-ups by type take the first of a type")
    func order() throws {
        var state: StoreState = [Tasks(titles: ["a"]), Counter(value: 1)]
        state.append(Tasks(titles: ["b"]))
        state += [Counter(value: 2)]

        #expect(state.count == 4)
        #expect(state.map { String(describing: type(of: $0)) } == ["Tasks", "Counter", "Tasks", "Counter"])
        #expect(state[Tasks.self] == Tasks(titles: ["a"]))
        #expect(try state.substate(Counter.self).value == 1)
        #expect((state[3] as? Counter)?.value == 2)
    }

    @Test("a change by type changes the first of the type, in this state alone")
    func copies() throws {
        var state: StoreState = [Counter(value: 1), Counter(value: 2)]
        let before = state
        try state.update(Counter.self) { $0.value = 7 }

        #expect((state[0] as? Counter)?.value == 7)
        #expect((state[1] as? Counter)?.value == 2)
        #expect((before[0] as? Counter)?.value == 1)
        #expect(before != state)
    }

    @Test("a substate of a class is found by the type of the variable that it came from")
    func classes() throws {
        class Base: SubstateType, @unchecked Sendable {}
        final class Derived: Base, @unchecked Sendable {}
        let substate: Base = Derived()
        var state: StoreState = [substate]
        #expect(state[Base.self] === substate)
        #expect(state[Derived.self] == nil)
        state[0] = Derived()
        #expect(state[Base.self] == nil)
        #expect(state[Derived.self] != nil)
    }

    @Test("a missing substate is a typed error that says how to mend it")
    func missing() {
        var state: StoreState = [Counter()]
        let error = #expect(throws: SubstateError.self) { try state.substate(Tasks.self) }
        #expect(error == .missingSubstate("MillraceSubstatesTests.Tasks", action: nil))
        #expect(error?.description.contains("StoreAction.add(states:)") == true)
        #expect(throws: SubstateError.self) { try state.update(Tasks.self) { $0.titles = [] } }
        #expect(state[Tasks.self] == nil)
        #expect(!state.contains(Tasks.self))
    }

    @Test("a substate of another type may take a place, and is then found by its type")
    func replacedByIndex() {
        var state: StoreState = [Tasks(), Counter(value: 1), Counter(value: 2)]
        state[1] = Notes(text: "n")
        #expect(state[Notes.self]?.text == "n")
        #expect(state[Counter.self]?.value == 2)
        state[0] = Counter(value: 3)
        #expect(state[Counter.self]?.value == 3)
        #expect(state[Tasks.self] == nil)
        state.remove(at: 0)
        #expect(state[Counter.self]?.value == 2)
        #expect(state.count == 2)
    }

    @Test("it equals an array after random changes, and copies stay as they were", arguments: 0..<20)
    func likeAnArray(seed: UInt64) throws {
        var random = SplitMix(seed)
        var (state, array): (StoreState, [Int]) = ([], [])
        var copies: [(StoreState, [Int])] = []
        for _ in 0..<400 {
            let value = Int(random.next() % 1_000)
            switch random.next() % 8 {
            case 0..<4:
                state.append(Counter(value: value))
                array.append(value)
            case 4 where !array.isEmpty:
                try state.update(Counter.self) { $0.value = value }
                array[0] = value
            case 5 where !array.isEmpty:
                let place = Int(random.next() % UInt64(array.count))
                state[place] = Counter(value: value)
                array[place] = value
            case 6: copies.append((state, array))
            case 7 where value < 10:
                state.removeAll()
                array.removeAll()
            default: break
            }
        }
        copies.append((state, array))
        for (state, array) in copies { #expect(state.map { ($0 as? Counter)?.value } == array) }
    }

    @Test("more substates than four levels of the tree hold")
    func many() throws {
        var state = StoreState((0..<5_000).map { Counter(value: $0) as any SubstateType })
        state.append(Tasks())
        let copy = state
        try state.update(Tasks.self) { $0.titles = ["x"] }
        #expect(copy[Tasks.self]?.titles == [])
        #expect(state[Tasks.self]?.titles == ["x"])
        #expect((0..<5_000).allSatisfy { (state[$0] as? Counter)?.value == $0 })
    }

    @Test("substates that are not Equatable are equal as long as neither state has changed them")
    func equality() throws {
        let state: StoreState = [Notes(text: "a")]
        var other = state
        #expect(other == state)
        try other.update(Notes.self) { $0.text = "a" }
        #expect(other != state)
        #expect([Counter(value: 1)] as StoreState == [Counter(value: 1)])
        #expect([Counter(value: 1)] as StoreState != [Counter(value: 2)])
        #expect([Counter()] as StoreState != [Tasks()])
    }

    @Test("pairs are equal if states and last actions are")
    func pairs() {
        let pair = StateLastAction(currentState: [Counter()], lastAction: TasksAction.add("a"))
        var other = pair
        #expect(other == pair)
        other.lastAction = TasksAction.add("b")
        #expect(other != pair)
        #expect(StateLastAction.haveEqualStates(other, pair))
        other.lastAction = Stranger()
        #expect(other != other)
    }
}

struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
