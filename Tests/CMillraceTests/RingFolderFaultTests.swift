// SPDX-License-Identifier: Apache-2.0

#if DEBUG
    import CMillrace
    import CMillraceStress
    import Foundation
    import Glibc
    import Testing

    /// The folder of a ring goes while the ring is made: after the old file was claimed, and before the new one has its
    /// name. Each allocation in between is such a moment.
    @Suite("Ring files whose folder goes")
    struct RingFolderFaultTests {
        private final class Step {
            let call: () -> Void

            init(_ call: @escaping () -> Void) { self.call = call }
        }

        /// Makes a ring, and calls `step` at one of the allocations. Returns the error, 0 for none.
        private func make(_ path: String, at site: UInt64, _ step: @escaping () -> Void) -> Int32 {
            let step = Step(step)
            millrace_fault_call(
                site,
                { Unmanaged<Step>.fromOpaque($0!).takeUnretainedValue().call() },
                Unmanaged.passUnretained(step).toOpaque()
            )
            defer { millrace_fault_plan(0, 0) }
            var (ring, code) = (UnsafeMutablePointer<millrace_ring>?.none, Int32(0))
            let result = millrace_ring_create_file(path, 4, 16, 4096, &code, &ring)
            if result == MILLRACE_OK, let ring { millrace_ring_destroy(ring) }
            #expect((result == MILLRACE_OK) == (code == 0))
            withExtendedLifetime(step) {}
            return code
        }

        private func names(_ folder: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        }

        @Test("nothing but the old ring is left, and it is whole", arguments: [false, true], [false, true])
        func goes(isRenamed: Bool, hasOld: Bool) throws {
            let manager = FileManager.default
            var site: UInt64 = 1
            while true {
                let outer = NSTemporaryDirectory() + "/millrace-ring-" + UUID().uuidString
                let (folder, moved) = (outer + "/rings", outer + "/moved")
                try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
                defer { try? manager.removeItem(atPath: outer) }
                let path = folder + "/ring"
                if hasOld { #expect(make(path, at: 0) {} == 0) }
                let old = manager.contents(atPath: path)
                var isCalled = false
                let code = make(path, at: site) {
                    isCalled = true
                    if isRenamed { rename(folder, moved) } else { try? manager.removeItem(atPath: folder) }
                }
                guard isCalled else {
                    #expect(code == 0 && site > (hasOld ? 4 : 3), "the moments are after the claim, too")
                    return
                }
                #expect(code == ENOENT, "allocation \(site)")
                #expect(names(outer) == (isRenamed ? ["moved"] : []), "allocation \(site)")
                #expect(names(moved) == (isRenamed && hasOld ? ["ring"] : []), "allocation \(site)")
                if isRenamed, hasOld { #expect(manager.contents(atPath: moved + "/ring") == old) }
                site += 1
            }
        }
    }
#endif
