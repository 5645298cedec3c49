// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceRuntime

/// The live state, which only the pipeline touches, and its latest published version, which everybody reads.
@usableFromInline
final class StateCell<State>: @unchecked Sendable {
    // Unchecked because `live` and `isReducing` belong to the pipeline's thread; every access from elsewhere goes to
    // the snapshot, which is made for it.
    @usableFromInline let live: UnsafeMutablePointer<State>
    @usableFromInline let isReducing: UnsafeMutablePointer<Bool>
    @usableFromInline let snapshot: SnapshotCell<State>

    @inlinable
    init?(_ state: consuming State) {
        guard let snapshot = SnapshotCell(copy state) else { return nil }
        self.snapshot = snapshot
        live = .allocate(capacity: 1)
        live.initialize(to: state)
        isReducing = .allocate(capacity: 1)
        isReducing.initialize(to: false)
    }

    deinit {
        live.deinitialize(count: 1)
        live.deallocate()
        isReducing.deallocate()
    }

    /// What marks the frames of this store's pipeline.
    @inlinable
    var identity: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Whether the current thread is running this store's pipeline.
    @inlinable
    var isRunningHere: Bool { millrace_frame_runs(identity) }

    /// The live state on the pipeline's thread, the latest snapshot elsewhere.
    @inlinable
    func read() -> State {
        if isRunningHere {
            checkNotReducing()
            return live.pointee
        }
        return snapshot.withLatest { state, _ in copy state }
    }

    // Always inlined, so that the closure is too: then it loads what it uses. Given the whole state it would retain it.
    @inlinable @inline(__always)
    func withState<Result>(_ body: (borrowing State) throws -> Result) rethrows -> Result {
        if isRunningHere {
            checkNotReducing()
            return try body(live.pointee)
        }
        return try snapshot.withLatest { state, _ in try body(state) }
    }

    @inlinable
    func checkNotReducing() {
        if isReducing.pointee { Self.stopReadingInReducer() }
    }

    @usableFromInline
    static func stopReadingInReducer() -> Never {
        millrace_stop(
            "the state of a store was read inside its own reducer: the reducer is changing it, use the inout parameter"
        )
    }
}
