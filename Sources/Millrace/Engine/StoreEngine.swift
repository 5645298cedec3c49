// SPDX-License-Identifier: Apache-2.0

/// Decides which thread runs a store's pipeline. There is one at a time, whatever the engine.
///
/// | engine | who consumes | for |
/// |---|---|---|
/// | ``thread(name:wait:)`` | a thread of the store's own | throughput; dispatching never waits for reducers |
/// | ``caller`` | whoever dispatches, unless somebody already does | tests, tools, programs of one thread |
public struct StoreEngine: Sendable, Hashable {
    @usableFromInline enum Kind: Sendable, Hashable {
        case thread(name: String?, wait: WaitStrategy)
        case caller
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

    /// Whoever dispatches drains the queue until it is empty, before `dispatch` returns, unless another thread is
    /// draining: then that thread does it. There is no limit to how much one call may drain.
    public static let caller = StoreEngine(kind: .caller)
}
