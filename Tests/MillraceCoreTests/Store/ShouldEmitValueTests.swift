// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@Suite("ShouldEmitValue")
struct ShouldEmitValueTests {
    @Test("always: every state")
    func always() {
        let policy = ShouldEmitValue<Int>.always
        #expect(policy.shouldEmit(previous: 1, new: 1))
        #expect(policy.shouldEmit(previous: 1, new: 2))
        #expect(!policy.shouldRemove(previous: 1, new: 1))
    }

    @Test("never: no state")
    func never() {
        let policy = ShouldEmitValue<Int>.never
        #expect(!policy.shouldEmit(previous: 1, new: 2))
        #expect(policy.shouldRemove(previous: 1, new: 2))
    }

    @Test("when: the closure decides, given the previous and the new state in this order")
    func when() {
        let policy = ShouldEmitValue<Int>.when { previous, new in new > previous }
        #expect(policy.shouldEmit(previous: 1, new: 2))
        #expect(!policy.shouldEmit(previous: 2, new: 1))
        #expect(policy.shouldRemove(previous: 2, new: 1))
        #expect(!policy.shouldRemove(previous: 1, new: 2))
    }

    @Test("a switch finds the predicate again")
    func matching() {
        switch ShouldEmitValue<Int>.when({ previous, new in new > previous }) {
        case .when(let predicate): #expect(predicate(1, 2) && !predicate(2, 1))
        case .always, .never: Issue.record("not what it was made of")
        }
    }

    @Test("whenDifferent: not what equals")
    func whenDifferent() {
        let policy = ShouldEmitValue<AuthState>.whenDifferent
        #expect(!policy.shouldEmit(previous: AuthState(), new: AuthState()))
        #expect(policy.shouldEmit(previous: AuthState(), new: AuthState(user: "ada")))
        #expect(policy.shouldRemove(previous: AuthState(), new: AuthState()))
    }
}
