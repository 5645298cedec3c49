// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Glibc
import Millrace
import MillraceInstrumentation

/// The time for which a reader that takes a snapshot delays the pipeline. It is measured from the end of one action's
/// reducer to the start of the next one's, with the message of the reader between them.
@MainActor
struct SnapshotPause {
    private typealias Store = ReduxStoreBase<Action, Int>

    enum Action: Sendable {
        case kind(Int)
        /// Waits in the reducer, so that the message and the next action are in the queue when it ends.
        case before
        case after

        var index: Int { if case .kind(let index) = self { index } else { 0 } }
    }

    /// The times that the pipeline writes.
    private final class Stamps: @unchecked Sendable {
        // Unchecked because only the pipeline writes them, and they are read after a drain.
        let held = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)
        var ended = Stamp()
        var began = Stamp()
    }

    /// A time, and the processor time of the thread until then.
    private struct Stamp {
        var time: UInt64 = 0
        var processor: UInt64 = 0

        static var now: Stamp {
            var used = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
            return Stamp(
                time: bench_now(),
                processor: UInt64(used.tv_sec) * 1_000_000_000 + UInt64(used.tv_nsec)
            )
        }

        func difference(to later: Stamp) -> (time: UInt64, processor: UInt64) {
            (later.time - min(later.time, time), later.processor - min(later.processor, processor))
        }
    }

    private typealias Pause = (time: UInt64, processor: UInt64)

    /// The number of action kinds that have histograms.
    private static let kinds = 64
    let rounds: Int

    func table(_ progress: Progress) async throws -> Table {
        progress.show("snapshots")
        let stamps = Stamps()
        let store = Store(
            initialState: 0,
            reducer: Reducer<Action, Int>.reduce { action, count in
                count += 1
                switch action {
                case .kind: break
                case .before:
                    stamps.held.signal()
                    stamps.go.wait()
                    stamps.ended = .now
                case .after: stamps.began = .now
                }
            },
            middleware: Idle().named("first") <> Idle().named("second") <> Idle().named("third"),
            engine: .thread(),
            publication: .onDemand
        )
        let names = (0..<Self.kinds).map { "kind \($0)" }
        let instrumentation = Instrumentation(store, kinds: .named(names) { $0.index })
        var (without, message, with): ([Pause], [Pause], [Pause]) = ([], [], [])
        var reads: [UInt64] = []
        var attempts = 0
        while with.count < rounds, attempts < 10 * rounds {
            attempts += 1
            // Actions of every kind, so that the snapshot is as large as it can be.
            for index in 0..<Self.kinds { store.dispatch(.kind(index)) }
            await store.drain()
            without.append(try await pause(of: store, stamps) { nil }.pause)
            let woken = try await pause(of: store, stamps) {
                Task.detached {
                    // No plugin has this name, so the message does nothing but wake its task.
                    try? await store.plugins.enable("nobody")
                    return 0
                }
            }
            message.append(woken.pause)
            let found = try await pause(of: store, stamps) {
                Task.detached { await instrumentation.snapshot().actions }
            }
            // The snapshot counts the first action and not the second: it was taken between them.
            if found.actions == UInt64(store.state) - 1 { with.append(found.pause) }
            let began = bench_now()
            _ = await instrumentation.snapshot()
            reads.append(bench_now() - began)
        }
        guard with.count == rounds else {
            throw BenchmarkError.wrongResult(
                contender: "snapshots between two actions",
                expected: "\(rounds)",
                found: "\(with.count) in \(attempts) attempts"
            )
        }
        let kinds: [(String, [Pause])] = [
            ("", without), (", a message in between that wakes its sender", message), (", a snapshot in between", with),
        ]
        var rows = kinds.map { Row("one action to the next" + $0, latencies: Latencies($1.map(\.time))) }
        rows += kinds.map { Row("processor time" + $0, latencies: Latencies($1.map(\.processor))) }
        rows.append(Row("the reader: await snapshot()", latencies: Latencies(reads)))
        return Table(title: "What a snapshot of \(Self.kinds) kinds and 6 stages keeps the pipeline from", rows: rows)
    }

    /// Returns the time from one action to the next, with the message of `read` between them.
    private func pause(
        of store: Store,
        _ stamps: Stamps,
        _ read: () -> Task<UInt64, Never>?
    ) async throws -> (pause: Pause, actions: UInt64) {
        store.dispatch(.before)
        await Self.wait(stamps.held)
        let reader = read()
        // Gives the reader's message time to reach the queue. The snapshot shows whether it did.
        if reader != nil { try await Task.sleep(for: .milliseconds(2)) }
        store.dispatch(.after)
        stamps.go.signal()
        let actions = await reader?.value ?? 0
        await store.drain()
        return (stamps.ended.difference(to: stamps.began), actions)
    }

    private static func wait(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    private struct Idle: MiddlewareProtocol {
        func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Action> {
            .pure()
        }
    }
}
