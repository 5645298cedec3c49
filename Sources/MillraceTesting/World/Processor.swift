// SPDX-License-Identifier: Apache-2.0

import CTesting

/// The processor on which all threads of a world run. Only one of them runs at a time, and a handover to another
/// processor is slower. On one processor a step takes 3.4 µs instead of 10.7 µs, on the machine of docs/performance.md.
struct Processor {
    private var number: CInt = -1
    /// The processors on which the thread that runs the world was allowed to run before.
    private var before: millrace_processors?

    /// Keeps the calling thread on its processor until `leave()`. Called by the thread that runs the world.
    mutating func enter() {
        if number < 0 { number = millrace_processor() }
        var processors = millrace_processors()
        before = millrace_stay_on_processor(number, &processors) ? processors : nil
    }

    /// Called by the thread that called `enter()`.
    mutating func leave() {
        guard var processors = before.take() else { return }
        millrace_leave_processor(&processors)
    }

    /// Moves the calling thread to the processor of the world. Called by a thread of the world.
    func stay() {
        _ = millrace_stay_on_processor(number, nil)
    }
}
