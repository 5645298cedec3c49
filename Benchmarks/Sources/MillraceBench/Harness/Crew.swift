// SPDX-License-Identifier: Apache-2.0

import CBenchCrew

/// Threads that sleep between runs, start each run together and are timed as one.
@MainActor
final class Crew {
    let size: Int
    private nonisolated(unsafe) let crew: OpaquePointer
    // Unsafe because deinit is not isolated to an actor. No other code has the object at that time.

    /// Creates a crew. If `pinned`, member i runs only on processor i.
    init(_ size: Int, pinned: Bool = false) throws(BenchmarkError) {
        guard let crew = bench_crew_create(CInt(size), pinned ? 1 : 0) else { throw .noThreads(size) }
        self.size = size
        self.crew = crew
    }

    deinit { bench_crew_destroy(crew) }

    /// Runs `body` on every member with its index, and returns when all have returned.
    func run(_ body: @escaping @Sendable (Int) -> Void) -> bench_crew_times {
        let box = CrewBody(body)
        return withExtendedLifetime(box) {
            bench_crew_run(crew, callCrewBody, Unmanaged.passUnretained(box).toOpaque())
        }
    }
}

private final class CrewBody: Sendable {
    let body: @Sendable (Int) -> Void
    init(_ body: @escaping @Sendable (Int) -> Void) { self.body = body }
}

/// Calls the body on a thread of the crew. A function, because a closure here would be isolated to the main actor.
private func callCrewBody(_ context: UnsafeMutableRawPointer?, _ index: CInt) {
    guard let context else { return }
    Unmanaged<CrewBody>.fromOpaque(context).takeUnretainedValue().body(Int(index))
}
