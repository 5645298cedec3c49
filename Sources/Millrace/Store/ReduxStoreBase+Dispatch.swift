// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension ReduxStoreBase {
    /// Dispatches an action with its source.
    ///
    /// Guarantees on every engine:
    /// 1. *Any thread.* The method may be called from any thread, and never traps. It waits for room only if the store
    ///    is bounded with ``OverflowPolicy/block``. With ``StoreEngine/caller``, and on the main queue with
    ///    ``StoreEngine/main``, it may run the pipeline before it returns.
    /// 2. *Order.* The pipeline handles the actions of one thread in the order in which the thread dispatched them. A
    ///    dispatch that returned before another one began is reduced first, whichever threads made them. All actions
    ///    have one order, which is the same for middlewares, reducers and subscribers. Urgent actions
    ///    (``dispatch(urgent:file:function:line:info:)``) and internal ones (``ActionOrder/internalFirst``) come
    ///    earlier.
    /// 3. *One at a time.* An action is finished (handled, reduced, its IO run) before the next one starts. An action
    ///    dispatched from `handle`, from an IO or by a subscriber goes to the tail of the queue, or with
    ///    ``ActionOrder/internalFirst`` before it. A chain of a million such actions does not grow the stack.
    /// 4. *No action is lost silently.* ``metrics`` counts every action.
    /// 5. *Barrier.* After ``drain()``, all actions dispatched before it, urgent ones included, are finished and their
    ///    state is published. The exception is a row of more than 4,096 urgent and internal actions: see
    ///    ``drain()``.
    ///    ``shutdown(deadline:)`` stops accepting actions at once, frees waiting producers, finishes what it can until
    ///    the deadline, and reports the rest.
    /// 6. *Release.* Actions dispatched before the store was released are finished, and so are the actions that those
    ///    dispatch. The process must live that long: call `await drain()` before it exits. A chain that never ends
    ///    keeps the pipeline running.
    /// 7. *Idle.* A store with nothing to do uses no CPU, unless its thread is set to spin. It frees the memory of a
    ///    burst, down to a few megabytes: a thread or a queue within a tenth of a second, ``StoreEngine/caller`` at its
    ///    first dispatch 50 ms after the burst. While bursts follow each other, it keeps up to 256 MB, as much as they
    ///    need. A batch has an upper limit; with ``StoreEngine/caller`` one dispatch may run any number of batches. A
    ///    dispatch queue is free for other work after each millisecond.
    ///
    /// Inside ``withState(_:)`` a dispatch never runs the pipeline: a ``StoreEngine/caller`` store runs it on another
    /// thread, and a ``StoreEngine/main`` store in a later turn of the main queue.
    ///
    /// **Cost.** One atomic add, the move of the action into its slot, and one store; no allocation. A thread's first
    /// dispatch registers the thread with liburcu. The code is specialised where the store's type is known.
    @_disfavoredOverload
    @inlinable
    public final func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        core.take(dispatchedAction, cause: .none, run: nil, flags: 0)
    }

    /// Dispatches an action with the place where it came from. The same guarantees hold.
    @inlinable @inline(__always)
    public final func dispatch(_ action: sending ActionType, from dispatcher: ActionSource) {
        core.takeFromOutside(action, source: dispatcher)
    }

    /// Dispatches many actions, in order, with this call as their source.
    ///
    /// The method claims slots for up to 256 actions at once, which costs about a third of dispatching one by one.
    /// Actions of other threads may come between two such runs.
    ///
    /// Contiguous collections are read in place; others are copied, 64 actions at a time.
    @inlinable
    public final func dispatch(
        contentsOf actions: some Sequence<ActionType>,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) where ActionType: Sendable {
        take(actions, from: ActionSource(file: file, function: function, line: line))
    }

    /// Dispatches many actions that are not Sendable, in order. The caller gives up the sequence with its actions.
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

    /// Waits until all actions dispatched before are finished and their state is published.
    ///
    /// The call is a barrier in the queue: it does not wait for actions that the pipeline dispatches meanwhile, nor for
    /// effects. In a store with ``ActionOrder/internalFirst`` it also waits for the internal actions that the actions
    /// before it have caused. At the head of the queue the barrier waits for at most 4,096 urgent and internal actions
    /// in a row, but always for the urgent ones that were dispatched before the call. With ``StoreEngine/caller`` this
    /// call drains the queue. In a store with a journal it also waits until the IOs and effects of those actions have
    /// run or begun.
    ///
    /// The call keeps waiting when the task is cancelled. It waits for a thread that was stopped in the middle of a
    /// dispatch, see ``StoreMetrics/stalledProducer``; if that never goes on, until the store has ended.
    public final func drain() async {
        let core = core
        #if MILLRACE_PLANTED
            if Planted.has(.drainTooEarly), core.queue.raw.depth <= 1 { return }
        #endif
        let isOpen = await suspend { continuation in
            let isOpen = core.sendBarrier(.handled) { continuation.resume(returning: true) }
            if !isOpen { continuation.resume(returning: false) }
        }
        // Closed: the pipeline finishes all pending actions before it ends.
        if !isOpen { await core.consumer.completion.wait() }
    }
}
