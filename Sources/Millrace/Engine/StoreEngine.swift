// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import MillraceCore

/// Decides which thread runs a store's pipeline. With every engine, one thread at a time runs it, and handles an urgent
/// action next, after the one that is running.
///
/// | engine | the consumer | for |
/// |---|---|---|
/// | ``thread(name:wait:)`` | a thread that the store owns | throughput; a dispatch never waits for reducers |
/// | ``queue(_:)`` | a dispatch queue, in turns | stores that share a queue with other work |
/// | ``main`` | the main queue; a dispatch made on it is finished when it returns | apps made for SwiftRex |
/// | ``caller`` | the dispatching thread, unless another thread is draining | tests, tools, single-threaded programs |
public struct StoreEngine: Sendable, Hashable {
    @usableFromInline enum Kind: Sendable, Hashable {
        case thread(name: String?, wait: WaitStrategy)
        case caller
        case queue(QueueReference)
        case main
        case hosted(HostFactory)
    }

    @usableFromInline let kind: Kind
    /// Whether the store is a shard, which handles nothing before it knows the others.
    @usableFromInline var isOfShard = false

    /// The same engine for a shard.
    @usableFromInline package var ofShard: StoreEngine {
        var engine = self
        engine.isOfShard = true
        return engine
    }

    /// A thread that the store owns. The default.
    ///
    /// The thread starts with the store. It ends by itself when the store was released and nothing is pending; no
    /// thread joins it. Asynchronous signals are blocked on it, so that the program's own threads go on receiving them.
    ///
    /// If the system cannot start a thread, the store runs as ``caller``: see ``ReduxStoreBase/engine``.
    ///
    /// - Parameters:
    ///   - name: The name that debuggers and `top -H` show, cut to 15 bytes. Default: `millrace`.
    ///   - wait: The way in which the thread waits when there is nothing to do.
    public static func thread(name: String? = nil, wait: WaitStrategy = .spinThenPark()) -> StoreEngine {
        StoreEngine(kind: .thread(name: name, wait: wait))
    }

    /// A thread that the store owns, with the wait strategy of a latency preference.
    ///
    /// - Parameters:
    ///   - name: The thread's name, as in ``thread(name:wait:)``.
    ///   - latency: The choice between low latency and low CPU use.
    public static func thread(name: String? = nil, latency: LatencyPreference) -> StoreEngine {
        thread(name: name, wait: latency.strategy)
    }

    /// A dispatch queue, serial or concurrent. The pipeline runs on it in turns, so that other work of the queue is not
    /// delayed for long. A turn lasts at most a millisecond, or one action if that takes longer. A burst of actions
    /// costs one `async`, not one for each action.
    ///
    /// Waking an idle queue takes about 20 µs. Code that runs on the queue itself, outside the pipeline, may dispatch
    /// to a full store: it is not blocked, and the action is accepted. This does not hold for the target queue of the
    /// queue. Code on the target queue must not wait for the store, because it holds up the store's turns. The store
    /// keeps the queue alive.
    public static func queue(_ queue: DispatchQueue) -> StoreEngine {
        QueueEngine.isMain(queue) ? .main : StoreEngine(kind: .queue(QueueReference(value: queue)))
    }

    /// The main queue, as SwiftRex's stores use it. A dispatch made on the main queue (or by the main actor), outside
    /// the pipeline, is finished and its state is published when the call returns. Actions that were already waiting
    /// are finished before it. Actions that it dispatches in turn are handled later. An action dispatched elsewhere, or
    /// by the pipeline itself, waits for a turn of the main queue.
    ///
    /// The program must run the main queue: `dispatchMain()`, `RunLoop.main.run()` or an `async` main. Otherwise
    /// actions dispatched by other threads are never handled, and `drain()` never returns.
    public static let main = StoreEngine(kind: .main)

    /// The dispatching thread drains the queue until it is empty, before `dispatch` returns. If another thread is
    /// draining, that thread handles the action instead. Inside ``ReduxStoreBase/withState(_:)`` the store starts a
    /// thread for it. There is no limit to the number of actions that one call may handle.
    ///
    /// A dispatch copies no state. The first read after it, on any thread, publishes the state and gets it: a read sees
    /// all that was dispatched before it on its thread. While the store has subscribers, or with
    /// ``Publication/everyAction``, each dispatch publishes. If a read ever finds another thread in the pipeline, it
    /// waits until what was dispatched before is reduced, and from then on each dispatch publishes, so that no later
    /// read waits.
    public static let caller = StoreEngine(kind: .caller)

    /// An engine of another target. `make` is called once for each store, before the store is shared.
    package static func hosted(
        in world: (any StoreWorld)? = nil,
        _ make: @escaping @Sendable (HostedPipeline) -> any PipelineHost
    ) -> StoreEngine {
        StoreEngine(kind: .hosted(HostFactory(world, make)))
    }

    /// As ``caller``, in a world whose threads dispatch.
    package static func caller(in world: any StoreWorld) -> StoreEngine {
        .hosted(in: world) { CallerEngine(consumer: $0.consumer, core: $0.core) }
    }

    /// Whether a store with this engine leaves its publications to its readers while it can.
    @usableFromInline
    func isLazy(_ publication: Publication) -> Bool {
        kind == .caller && publication != .everyAction && publication != .onDemand
    }

    /// The world of a store with this engine; nil: the system.
    @usableFromInline var world: (any StoreWorld)? {
        if case .hosted(let factory) = kind { factory.world } else { nil }
    }
}

/// A dispatch queue, compared by identity.
@usableFromInline
struct QueueReference: Sendable, Hashable {
    let value: DispatchQueue

    @usableFromInline
    static func == (left: QueueReference, right: QueueReference) -> Bool { left.value === right.value }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(value)) }
}

extension StoreEngine: CustomStringConvertible {
    /// The engine as it is written in code: `.thread(name: "orders", wait: .park)`.
    public var description: String {
        switch kind {
        case .thread(let name, let wait): ".thread(\(name.map { "name: \"\($0)\", " } ?? "")wait: \(wait))"
        case .queue(let queue): ".queue(\(queue.value.label))"
        case .main: ".main"
        case .caller: ".caller"
        case .hosted: ".hosted"
        }
    }
}
