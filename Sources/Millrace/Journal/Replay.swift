// SPDX-License-Identifier: Apache-2.0

package import MillraceCore
import Synchronization

/// The recorded actions that a store handles again after a recovery, so that their unfinished effects begin again.
///
/// The pipeline handles them before any other action, with their old numbers, causes and times. Their IOs do not run,
/// and what the middlewares dispatch meanwhile is dropped: the journal has it already. Effects begin when the recovery
/// has succeeded, in a sharded store that of all shards, unless a later action has cancelled them.
package struct Replay {
    /// Passes the actions in their order. Blocks while it reads them. Returns false if it cannot read them all: then
    /// the store is given up.
    let actions: ((ReplayedAction) -> Void) -> Bool

    package init(_ actions: @escaping ((ReplayedAction) -> Void) -> Bool) {
        self.actions = actions
    }
}

/// One recorded action that is handled again.
@usableFromInline
package struct ReplayedAction {
    /// Where the action is.
    @usableFromInline let action: UnsafeRawPointer
    @usableFromInline let sequence: UInt64
    @usableFromInline let cause: ActionCause
    @usableFromInline let source: ActionSource
    @usableFromInline let time: ActionTime

    package init(
        _ action: UnsafeRawPointer,
        sequence: UInt64,
        cause: ActionCause,
        source: ActionSource,
        time: ActionTime
    ) {
        self.action = action
        self.sequence = sequence
        self.cause = cause
        self.source = source
        self.time = time
    }
}

extension Pipeline {
    /// Handles recorded actions again. On the pipeline's thread.
    @inlinable
    func replay(_ core: Core, _ actions: ((ReplayedAction) -> Void) -> Void) {
        let output = core.replayOutput()
        let size = ActionQueue<Action>.payloadOffset + MemoryLayout<Action>.size
        let slot = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: max(64, MemoryLayout<Action>.alignment))
        defer { slot.deallocate() }
        actions { replay($0, core, output, slot) }
    }

    @inlinable
    func replay(
        _ replayed: ReplayedAction,
        _ core: Core,
        _ output: ActionSink<Action>,
        _ slot: UnsafeMutableRawPointer
    ) {
        let pass = DrainPass(core)
        let header = SlotHeader(replayed.source, replayed.cause, nil, isStamping: true)
        Slot.write(slot, header)
        Slot.writeFlags(slot, 0)
        let bytes = slot.assumingMemoryBound(to: UInt8.self)
        let place = (slot + ActionQueue<Action>.payloadOffset).bindMemory(to: Action.self, capacity: 1)
        place.initialize(to: replayed.action.assumingMemoryBound(to: Action.self).pointee)
        // Actions whose kinds are no longer known were left out.
        pass.counters.pointee.reduced = replayed.sequence &- 1
        if handleAgain(bytes, replayed, pass, output) { _ = core.consumer.attend() }
        discard(bytes)
    }
}

extension Pipeline {
    /// The steps of ``handle(_:_:_:_:_:)``, with another output, and without a publication after each action.
    @inlinable
    func handleAgain(
        _ slot: UnsafeMutablePointer<UInt8>,
        _ replayed: ReplayedAction,
        _ pass: DrainPass<Action, State>,
        _ sink: ActionSink<Action>
    ) -> Bool {
        let header = UnsafeMutableRawPointer(slot)
        let counters = pass.counters
        let number = replayed.sequence
        let action = (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self)
        TakenAction(number: number, slot: header, counters: counters).setTime(replayed.time)
        pass.stage.begin(slot, number, Stage.handling)
        // The IO is not run: it may have run before the crash.
        _ = middleware.handle(action: action.pointee, from: replayed.source, state: getState)
        pass.stage.enter(slot, Stage.reducing)
        reduce(Borrowed.at(action).pointee, &pass.live.pointee)
        pass.stage.enter(slot, Stage.effects)
        counters.pointee.isDirty = true
        counters.pointee.reduced = number
        if middleware.hasAfterReduce {
            let cause = pass.core._withUnsafeGuaranteedRef { $0.cause(of: number, replayed.cause) }
            let output = AnyActionHandler(sink: sink, cause: cause)
            middleware.afterReduce(action: action.pointee, from: replayed.source, state: getState, output: output)
        }
        return pass.stage.leave()
    }
}

extension Consumer {
    /// Whether the calling thread handles recorded actions again in this store's pipeline.
    var isReplayingHere: Bool { journal?.isReplaying.load(ordering: .relaxed) == true && Frames.counters == counters }

    /// Handles the recorded actions again, if there are any. Returns false while the store is not complete. Out of
    /// line, because most stores have no journal.
    @inline(never)
    func handleRecorded() -> Bool {
        guard let journal else { return true }
        guard journal.isConnected.load(ordering: .acquiring) else { return false }
        guard let replay = journal.replay else { return true }
        journal.replay = nil
        journal.isReplaying.store(true, ordering: .relaxed)
        var isComplete = false
        journal.handleAgain { handle in
            isComplete = replay.actions { action in
                journal.recorded = action.sequence
                handle(action)
            }
        }
        // Nobody has begun the effects of the other actions, so the journal must not say that all have ended.
        if !isComplete { journal.openEffects?.close() }
        journal.isReplaying.store(false, ordering: .relaxed)
        journal.recorded = journal.last
        counters.pointee.reduced = journal.last
        journal.endReplay()
        journal.openEffects?.recovered()
        return true
    }
}

extension JournalPort {
    /// Whether recorded actions wait to be handled again. Sequentially consistent: the consumer looks at it before it
    /// sleeps.
    var mayReplay: Bool { replay != nil && isConnected.load(ordering: .sequentiallyConsistent) }
}
