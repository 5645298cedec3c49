// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore
public import MillraceRuntime

/// The live state, which only the pipeline touches, and its latest published version, which everybody reads.
@usableFromInline
final class StateStorage<State>: @unchecked Sendable {
    // Unchecked because `live` belongs to the pipeline's thread, `stage` is made to be shared; reads from elsewhere go to
    // the snapshot, which is made for it.
    @usableFromInline let live: UnsafeMutablePointer<State>
    /// What the pipeline is doing now.
    @usableFromInline let stage: UnsafeMutablePointer<millrace_stage>
    @usableFromInline let snapshot: SnapshotCell<State>
    /// Reads the state of a store whose caller keeps it; nil: this one keeps it. Set before the store is shared.
    @usableFromInline @exclusivity(unchecked) var external: (@Sendable () -> State)?

    @inlinable
    init?(_ state: consuming State) {
        guard let snapshot = SnapshotCell(copy state) else { return nil }
        self.snapshot = snapshot
        live = .allocate(capacity: 1)
        live.initialize(to: state)
        stage = .allocate(capacity: 1)
        stage.initialize(to: millrace_stage())
    }

    deinit {
        live.deinitialize(count: 1)
        live.deallocate()
        stage.deallocate()
    }

    /// What marks the frames of this store's pipeline.
    @inlinable
    var identity: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Whether the current thread is running this store's pipeline.
    @inlinable
    var isRunningHere: Bool { millrace_frame_runs(identity) }

    /// The action that the pipeline works on. On the pipeline's thread.
    @inlinable
    var position: ActionPosition {
        guard let slot = millrace_stage_slot(stage) else { return .none }
        return ActionPosition(
            number: millrace_slot_position(slot.assumingMemoryBound(to: UInt8.self)) &+ 1,
            cause: Slot.cause(UnsafeMutableRawPointer(mutating: slot))
        )
    }

    /// The live state on the pipeline's thread, the latest snapshot elsewhere.
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

    // Always inlined, so that the closure is too: then it loads what it uses. Given the whole state it would retain it.
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

    @inlinable
    func checkNotReducing() {
        if millrace_stage_is(stage, Stage.reducing) { Self.stopReadingInReducer() }
    }

    @usableFromInline
    static func stopReadingInReducer() -> Never {
        millrace_stop(
            "the state of a store was read inside its own reducer: the reducer is changing it, use the inout parameter"
        )
    }
}
