// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// Processors, processes and threads.
@usableFromInline
enum System {
    /// The processors that this process may use.
    static var processors: Int { Int(millrace_processor_count()) }

    /// Tells the processor that this thread is spinning.
    @inlinable
    static func pause(_ times: Int) {
        for _ in 0..<times { millrace_pause() }
    }

    /// Starts a detached thread that calls `body` with `context`. Returns false if the system has no thread to give.
    static func startThread(
        _ name: String,
        _ context: UnsafeMutableRawPointer,
        _ body: @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) -> Bool {
        millrace_thread_start(name, body, context) == MILLRACE_OK
    }

    /// The number of forks between the process that has started the program and this one.
    static var processGeneration: UInt64 { millrace_process_generation() }

    /// Stops the process with a message, for a mistake of the program.
    @usableFromInline
    static func stop(_ message: String) -> Never { millrace_stop(message) }
}

/// Ticks of the processor's counter, as plain numbers.
@usableFromInline
enum TickClock {
    @inlinable static var now: UInt64 { millrace_clock_ticks() }

    /// The ticks from one stamp to a later one; 0 if that one is not later.
    @inlinable
    static func passed(_ since: UInt64, _ now: UInt64) -> UInt64 { millrace_clock_passed(since, now) }

    /// The ticks between two stamps, whichever is the earlier one. For a wait that has to end although the counter has
    /// stepped back by more than a thread's change of cores explains, as after the migration of a virtual machine.
    static func between(_ one: UInt64, _ other: UInt64) -> UInt64 { max(one, other) - min(one, other) }

    @inlinable
    static func nanoseconds(_ ticks: UInt64) -> UInt64 { millrace_clock_nanoseconds(ticks) }

    @inlinable
    static func ticks(nanoseconds: UInt64) -> UInt64 { millrace_clock_from_nanoseconds(nanoseconds) }
}

/// Sections in which a thread reads memory that is freed only after a grace period.
@usableFromInline
package enum ReadSection {
    /// Whether the current thread is inside of one.
    package static var isOngoing: Bool { millrace_read_ongoing() }

    @inlinable @inline(__always)
    static func begin() { millrace_read_begin() }

    @inlinable @inline(__always)
    static func end() { millrace_read_end() }

    /// Stops debug builds inside of a read section.
    static func assertOutside(_ what: String) { millrace_assert_outside_read_section(what) }

    /// Blocks until all sections that are open now have ended.
    static func waitForReaders() { millrace_wait_for_readers() }

    /// Writes the system's numbers of the threads that are inside. Returns how many were written.
    static func readers(_ numbers: UnsafeMutableBufferPointer<Int32>) -> Int {
        guard let first = numbers.baseAddress else { return 0 }
        return Int(millrace_readers(first, numbers.count))
    }
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

#if MILLRACE_SIMULATED
    /// The steps of the C core, in a build for simulation.
    package enum CoreSteps {
        /// Has `step` called with `context` between two steps of the calling thread; nil: nothing is called.
        package static func watch(
            _ step: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
            _ context: UnsafeMutableRawPointer?
        ) {
            millrace_step_set(step, context)
        }
    }
#endif
