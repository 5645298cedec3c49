// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CCallgrind
import CMallocCount
import Foundation

/// What `check` runs under callgrind: does each work and prints its allocations. Callgrind writes the instructions.
struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "count", shouldDisplay: false)

    @Option(help: "Operations of the shorter of two runs.")
    var operations: Int

    @Option(help: "A JSON array of the names of the works, in their order.")
    var works: String

    @Option(help: "Instructions an operation that the control of the instructions adds.")
    var more: Double

    /// On a thread of its own, as a store's pipeline: effects look whether they start inside a task.
    func run() throws {
        let names = try JSONDecoder().decode([String].self, from: Data(works.utf8))
        let result = CountResult()
        let thread = Thread { [self] in
            result.end(Result { try names.enumerated().map { try count($1, label: "\($0)") } })
        }
        thread.stackSize = 8 << 20
        thread.start()
        let mallocs = try result.wait()
        print(String(decoding: try JSONEncoder().encode(mallocs), as: UTF8.self))
    }

    /// How often each of the two runs is counted. The least counts: now and then memory is recycled or given back.
    static let repetitions = 5

    /// Returns the allocations an operation, and has callgrind write the instructions of the runs: `label.1` of the short
    /// ones, `label.2` of those that are twice as long.
    private func count(_ name: String, label: String) throws -> Double {
        let candidates = CountedWork.all + CountControl.all.map { $0.work(more: more) }
        guard let work = candidates.first(where: { $0.name == name }) else {
            throw ValidationError("no work is called '\(name)'")
        }
        let run = try work.make()
        // What is allocated or looked up once is there after this.
        run.before()
        run.body(operations * 2)
        run.after()
        var least = [Double.infinity, .infinity]
        // First all of the one kind, then all of the other: a run may leave work for the next one.
        for factor in 1...2 {
            for _ in 0..<Self.repetitions {
                run.before()
                malloc_count_start()
                callgrind_begin()
                run.body(operations * factor)
                callgrind_end("\(label).\(factor)")
                least[factor - 1] = min(least[factor - 1], Double(malloc_count_stop()))
                run.after()
            }
        }
        return max(0, least[1] - least[0]) / Double(operations)
    }
}

/// Hands a thread's result to the one that waits for it.
private final class CountResult: @unchecked Sendable {
    // Unchecked: written before the signal, read after it.
    private let isThere = DispatchSemaphore(value: 0)
    private var result: Result<[Double], any Error>?

    func end(_ result: Result<[Double], any Error>) {
        self.result = result
        isThere.signal()
    }

    func wait() throws -> [Double] {
        isThere.wait()
        return try result?.get() ?? []
    }
}
