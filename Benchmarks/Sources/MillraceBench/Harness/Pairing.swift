// SPDX-License-Identifier: Apache-2.0

import CMallocCount

/// Runs contenders in turn. The speed of a machine changes within seconds, so only runs next to each other are
/// compared.
@MainActor
struct Pairing {
    /// The number of runs of each side.
    let pairs: Int
    /// The number of operations per run, before the share of a contender is applied.
    let operations: Int
    let progress: Progress

    /// The result of measuring a subject against its rivals.
    struct Outcome {
        let subject: Sample
        /// The results, in the order of the rivals: the time of the rival in nanoseconds, the subject's time divided by
        /// it, and the difference. Ratio and difference are taken pair by pair.
        let rivals: [(time: Sample, ratio: Sample, difference: Sample)]
    }

    /// Times `subject` alone.
    func measure(_ subject: Contender, runs: Int) async throws -> Sample? {
        progress.show("\(subject.name)  trial")
        _ = try await subject.timed(operations)
        var times: [Double] = []
        for _ in 1...runs { times.append(try await subject.timed(operations)) }
        return Sample(times)
    }

    /// Times `subject` next to each rival. The order is A B A C A D in one round and the opposite in the next, so that
    /// neither side is always first.
    func measure(_ subject: Contender, against rivals: [Contender]) async throws -> Outcome? {
        for contender in [subject] + rivals {
            progress.show("\(contender.name)  warm-up")
            _ = try await contender.timed(operations)
        }
        var subjectTimes: [Double] = []
        var times: [[Double]] = Array(repeating: [], count: rivals.count)
        var partners = times
        for pair in 1...pairs {
            for (index, rival) in rivals.enumerated() {
                progress.show("\(subject.name) | \(rival.name)  \(pair)/\(pairs)")
                let ours: Double
                let theirs: Double
                if pair % 2 == 1 {
                    ours = try await subject.timed(operations)
                    theirs = try await rival.timed(operations)
                } else {
                    theirs = try await rival.timed(operations)
                    ours = try await subject.timed(operations)
                }
                subjectTimes.append(ours)
                partners[index].append(ours)
                times[index].append(theirs)
            }
        }
        guard let sample = Sample(subjectTimes) else { return nil }
        var outcomes: [(time: Sample, ratio: Sample, difference: Sample)] = []
        for index in rivals.indices {
            guard
                let time = Sample(times[index]),
                let ratio = Sample(zip(partners[index], times[index]).map { $0 / $1 }),
                let difference = Sample(zip(partners[index], times[index]).map { $0 - $1 })
            else { return nil }
            outcomes.append((time, ratio, difference))
        }
        return Outcome(subject: sample, rivals: outcomes)
    }

    /// Returns the allocations per operation on all threads, in runs that are not timed. It takes the difference
    /// between a run and a run of twice the length, so that the fixed costs of a run do not count.
    ///
    /// Each count is the smallest of three, because sometimes other code in the process allocates. A difference of at
    /// most 8 counts as none, because wake-ups, parking and draining differ from run to run.
    func mallocs(_ contender: Contender) async throws -> Double {
        let operations = contender.scaled(min(operations, 200_000))
        func count(_ operations: Int) async throws -> Double {
            malloc_count_start()
            let result: Result<UInt64, any Error>
            do { result = .success(try await contender.run(operations)) } catch { result = .failure(error) }
            let count = malloc_count_stop()
            _ = try result.get()
            return Double(count)
        }
        progress.show("\(contender.name)  counting allocations")
        _ = try await contender.run(operations * 2)
        var single = Double.infinity
        var double = Double.infinity
        for _ in 1...3 {
            single = min(single, try await count(operations))
            double = min(double, try await count(operations * 2))
        }
        return double - single <= 8 ? 0 : (double - single) / Double(operations)
    }
}
