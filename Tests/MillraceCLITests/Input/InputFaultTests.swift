// SPDX-License-Identifier: Apache-2.0

#if DEBUG
    import CMillraceStress
    import Testing

    @testable import MillraceCLI

    /// Decompressors whose memory cannot be had.
    @Suite struct InputFaultTests {
        private let scratch = Scratch()
        private let log = generatedLog(lines: 3000, seed: 12)

        /// Reads a compressed file to its end. Returns the number of its bytes.
        private func read(_ path: String, _ kind: Compression) throws(InputError) -> Int {
            let file: FileDescriptor
            do throws(SystemError) { file = try FileDescriptor(path: path) } catch { throw .system(error) }
            let stream = try DecompressedStream(PlainStream(file: file, interruption: Interruption()), kind)
            let room = UnsafeMutablePointer<UInt8>.allocate(capacity: 100_000)
            defer { room.deallocate() }
            var sum = 0
            while true {
                let got = try stream.read(into: room, count: 100_000)
                if got == 0 { return sum }
                sum += got
            }
        }

        @Test(arguments: [Compression.gzip, .zstd])
        func eachAllocationThatFailsIsALackOfMemory(_ kind: Compression) throws {
            let path = try scratch.file("log", kind == .gzip ? Packed.gzip(log) : Packed.zstd(log))
            var site: UInt64 = 1
            while true {
                millrace_fault_plan(site, 1)
                let result = Result { () throws(InputError) in try read(path, kind) }
                let sites = millrace_fault_sites()
                millrace_fault_plan(0, 0)
                if sites < site {
                    #expect(result == .success(log.count))
                    break
                }
                #expect(result == .failure(.system(.noMemory)), "allocation \(site)")
                site += 1
            }
            // The decompressor, what its library makes at first, and what that makes for the data.
            #expect(site > 3)
        }
    }
#endif
