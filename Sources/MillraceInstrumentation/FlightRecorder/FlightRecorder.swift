// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRuntime

/// The last actions of a store, with kind, source, time and cause: in memory, or in a file that outlives the process,
/// however it ends.
///
/// ```swift
/// let instrumentation = Instrumentation(store, flight: try FlightRecorder(path: "flight.ring"))
/// …
/// for line in try Breadcrumbs(path: "flight.ring").lines { print(line) }      // here, or after `kill -9`
/// ```
///
/// An action is written down before anything is done with it: in the file of a process that was killed, the last one is
/// the one that was running. It sees every action, also when the instrumentation samples, and nothing while that is off.
///
/// **Ends.** The file says whether the recorder came to its end as it should (``Breadcrumbs/writer``): it was released,
/// or ``end()`` was called. Call that before the program leaves, if the store and its recorder live as long.
///
/// **Starting again** keeps the file of the run before as `PATH.previous`, for one run: what a crash has left is there
/// also when the program is started again at once.
///
/// **Threads.** One instrumentation may have it. `breadcrumbs` is for any thread, while the store runs.
///
/// **Cost.** Some 50 ns an action, no allocation for a source or a kind that was seen before. All memory is taken
/// when it is made: 64 bytes an action, and 64 KiB for texts; where these are full, new kinds and sources are told as
/// unknown.
public final class FlightRecorder: @unchecked Sendable {
    // Unchecked because `append` and what it uses belong to the thread of the one pipeline; the ring may be read by
    // all.
    private let ring: EventRing
    /// Ids of kinds in the ring, by kind; 0: not asked yet.
    private var kinds: [UInt64] = []
    /// The sources that came last, by address.
    private var sources = SourceCache()

    /// How many actions it keeps.
    public var capacity: Int { ring.capacity }

    /// Where the file is; nil in memory.
    public var path: String? { ring.path }

    /// A recorder in memory.
    /// - Parameter capacity: How many actions it keeps; up to the next power of two.
    /// - Throws: What an `EventRing` throws.
    public init(capacity: Int = 4096) throws(EventRingError) {
        ring = try EventRing(capacity: capacity, wordsPerEntry: Breadcrumb.words)
    }

    /// A recorder in a new file, which only this user may read. The one that an earlier recorder has left there is kept
    /// as `PATH.previous`.
    /// - Throws: What an `EventRing` throws: also where another recorder writes to that path, in this process or
    ///   another, and where the file is none of a recorder.
    public init(path: String, capacity: Int = 4096) throws(EventRingError) {
        ring = try EventRing(path: path, capacity: capacity, wordsPerEntry: Breadcrumb.words)
    }

    /// What it holds now. Any thread.
    public var breadcrumbs: Breadcrumbs { Breadcrumbs(ring.snapshot()) }

    /// Says in the file that the program came to its end as it should. Any thread. Releasing the recorder does so, too.
    public func end() { ring.end() }

    /// The pipeline's thread.
    func append(_ action: ProbedAction, _ table: KindTable) {
        let source = sources.ids(of: action.source) { ring.intern($0) }
        ring.append(
            action.ticks,
            action.number,
            action.cause.parent,
            action.cause.root,
            id(ofKind: action.kind, table) << 32 | UInt64(truncatingIfNeeded: action.source.line) & 0xFFFF_FFFF,
            source.file << 32 | source.function & 0xFFFF_FFFF,
            action.nanosecondsQueued
        )
    }

    private func id(ofKind kind: Int, _ table: KindTable) -> UInt64 {
        if kind < kinds.count { return kinds[kind] }
        while kinds.count <= kind { kinds.append(ring.intern(table.names[kinds.count])) }
        return kinds[kind]
    }

    /// Bytes that it holds.
    var bytes: Int { ring.capacity * 64 + 65_536 }
}
