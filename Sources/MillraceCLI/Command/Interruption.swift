// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A request to stop early. The first Ctrl-C (or SIGTERM) sets it, the second one ends the process at once.
final class Interruption: Sendable {
    private let received = Atomic<Int32>(0)
    private let readEnd: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe, everything works but a producer that waits for a silent input: it does not notice the
        // request.
        if pipe(&ends) != 0 { ends = [-1, -1] }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        for end in [readEnd, writeEnd] where end >= 0 { close(end) }
    }

    /// The descriptor that becomes readable when a stop is requested, for `poll`.
    var descriptor: Int32 { readEnd }

    /// The signal that requested the stop; 0 if there was none.
    var signal: Int32 { received.load(ordering: .relaxed) }

    /// Whether a stop was requested. Relaxed: no other memory is read because of it.
    var isRequested: Bool { signal != 0 }

    /// Requests that all producers stop after their current chunk. A second request ends the process.
    func request(by signal: Int32) {
        guard received.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged else {
            _exit(128 + signal)
        }
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Listens for SIGINT and SIGTERM while the returned sources live.
    func listen() -> [any DispatchSourceSignal] {
        let queue = DispatchQueue(label: "millrace.signals")
        return [SIGINT, SIGTERM].map { number in
            // The source gets the signal even if it is ignored. Without ignoring it, the process would end.
            ignoreSignal(number)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in request(by: number) }
            source.resume()
            return source
        }
    }
}

/// Ignores a signal, so that it does not end the process. A dispatch source still gets it.
func ignoreSignal(_ number: Int32) {
    #if canImport(Glibc)
        _ = Glibc.signal(number, SIG_IGN)
    #elseif canImport(Musl)
        _ = Musl.signal(number, SIG_IGN)
    #else
        _ = Darwin.signal(number, SIG_IGN)
    #endif
}
