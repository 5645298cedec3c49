// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import MillraceRuntime

/// The live state, which only the consumer touches, and the latest published snapshot, which any thread may read.
@usableFromInline
final class StateStorage<State>: @unchecked Sendable {
    // Unchecked because only the consumer touches `live`. `stage` may be shared between threads. Other threads read the
    // snapshot, which may be shared, too.
    @usableFromInline let live: UnsafeMutablePointer<State>
    /// The stage that the pipeline is in now.
    @usableFromInline let stage: Stage
    @usableFromInline let snapshot: SnapshotCell<State>
    /// Reads the state from the subject that holds it; nil if this storage holds it. Set before the store is shared.
    @usableFromInline @exclusivity(unchecked) var external: (@Sendable () -> State)?

    @inlinable
    init?(_ state: consuming State) {
        guard let snapshot = SnapshotCell(copy state) else { return nil }
        self.snapshot = snapshot
        live = .allocate(capacity: 1)
        live.initialize(to: state)
        stage = Stage()

    }

    deinit {
        live.deinitialize(count: 1)
        live.deallocate()
        stage.deallocate()
    }

    /// The identity that marks the frames of this store's pipeline.
    @inlinable
    var identity: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Whether the current thread is running this store's pipeline.
    @inlinable
    var isRunningHere: Bool { Frames.isRunning(identity) }

    /// Whether the current thread is running this store's pipeline, and the reducers do not run.
    @inlinable
    var isReadableHere: Bool { isRunningHere && !stage.isIn(Stage.reducing) }

    /// The position and cause of the action being handled. On the pipeline's thread.
    @inlinable
    var position: ActionPosition {
        guard let slot = stage.slot else { return .none }
        return ActionPosition(number: stage.number, cause: Slot.cause(slot))
    }

    /// Returns the live state on the pipeline's thread, the latest snapshot on other threads.
    @inlinable
    func read() -> State {
        if isRunningHere {
            checkNotReducing()
            if let external { return external() }
            return live.pointee
        }
        if let external { return external() }
        return snapshot.withLatest { state, _ in copy state }
    }

    /// A copy of the state that was published last. Any thread.
    func readPublished() -> State { snapshot.withLatest { state, _ in copy state } }

    // Always inlined, so that the closure is inlined, too, and loads only the members that it uses. A closure that is
    // called with the whole state would retain it.
    @inlinable @inline(__always)
    func withState<Result>(_ body: (borrowing State) throws -> Result) rethrows -> Result {
        if isRunningHere {
            checkNotReducing()
            if let external { return try body(external()) }
            return try body(live.pointee)
        }
        if let external { return try body(external()) }
        return try snapshot.withLatest { state, _ in try body(state) }
    }

    /// Calls `body` once with the address of the same state.
    @inlinable
    func visit(_ body: (UnsafePointer<State>) -> Void) {
        if isRunningHere {
            checkNotReducing()
            if let external { return withUnsafePointer(to: external(), body) }
            return body(UnsafePointer(live))
        }
        if let external { return withUnsafePointer(to: external(), body) }
        snapshot.withLatest { state, _ in withUnsafePointer(to: state, body) }
    }

    @inlinable
    func checkNotReducing() {
        if stage.isIn(Stage.reducing) { Self.stopReadingInReducer() }
    }

    @usableFromInline
    static func stopReadingInReducer() -> Never {
        System.stop(
            "the state of a store was read inside its own reducer: the reducer is changing it, use the inout parameter"
        )
    }
}
