// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@Suite("EffectRun")
struct EffectRunTests {
    @Test("is revoked for good, and only by revoke")
    func revoke() {
        let run = EffectRun()
        let other = EffectRun()
        #expect(!run.isRevoked)
        run.revoke()
        #expect(run.isRevoked)
        run.revoke()
        #expect(run.isRevoked)
        #expect(!other.isRevoked)
    }

    @Test("a run inside of others is revoked with each of them, and revokes none of them")
    func enclosing() {
        let outer = EffectRun()
        let middle = EffectRun(inside: outer)
        let (inner, sibling) = (EffectRun(inside: middle), EffectRun(inside: middle))
        inner.revoke()
        #expect([outer, middle, inner, sibling].map(\.isRevoked) == [false, false, true, false])
        outer.revoke()
        #expect([outer, middle, inner, sibling].map(\.isRevoked) == [true, true, true, true])
    }

    @Test("a revocation is seen on another thread")
    func otherThread() async {
        let run = EffectRun()
        await Task.detached { run.revoke() }.value
        #expect(run.isRevoked)
    }
}
