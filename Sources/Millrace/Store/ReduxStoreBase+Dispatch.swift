// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// Dispatches an action together with its source.
    ///
    /// Guaranteed on every engine:
    /// 1. *Any thread.* It may be called from any thread, and never traps. It never waits for room, unless the store is
    ///    bounded and told to (``OverflowPolicy/block``); with ``StoreEngine/caller``, and on the main thread with
    ///    ``StoreEngine/main``, it may do the pipeline's work before it returns.
    /// 2. *Order.* The actions of one thread are taken in the order in which it dispatched them, and all actions in one
    ///    order, the same for middlewares, reducers and observers.
    /// 3. *One at a time.* An action is finished (handle, reduce, IO run) before the next one starts. An action
    ///    dispatched from `handle`, from an IO or by a subscriber goes to the tail; a chain of a million of them does
    ///    not grow the stack.
    /// 4. *Nothing is lost silently.* ``metrics`` tells what became of every action.
    /// 5. *Barrier.* After ``drain()``, all that was dispatched before it is finished and published.
    ///    ``shutdown(deadline:)`` closes the intake at once, finishes what it can until the deadline, frees producers
    ///    that wait, and reports the rest.
    /// 6. *Release.* Actions dispatched before the store was released are finished, and those that they dispatch in
    ///    turn. The process must live that long: `await drain()` before it exits. A chain that never ends keeps the
    ///    pipeline running.
    /// 7. *Idle.* A store with nothing to do costs no CPU (unless its thread was asked to spin), and gives the memory
    ///    of a burst back: a thread or a queue within a tenth of a second, ``StoreEngine/caller`` at its next dispatch,
    ///    down to a few megabytes. A batch has an upper limit, except with ``StoreEngine/caller``; a queue is given to
    ///    others after each millisecond.
    ///
    /// Inside ``withState(_:)`` a dispatch to a ``StoreEngine/caller`` store leaves the work to another thread, and one
    /// on the main thread to a ``StoreEngine/main`` store to the main queue.
    ///
    /// **Cost.** One atomic add, the move of the action into its slot, and a store; no allocation. A thread's first
    /// dispatch registers it with liburcu. The path is specialised where the store's type is known.
    @inlinable
    public final func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        core.take(dispatchedAction, cause: .none, run: nil, flags: 0)
    }

    /// Dispatches many actions, in order; their source is this call.
    ///
    /// Claims room for up to 256 actions at once, so that it costs about a third of dispatching one by one. Actions
    /// of other threads may come between two of these runs.
    ///
    /// Contiguous collections are read in place; others are copied 64 at a time.
    @inlinable
    public final func dispatch(
        contentsOf actions: some Sequence<ActionType>,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) where ActionType: Sendable {
        take(actions, from: ActionSource(file: file, function: function, line: line))
    }

    /// The same for actions that are not Sendable: the sequence is given away with them.
    @_disfavoredOverload
    @inlinable
    public final func dispatch(
        contentsOf actions: sending some Sequence<ActionType>,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) {
        take(actions, from: ActionSource(file: file, function: function, line: line))
    }

    @inlinable
    final func take(_ actions: some Sequence<ActionType>, from source: ActionSource) {
        let inPlace: Void? = actions.withContiguousStorageIfAvailable { core.take(contentsOf: $0, source: source) }
        guard inPlace == nil else { return }
        var iterator = actions.makeIterator()
        withUnsafeTemporaryAllocation(of: ActionType.self, capacity: 64) { run in
            var count = 0
            repeat {
                count = 0
                while count < run.count, let action = iterator.next() {
                    run.initializeElement(at: count, to: action)
                    count += 1
                }
                core.take(contentsOf: UnsafeBufferPointer(rebasing: run[..<count]), source: source)
                run[..<count].deinitialize()
            } while count == run.count
        }
    }

    /// Waits until everything that was dispatched before is finished and published.
    ///
    /// A barrier in the queue: it does not wait for actions that those dispatch in turn, nor for effects. With
    /// ``StoreEngine/caller`` the queue is drained by this call.
    public final func drain() async {
        let core = core
        let isOpen = await withCheckedContinuation { continuation in
            let isOpen = core.send {
                core.consumer.publishIfDirty()
                continuation.resume(returning: true)
            }
            if !isOpen { continuation.resume(returning: false) }
        }
        // Closed: what is pending is finished before the pipeline goes.
        if !isOpen { await core.consumer.completion.wait() }
    }
}
