// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceRuntime

/// The last actions of a store, with kind, source, time and cause. They are kept in memory, or in a file that remains
/// after the process ends, also after a `kill -9`.
///
/// ```swift
/// let instrumentation = Instrumentation(store, flight: try FlightRecorder(path: "flight.ring"))
/// …
/// for line in try Breadcrumbs(path: "flight.ring").lines { print(line) }      // here, or after `kill -9`
/// ```
///
/// Each action is recorded before it is handled. So if the process was killed, the last action in the file was running,
/// or had just been finished. An urgent or internal action stands where it was handled. The recorder gets every action,
/// also when the instrumentation samples. It records nothing while the instrumentation is off.
///
/// **Ends.** The file says whether the recorder ended normally (``Breadcrumbs/writer``): it was released, or ``end()``
/// was called. If the store and its recorder live until the program exits, call ``end()`` before.
///
/// **Starting again.** A new recorder renames the file of the previous run to `PATH.previous`, and replaces an older
/// file of that name. So the file of a crashed run is still there after a restart.
///
/// **Threads.** Only one instrumentation may use a recorder. `breadcrumbs` may be read from any thread, while the store
/// runs.
///
/// **Cost.** Some 50 ns an action; no allocation for a source or a kind that was seen before. All memory is allocated
/// at creation: 64 bytes an action, 64 KiB for texts, and 6 KiB for the sources seen last. When these 64 KiB are full,
/// new kinds and sources are recorded as unknown.
public final class FlightRecorder: @unchecked Sendable {
    // Unchecked because only the consumer of the one pipeline calls `append` and what it uses; any thread may read the
    // ring.
    private let ring: EventRing
    /// The ring's text ids, by kind; 0 if the ring had no room for the name. No two calls overlap, so it is not checked
    /// for exclusive access, which takes 100 instructions.
    @exclusivity(unchecked) private var kinds: [UInt64] = []
    /// The sources seen last. Made after the ring, because an initialiser that throws
    /// does not free it.
    private let sources: SourceCache

    /// The shard whose actions are recorded. Set by the instrumentation, before it is turned on.
    var shard: UInt16 = 0

    /// The number of actions that the recorder keeps.
    public var capacity: Int { ring.capacity }

    /// The path of the file; nil for a recorder in memory.
    public var path: String? { ring.path }

    /// Creates a recorder in memory.
    /// - Parameter capacity: The number of actions to keep; rounded up to a power of two.
    /// - Throws: The errors of `EventRing`.
    public init(capacity: Int = 4096) throws(EventRingError) {
        ring = try EventRing(capacity: capacity, wordsPerEntry: Breadcrumb.words)
        sources = SourceCache()
    }

    /// Creates a recorder in a new file, which only this user may read. The file of an earlier recorder at that path is
    /// kept as `PATH.previous`.
    /// - Parameters:
    ///   - path: The path of the file; its folder must exist.
    ///   - capacity: The number of actions to keep; rounded up to a power of two.
    /// - Throws: The errors of `EventRing`: also if another recorder writes to that path, in this process or another
    ///   one, and if the existing file is not that of a recorder.
    public init(path: String, capacity: Int = 4096) throws(EventRingError) {
        ring = try EventRing(path: path, capacity: capacity, wordsPerEntry: Breadcrumb.words)
        sources = SourceCache()
    }

    /// The current contents of the recorder. May be read from any thread.
    public var breadcrumbs: Breadcrumbs { Breadcrumbs(ring.snapshot()) }

    deinit {
        sources.deallocate()
    }

    /// Notes in the file that the program ended normally. May be called from any thread. Releasing the recorder does
    /// the same.
    public func end() { ring.end() }

    /// Records an action. Called on the consumer only.
    ///
    /// - Parameter wait: The time for which the action has waited, in nanoseconds.
    @inline(__always)
    func append(_ action: MeasuredAction, wait: UInt64, _ table: KindTable) {
        let place = sources.place(of: action, in: ring)
        let cause = action.cause
        ring.append(
            action.ticks,
            Breadcrumb.word(action.number, shard),
            Breadcrumb.word(cause.parent, cause.parentShard),
            Breadcrumb.word(cause.root, cause.rootShard),
            id(ofKind: action.kind, table) << 32 | place.line,
            place.texts,
            wait
        )
    }

    @inline(__always)
    private func id(ofKind kind: Int, _ table: KindTable) -> UInt64 {
        kind < kinds.count ? kinds[kind] : addKinds(upTo: kind, table)
    }

    @inline(never)
    private func addKinds(upTo kind: Int, _ table: KindTable) -> UInt64 {
        while kinds.count <= kind { kinds.append(ring.intern(table.names[kinds.count])) }
        return kinds[kind]
    }

    /// The memory that the recorder holds, in bytes.
    var bytes: Int { ring.capacity * 64 + 65_536 + SourceCache.bytes }
}
