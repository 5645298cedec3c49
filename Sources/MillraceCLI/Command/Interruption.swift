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

/// The wish to stop early: the first Ctrl-C (or SIGTERM) asks, the second one ends the process at once.
final class Interruption: Sendable {
    private let received = Atomic<Int32>(0)
    private let readEnd: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe, only a producer that waits for a silent input does not notice.
        if pipe(&ends) != 0 { ends = [-1, -1] }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        for end in [readEnd, writeEnd] where end >= 0 { close(end) }
    }

    /// Readable as soon as a stop is requested, for `poll`.
    var descriptor: Int32 { readEnd }

    /// The signal that asked for a stop, 0 if none did.
    var signal: Int32 { received.load(ordering: .relaxed) }

    /// Relaxed is enough: nothing else is read on the strength of it.
    var isRequested: Bool { signal != 0 }

    /// Asks everyone to stop after the chunk in hand.
    func request(by signal: Int32) {
        guard received.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged else {
            _exit(128 + signal)
        }
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Listens for SIGINT and SIGTERM as long as the returned value lives.
    func listen() -> [any DispatchSourceSignal] {
        let queue = DispatchQueue(label: "millrace.signals")
        return [SIGINT, SIGTERM].map { number in
            // The source sees the signal all the same; ignoring it takes away the default, which is to die.
            ignoreSignal(number)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in request(by: number) }
            source.resume()
            return source
        }
    }
}

/// Takes away the default of a signal, for which a dispatch source listens.
func ignoreSignal(_ number: Int32) {
    #if canImport(Glibc)
        _ = Glibc.signal(number, SIG_IGN)
    #elseif canImport(Musl)
        _ = Musl.signal(number, SIG_IGN)
    #else
        _ = Darwin.signal(number, SIG_IGN)
    #endif
}
