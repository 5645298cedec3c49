// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs a body on threads of its own, and waits for all of them.
///
/// Threads, not a dispatch queue: a queue starts only as many as there are cores, and the body may block.
/// - Parameters:
///   - count: how many threads.
///   - body: is given the thread's number, from 0.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { index in
        let start = Unmanaged.passRetained(ThreadStart(index, body))
        var thread = pthread_t()
        let error = pthread_create(
            &thread,
            nil,
            { context in
                let start = Unmanaged<ThreadStart>.fromOpaque(context!).takeRetainedValue()
                start.body(start.index)
                return nil
            },
            start.toOpaque()
        )
        precondition(error == 0, "no thread to be had: \(String(cString: strerror(error)))")
        return thread
    }
    for thread in threads { pthread_join(thread, nil) }
}

private final class ThreadStart: Sendable {
    let index: Int
    let body: @Sendable (Int) -> Void

    init(_ index: Int, _ body: @escaping @Sendable (Int) -> Void) {
        self.index = index
        self.body = body
    }
}

/// Runs a body on a thread of its own, and waits for nothing.
public func onNewThread(_ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(ThreadStart(0) { _ in body() })
    var thread = pthread_t()
    let error = pthread_create(
        &thread,
        nil,
        { context in
            Unmanaged<ThreadStart>.fromOpaque(context!).takeRetainedValue().body(0)
            return nil
        },
        start.toOpaque()
    )
    precondition(error == 0, "no thread to be had: \(String(cString: strerror(error)))")
    pthread_detach(thread)
}

/// Runs a body that blocks on a thread of its own, and suspends until it is done.
public func elsewhere(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { task in
        onNewThread {
            body()
            task.resume()
        }
    }
}
