// SPDX-License-Identifier: Apache-2.0

import CTesting

/// The processor on which all threads of a world run. They run one at a time, so that a second one would only make each
/// handover slower: 3.4 instead of 10.7 µs a step on the machine of docs/performance.md.
struct Processor {
    private var number: CInt = -1
    /// Where the thread that runs the world might run before.
    private var before: millrace_processors?

    /// Keeps the calling thread where it is, until `leave()`. By the thread that runs the world.
    mutating func enter() {
        if number < 0 { number = millrace_processor() }
        var processors = millrace_processors()
        before = millrace_stay_on_processor(number, &processors) ? processors : nil
    }

    /// By the thread that called `enter()`.
    mutating func leave() {
        guard var processors = before.take() else { return }
        millrace_leave_processor(&processors)
    }

    /// Moves the calling thread to the processor of the world. By a thread of the world.
    func stay() {
        _ = millrace_stay_on_processor(number, nil)
    }
}
