// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// Records what caused the last actions of a store, for ``explain(_:shard:)``.
///
/// ```swift
/// let recorder = CauseRecorder(store)
/// …
/// print(recorder.explain(12) ?? "not recorded")
/// ```
///
/// The recorder is the probe of the store until ``end()`` is called or the recorder is released. A store has one probe:
/// meanwhile, an instrumentation of the same store measures nothing, and a probe that is set later ends the recording.
///
/// **Threads and order.** Any member may be used from any thread. An action is recorded when the pipeline takes it up.
/// The recording begins and ends by a message to the pipeline: the actions before the message are not affected.
///
/// **Cost.** A store without a recorder pays nothing. With one, each action costs a lock, and some tens of nanoseconds
/// to find the name of its kind. The memory is that of `room` records, about 100 bytes each.
public final class CauseRecorder: Sendable {
    private let records: Locked<RecordRing>
    private let probes: [(store: any ProbedStore, probe: CauseProbe)]
    private let keys: [ObjectIdentifier]

    /// Begins to record the actions of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - room: The most actions that are kept; a new one replaces the oldest. At least 1.
    public convenience init<Action, State>(_ store: ReduxStoreBase<Action, State>, room: Int = 10_000) {
        self.init([store.probed], room: room)
    }

    /// Begins to record the actions of all shards of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - room: The most actions that are kept, for all shards together; a new one replaces the oldest. At least 1.
    public convenience init<Action, State, Key>(_ store: ShardedStore<Action, State, Key>, room: Int = 10_000) {
        self.init(store.shards.map(\.probed), room: room)
    }

    init(_ stores: [any ProbedStore], room: Int) {
        let records = Locked(RecordRing(room: room))
        self.records = records
        probes = stores.enumerated().map { ($1, CauseProbe(records, shard: UInt16(truncatingIfNeeded: $0))) }
        keys = stores.map { ObjectIdentifier($0) }
        for (store, probe) in probes { store.setProbe(probe, oneIn: 1) { _ in true } }
        Recorders.add(self, for: keys)
    }

    deinit {
        end()
        Recorders.remove(keys)
    }

    /// Ends the recording. What is recorded can still be read.
    public func end() {
        for (store, probe) in probes { store.removeProbe(probe) { _ in true } }
    }

    /// The recorded actions, the oldest first. Each read copies the records.
    public var actions: [CauseRecord] { records.withLock { $0.all } }

    /// Returns the chain of causes of an action, and everything else that the first action of this chain has caused.
    /// Nil if there is no record of the action: it was not handled yet, or newer actions have replaced it.
    ///
    /// - Parameters:
    ///   - number: The number of the action.
    ///   - shard: The shard that handled it; 0 in a store without shards.
    public func explain(_ number: UInt64, shard: UInt16 = 0) -> Explanation? {
        Explanation(of: number, shard: shard, in: actions)
    }
}

/// The last records.
struct RecordRing {
    private var records: [CauseRecord] = []
    private var next = 0
    private let room: Int

    init(room: Int) {
        self.room = max(1, room)
    }

    mutating func append(_ record: CauseRecord) {
        if records.count < room {
            records.append(record)
        } else {
            records[next] = record
            next = (next + 1) % room
        }
    }

    /// The oldest first.
    var all: [CauseRecord] { Array(records[next...] + records[..<next]) }
}

/// Hands the actions of one store to a recorder.
private final class CauseProbe: PipelineProbe, @unchecked Sendable {
    // Unchecked because only the pipeline's thread touches `kind`; the rest is constant.
    private let records: Locked<RecordRing>
    private let shard: UInt16
    private var kind = ""

    init(_ records: Locked<RecordRing>, shard: UInt16) {
        self.records = records
        self.shard = shard
    }

    func kind<Action>(of action: UnsafePointer<Action>) -> Int {
        kind = kindOfAction(action.pointee)
        return 0
    }

    func actionBegan(_ action: ProbedAction) {
        let record = CauseRecord(
            number: action.number,
            shard: shard,
            kind: kind,
            cause: action.cause,
            source: action.source
        )
        records.withLock { $0.append(record) }
    }
}
