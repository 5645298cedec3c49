// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import MillraceCore

/// Keeps the last actions of a store, and the state before the first of them, so that you can write them to a file when
/// something goes wrong.
///
/// ```swift
/// let recorder = SessionRecorder(initialState: Cart(), reducer: cartReducer, room: 10_000)
/// let store = ReduxStoreBase(initialState: Cart(), reducer: cartReducer, middleware: recorder.middleware <> checkout)
/// try await recorder.write(to: "cart.mrs", actions: actionCodec, states: stateCodec)
/// ```
///
/// Put the middleware first, so that it gets every action. The recorder keeps only one state. When it drops its oldest
/// actions, it applies the reducer to them, on a queue of its own, to get the state after them. So it must have the
/// reducer of the store, and the reducer must depend on action, state and time alone.
///
/// **Cost.** On the pipeline, each action costs a lock that is rarely contended, and a copy of the action. The memory
/// is that of one state and of at most 2 × `room` + 4,096 actions: half of them wait for the recorder's queue if it is
/// slow. If more than `room` actions wait, the recorder drops all that it has, and begins again with the current state.
/// A session that waits for the queue keeps the actions before it: up to `room` + 2,048 more for each.
///
/// **Threads.** Any thread may call any member.
public final class SessionRecorder<Action: Sendable, State: Sendable>: @unchecked Sendable {
    // Unchecked because `kept` belongs to the queue, and `hasBase` to the pipeline.
    private struct Recent {
        var actions: [RecordedAction<Action>] = []
        var backlog = RecorderBacklog<Action, State>()
        /// Whether the queue works off the backlog, or is about to.
        var isWorking = false
        /// The number of actions recorded so far.
        var count: UInt64 = 0
    }

    private struct Kept {
        /// The state before the first kept action.
        var base: State
        var chunks: [ArraySlice<RecordedAction<Action>>] = []
        var count = 0
    }

    /// The number of actions that are handed to the queue at once.
    private static var chunk: Int { 1_024 }

    /// The most actions that the recorder keeps. A session has up to 1,023 newer ones besides.
    public let room: Int
    private let reducer: Reducer<Action, State>
    private let recent = Locked(Recent())
    private let queue = DispatchQueue(label: "millrace.recorder")
    private var kept: Kept
    /// Whether the queue has got the state that the store had before its first action.
    private var hasBase = false

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - initialState: The initial state of the store, for a session without actions. With the first action, the
    ///     recorder takes the state from the store.
    ///   - reducer: The reducer of the store.
    ///   - room: The actions to keep; at least 1,024.
    public init(initialState: State, reducer: Reducer<Action, State>, room: Int = 100_000) {
        self.room = max(Self.chunk, room)
        self.reducer = reducer
        kept = Kept(base: initialState)
    }

    /// The middleware that records. Use it in one store only.
    public var middleware: SessionRecorderMiddleware<Action, State> { SessionRecorderMiddleware(self) }

    /// Records an action. Called on the pipeline's thread, before the action is reduced.
    func note(_ action: Action, _ source: ActionSource, _ position: ActionPosition?, _ state: () -> State) {
        let time = TakeUpTime.current
        if !hasBase {
            hasBase = true
            let base = state()
            recent.withLock { recent in
                recent.backlog.append(base)
                wake(&recent)
            }
        }
        let (isFull, isBehind) = recent.withLock { recent in
            recent.count += 1
            let head = RecordHead(
                sequence: position?.number ?? recent.count,
                cause: position?.cause ?? .none,
                time: time,
                source: source
            )
            recent.actions.append(RecordedAction(head: head, kind: "", action: action))
            return (recent.actions.count >= Self.chunk, recent.backlog.isBehind(room))
        }
        // After the lock is released, because the state's getter is foreign code.
        if isFull { handOver(isBehind ? state() : nil) }
    }

    /// Gives the recent actions to the queue.
    ///
    /// - Parameter base: The state before the last of these actions, if the recorder must begin again; otherwise nil.
    private func handOver(_ base: State?) {
        recent.withLock { recent in
            let full = recent.actions
            recent.actions = []
            recent.actions.reserveCapacity(Self.chunk)
            // Under the lock, so that `session` finds each action either here or there.
            if let base, let last = full.last {
                recent.backlog.restart(base, last)
            } else {
                recent.backlog.append(full)
            }
            wake(&recent)
        }
    }

    /// Has the queue work off the backlog.
    private func wake(_ recent: inout Recent) {
        guard !recent.isWorking else { return }
        recent.isWorking = true
        queue.async { self.work() }
    }

    /// Works off the backlog, one item at a time: the items that wait count towards its limit. On the queue.
    private func work() {
        while let item = next() {
            switch item {
            case .base(let base): kept.base = base
            case .chunk(let chunk): keep(chunk[...])
            case .restart(let base, let action): kept = Kept(base: base, chunks: [[action]], count: 1)
            case .call(let call): call()
            }
        }
    }

    private func next() -> RecorderBacklog<Action, State>.Item? {
        recent.withLock { recent in
            let item = recent.backlog.popFirst()
            if item == nil { recent.isWorking = false }
            return item
        }
    }

    private func keep(_ chunk: ArraySlice<RecordedAction<Action>>) {
        kept.chunks.append(chunk)
        kept.count += chunk.count
        while kept.count > room, kept.chunks.count > 1 {
            let oldest = kept.chunks.removeFirst()
            kept.count -= oldest.count
            for recorded in oldest { reducer.apply(recorded.action, at: recorded.head.time, to: &kept.base) }
        }
    }

    /// Returns the session: the actions that are kept, up to the last one that the pipeline has begun. The recorder's
    /// queue copies them and runs the reducers; the pipeline goes on meanwhile.
    ///
    /// - Parameter isHashed: Whether the recorder runs the reducer over all actions to get the canonical hash of the
    ///   last state. The session has no hash if the state has no canonical hash.
    public func session(isHashed: Bool = true) async -> RecordedSession<State, Action> {
        await suspend { continuation in
            recent.withLock { recent in
                let newest = recent.actions
                recent.backlog.append(call: { continuation.resume(returning: self.made(newest, isHashed)) })
                wake(&recent)
            }
        }
    }

    private func made(_ newest: [RecordedAction<Action>], _ isHashed: Bool) -> RecordedSession<State, Action> {
        let actions = kept.chunks.flatMap { $0 } + newest
        var session = RecordedSession(initialState: kept.base, actions: actions)
        guard isHashed else { return session }
        session.finalHash = try? CanonicalHash(of: lastState(of: session))
        return session
    }

    func lastState(of session: RecordedSession<State, Action>) -> State {
        session.state(after: session.actions.count, reducer)
    }

    /// Writes the session to a file, for ``SessionFile/read(_:actions:states:unknownKinds:)``.
    ///
    /// - Throws: ``RecordFileError`` if the file cannot be written, or if an action or the state cannot be encoded. The
    ///   write blocks the thread of the calling task until the file is on the disk.
    public func write<Actions: ActionCodec, States: StateCodec>(
        to path: String,
        actions: Actions,
        states: States
    ) async throws(RecordFileError) where Actions.Action == Action, States.Action == State {
        try SessionFile.write(await session(), to: path, actions: actions, states: states)
    }
}
