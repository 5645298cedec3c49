// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// The right to consume, where more than one thread may do it. `millrace_baton.h` has the protocol.
@usableFromInline
struct Baton: @unchecked Sendable {
    // Unchecked because it is a pointer to memory that is shared by design.
    @usableFromInline let pointer: UnsafeMutablePointer<millrace_baton>

    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: millrace_baton())
    }

    func deallocate() { pointer.deallocate() }

    /// Returns true if the caller is the consumer from here on. Any thread.
    func tryTake() -> Bool { millrace_baton_try_take(pointer) }
}

/// The pipelines that the current thread is running, innermost first.
@usableFromInline
enum Frames {
    /// Runs `body` as the consumer of a store.
    ///
    /// - Parameter counters: The ``Counters`` of that store.
    static func within<Result: ~Copyable>(
        _ identity: UnsafeRawPointer,
        _ counters: UnsafeMutablePointer<Counters>,
        _ body: () -> Result
    ) -> Result {
        var frame = millrace_frame()
        // The frame's address must not change while it is in the list.
        return withUnsafeMutablePointer(to: &frame) { frame in
            millrace_frame_push(frame, identity, counters)
            defer { millrace_frame_pop(frame) }
            return body()
        }
    }

    /// Whether the current thread is running the pipeline with this identity.
    @inlinable
    static func isRunning(_ identity: UnsafeRawPointer) -> Bool { millrace_frame_runs(identity) }

    /// Whether the current thread is running any pipeline.
    @inlinable
    static var isRunningAny: Bool { millrace_frame_runs_any() }

    /// The counters of the innermost pipeline that the current thread is running.
    static var counters: UnsafeMutablePointer<Counters>? {
        millrace_frame_counters()?.assumingMemoryBound(to: Counters.self)
    }
}
