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

    @Test("a revocation is seen on another thread")
    func otherThread() async {
        let run = EffectRun()
        await Task.detached { run.revoke() }.value
        #expect(run.isRevoked)
    }
}
