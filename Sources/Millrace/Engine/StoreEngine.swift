// SPDX-License-Identifier: Apache-2.0

public import Dispatch

/// Decides which thread runs a store's pipeline. There is one at a time, whatever the engine.
///
/// | engine | who consumes | for |
/// |---|---|---|
/// | ``thread(name:wait:)`` | a thread of the store's own | throughput; dispatching never waits for reducers |
/// | ``queue(_:)`` | a dispatch queue, in turns | living beside other work on a queue |
/// | ``main`` | the main queue; on it a dispatch is finished when it returns | apps made for SwiftRex |
/// | ``caller`` | whoever dispatches, unless somebody already does | tests, tools, programs of one thread |
public struct StoreEngine: Sendable, Hashable {
    @usableFromInline enum Kind: Sendable, Hashable {
        case thread(name: String?, wait: WaitStrategy)
        case caller
        case queue(QueueReference)
        case main
    }

    @usableFromInline let kind: Kind

    /// A thread that the store owns. The default.
    ///
    /// It starts with the store and ends by itself when the store was released and nothing is pending; nobody joins it.
    /// All signals are blocked on it, so that the program's own threads go on receiving them.
    ///
    /// Should the system refuse a thread, the store runs as ``caller``: see ``ReduxStoreBase/engine``.
    ///
    /// - Parameters:
    ///   - name: Shown by debuggers and `top -H`, cut to 15 bytes. Default: `millrace`.
    ///   - wait: What it does when there is nothing to do.
    public static func thread(name: String? = nil, wait: WaitStrategy = .spinThenPark()) -> StoreEngine {
        StoreEngine(kind: .thread(name: name, wait: wait))
    }

    /// A thread that the store owns, with a wait strategy chosen by what matters most.
    ///
    /// - Parameters:
    ///   - name: As in ``thread(name:wait:)``.
    ///   - latency: Lower latency costs more CPU: ``LatencyPreference`` says what each
    ///     does.
    public static func thread(name: String? = nil, latency: LatencyPreference) -> StoreEngine {
        thread(name: name, wait: latency.strategy)
    }

    /// A dispatch queue, serial or concurrent; the pipeline takes turns on it of at most a millisecond (or one action,
    /// if that takes longer), so that other work of the queue is not held up. One `async` a burst, not one an action.
    ///
    /// Waking a queue from idle takes some 20 µs. What runs on the queue itself, outside the pipeline, may dispatch to
    /// a full store without being blocked or refused. That is not so for a target queue of the queue: what runs there
    /// must not wait for the store, whose turns it holds up. The store keeps the queue alive.
    public static func queue(_ queue: DispatchQueue) -> StoreEngine {
        QueueEngine.isMain(queue) ? .main : StoreEngine(kind: .queue(QueueReference(value: queue)))
    }

    /// The main queue, as SwiftRex's stores have it: a dispatch made on the main queue (or by the main actor) outside
    /// the pipeline is finished, and its state published, when it returns; actions that were waiting are finished before
    /// it, and what it dispatched in turn comes later. Dispatched elsewhere, or by the pipeline itself, an action waits
    /// for a turn of the main queue.
    ///
    /// Somebody has to run the main queue: `dispatchMain()`, `RunLoop.main.run()` or an `async` main. In a program that
    /// does neither, actions dispatched by other threads are never taken, and `drain()` never returns.
    public static let main = StoreEngine(kind: .main)

    /// Whoever dispatches drains the queue until it is empty, before `dispatch` returns. Where another thread is draining,
    /// that thread does it; inside ``ReduxStoreBase/withState(_:)`` a thread is started for it. There is no limit to how
    /// much one call may drain.
    public static let caller = StoreEngine(kind: .caller)
}

/// A queue, compared by identity.
@usableFromInline
struct QueueReference: Sendable, Hashable {
    let value: DispatchQueue

    @usableFromInline
    static func == (left: QueueReference, right: QueueReference) -> Bool { left.value === right.value }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(value)) }
}

extension StoreEngine: CustomStringConvertible {
    /// As it is written: `.thread(name: "orders", wait: .park)`.
    public var description: String {
        switch kind {
        case .thread(let name, let wait): ".thread(\(name.map { "name: \"\($0)\", " } ?? "")wait: \(wait))"
        case .queue(let queue): ".queue(\(queue.value.label))"
        case .main: ".main"
        case .caller: ".caller"
        }
    }
}
