// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CCallgrind
import CMallocCount
import Foundation

/// The command that `check` runs under callgrind. It does the operations of a row and prints the allocations; callgrind
/// writes the instructions.
struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "count", shouldDisplay: false)

    @Option(help: "Operations of the shorter of two runs.")
    var operations: Int

    @Option(help: "The name of the row.")
    var row: String

    @Option(help: "Instructions an operation that the control of the instructions adds.")
    var more: Double

    /// Counts the row on a thread of its own, like the pipeline of a store, because effects check whether they start
    /// inside a task.
    func run() throws {
        let result = CountResult()
        let thread = Thread { [self] in
            result.end(Result { try count(row, result) })
        }
        thread.stackSize = 8 << 20
        thread.start()
        let mallocs = try result.wait()
        print(String(decoding: try JSONEncoder().encode(mallocs), as: UTF8.self))
    }

    /// The number of times that each of the two runs is counted. The smallest count is used, because sometimes memory
    /// is recycled or given back during a run.
    static let repetitions = 5

    /// Returns the allocations per operation, and makes callgrind write the instructions of the runs. The label is `1`
    /// for short runs and `2` for runs of twice the length.
    private func count(_ name: String, _ result: CountResult) throws -> Double {
        let candidates = CountedRow.all + CountedRow.steep + CountControl.all.map { $0.row(more: more) }
        guard let row = candidates.first(where: { $0.name == name }) else {
            throw ValidationError("no row is called '\(name)'")
        }
        result.begin(needsMainQueue: row.needsMainQueue)
        let operations = operations / row.divisor
        let run = try row.make()
        // After this warm-up, everything that is allocated or looked up only once is there.
        run.before()
        run.body(operations * 2)
        run.after()
        var least = [Double.infinity, .infinity]
        // First all short runs, then all long ones, because a run may leave work for the next one.
        for factor in 1...2 {
            for _ in 0..<Self.repetitions {
                run.before()
                malloc_count_start()
                callgrind_begin()
                run.body(operations * factor)
                callgrind_end("\(factor)")
                least[factor - 1] = min(least[factor - 1], Double(malloc_count_stop()))
                run.after()
            }
        }
        return max(0, least[1] - least[0]) / Double(operations)
    }
}

/// Passes the result of a thread to the thread that waits for it.
private final class CountResult: @unchecked Sendable {
    // Unchecked because the result is written before the signal and read after it.
    private let hasBegun = DispatchSemaphore(value: 0)
    private let isThere = DispatchSemaphore(value: 0)
    private var needsMainQueue = false
    private var result: Result<Double, any Error>?

    func end(_ result: Result<Double, any Error>) {
        self.result = result
        hasBegun.signal()  // an error may come before the beginning
        isThere.signal()
    }

    /// Tells the main thread what to do until the end.
    func begin(needsMainQueue: Bool) {
        self.needsMainQueue = needsMainQueue
        hasBegun.signal()
    }

    /// Waits for the result, on the main thread.
    func wait() throws -> Double {
        hasBegun.wait()
        if needsMainQueue {
            while isThere.wait(timeout: .now()) == .timedOut {
                _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
            }
            isThere.signal()
        }
        isThere.wait()
        return try result?.get() ?? 0
    }
}
