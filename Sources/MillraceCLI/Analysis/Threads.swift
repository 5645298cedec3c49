// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Starts a detached thread. Parsing takes long and may block, and Swift's thread pool is not made for that.
func startThread(_ body: sending @escaping () -> Void) throws(SystemError) {
    let box = Unmanaged.passRetained(ThreadBody(run: body))
    #if canImport(Darwin)
        var thread: pthread_t?
        let code = pthread_create(&thread, nil, { argument in ThreadBody.start(argument) }, box.toOpaque())
    #else
        var thread = pthread_t()
        let code =
            Fault.isHere
            ? EAGAIN : pthread_create(&thread, nil, { argument in ThreadBody.start(argument!) }, box.toOpaque())
    #endif
    guard code == 0 else {
        box.release()
        throw SystemError(code: code)
    }
    #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
    #else
        pthread_detach(thread)
    #endif
}

/// Suspends the calling thread for some time.
func pauseThread(microseconds: UInt32) {
    usleep(microseconds)
}

/// Returns the number of processors that are online.
func availableProcessors() -> Int {
    max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

private final class ThreadBody {
    private let run: () -> Void

    init(run: @escaping () -> Void) {
        self.run = run
    }

    static func start(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
