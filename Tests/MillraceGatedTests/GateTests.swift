// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import MillraceGated

@Suite("Gate", .timeLimit(.minutes(5)))
struct GateTests {
    @Test("it is what it is made, and what it is set to")
    func flips() {
        #expect(Gate().isOpen && Gate().state == .active)
        let gate = Gate(.bypass)
        #expect(!gate.isOpen && gate.state == .bypass)
        gate.open()
        gate.open()
        #expect(gate.isOpen)
        gate.close()
        #expect(gate.state == .bypass)
        gate.set(.active)
        #expect(gate.isOpen)
        #expect(gate.toggle() == .bypass)
        #expect(gate.toggle() == .active && gate.isOpen)
    }

    @Test("it prints its state")
    func description() {
        #expect("\(Gate())" == "Gate(active)")
        #expect("\([Gate(.bypass)])" == "[Gate(bypass)]")
    }

    @Test("toggles of several threads are one after the other, and each is told")
    func toggles() async {
        let gate = Gate()
        let (told, opened) = (Shared(0), Shared(0))
        let observation = gate.observe { _ in told.update { $0 += 1 } }
        await elsewhere {
            onThreads(4) { _ in
                for _ in 0..<1_001 where gate.toggle() == .active { opened.update { $0 += 1 } }
            }
        }
        #expect(gate.isOpen)
        #expect(told.value == 4_004)
        #expect(opened.value == 2_002)
        withExtendedLifetime(observation) {}
    }

    @Test("states and policies can be kept in a file")
    func codable() throws {
        let states = try JSONDecoder().decode([GateState].self, from: JSONEncoder().encode(GateState.allCases))
        #expect(states == [.active, .bypass])
        #expect(String(decoding: try JSONEncoder().encode([GateState.bypass]), as: UTF8.self) == #"["bypass"]"#)
        let policies = try JSONDecoder().decode(
            [InFlightPolicy].self,
            from: JSONEncoder().encode(InFlightPolicy.allCases)
        )
        #expect(policies == [.dropOutputs, .letFinish, .cancel])
        let text = String(decoding: try JSONEncoder().encode([InFlightPolicy.letFinish]), as: UTF8.self)
        #expect(text == #"["letFinish"]"#)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([GateState].self, from: Data(#"["on"]"#.utf8)) }
    }

    @Test("a gate is kept as its state, and comes back as another gate")
    func codableGate() throws {
        struct Settings: Codable {
            var audit = Gate(.bypass)
            var mirror = Gate()
        }
        let settings = Settings()
        let data = try JSONEncoder().encode(settings)
        #expect(try JSONDecoder().decode([String: String].self, from: data) == ["audit": "bypass", "mirror": "active"])
        let again = try JSONDecoder().decode(Settings.self, from: data)
        #expect(!again.audit.isOpen && again.mirror.isOpen)
        again.audit.open()
        #expect(!settings.audit.isOpen)
    }

    @Test("its states can be followed: the one it has, then each that differs")
    func states() async {
        let gate = Gate()
        var states = gate.states.makeAsyncIterator()
        #expect(await states.next() == .active)
        gate.close()
        #expect(await states.next() == .bypass)
        gate.open()
        gate.close()  // back where it was: nothing to tell
        gate.open()
        #expect(await states.next() == .active)
    }

    @Test("who is slow is told the last state, however many threads flip")
    func lastState() async {
        let gate = Gate()
        let seen = Shared<GateState?>(nil)
        let following = Task {
            for await state in gate.states { seen.value = state }
            return true
        }
        await elsewhere {
            onThreads(4) { thread in
                for _ in 0..<1_000 { gate.set(thread % 2 == 0 ? .active : .bypass) }
            }
        }
        for last in [GateState.bypass, .active, .bypass] {
            gate.set(last)
            while seen.value != last { await Task.yield() }
        }
        following.cancel()
        #expect(await following.value, "it ends with its task")
    }

    @Test("who no longer follows it is let go")
    func release() async {
        let gate = Gate()
        weak var box: Shared<Int>?
        do {
            let kept = Shared(0)
            box = kept
            let observation = gate.observe { _ in kept.update { $0 += 1 } }
            gate.close()
            withExtendedLifetime(observation) {}
            #expect(kept.value == 1)
        }
        #expect(box == nil)
        gate.open()
    }

    @Test("setting a gate to the state that it has tells nobody")
    func unchanged() {
        let gate = Gate()
        let told = Shared(0)
        let observation = gate.observe { _ in told.update { $0 += 1 } }
        gate.open()
        gate.set(.active)
        #expect(told.value == 0)
        gate.close()
        #expect(told.value == 1)
        withExtendedLifetime(observation) {}
    }

    @Test("who follows its states is not told one twice, when it was flipped and back")
    func flippedAndBack() async throws {
        let gate = Gate()
        var states = gate.states.makeAsyncIterator()
        #expect(await states.next() == .active)
        gate.close()
        gate.open()
        let closing = Task {
            try await Task.sleep(for: .milliseconds(50))
            gate.close()
        }
        #expect(await states.next() == .bypass)
        try await closing.value
    }
}
