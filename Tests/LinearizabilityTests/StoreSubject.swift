// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceCore
import MillraceEffects
import Synchronization

/// What the threads of a history call: a store, or a store behind a mistake.
protocol StoreSubject: Sendable {
    func dispatch(_ action: NumberedAction)
    func dispatch(urgent number: UInt8)
    /// Returns whether the action was accepted.
    func offer(_ number: UInt8) -> Bool
    /// Sends an action from the effect of a token.
    func emit(_ number: UInt8, token: Int)
    func cancel(token: Int)
    func read() -> [UInt8]
    /// Blocks the thread until the store is drained.
    func drain()
}

/// A store whose state is the list of the numbers that it has reduced, with a running effect for each token.
final class NumberedStore: StoreSubject {
    private typealias Effects = EffectMiddleware<NumberedAction, NumberedAction, [UInt8], Void>
    private typealias Sink = EffectSink<DispatchedAction<NumberedAction>>

    private let store: ReduxStoreBase<NumberedAction, [UInt8]>
    private let effects: Effects
    private let sinks: [Sink]
    /// Counts the reads: by turns the state is copied and lent.
    private let reads = Atomic<Int>(0)

    private final class Collected: Sendable {
        let sinks = Locked<[Int: Sink]>([:])
    }

    private struct Spawn: MiddlewareProtocol {
        func handle(
            action: NumberedAction,
            from: ActionSource,
            state: @escaping GetState<[UInt8]>
        ) -> IO<NumberedAction> {
            guard case .spawn(_, let child) = action else { return .pure() }
            return IO { output in output.dispatch(.append(child)) }
        }
    }

    init(_ options: StoreOptions) {
        let collected = Collected()
        let effects = Effects.onAction { action, _, _ in
            guard case .start(let token) = action else { return .doNothing }
            return Effect(token: token) { _, sink in collected.sinks.withLock { $0[token] = sink } }
        }
        self.effects = effects
        store = ReduxStoreBase(
            initialState: [],
            reducer: .reduce { action, numbers in if let number = action.number { numbers.append(number) } },
            middleware: Spawn() <> effects,
            engine: options.engine,
            publication: options.publication,
            capacity: options.capacity,
            order: options.order
        )
        if options.hasEffects {
            for token in 0..<StoreSpecification.tokens { store.dispatch(.start(token: token)) }
            Self.drain(store)
        }
        sinks = collected.sinks.withLock { sinks in sinks.sorted { $0.key < $1.key }.map(\.value) }
    }

    func dispatch(_ action: NumberedAction) { store.dispatch(action) }
    func dispatch(urgent number: UInt8) { store.dispatch(urgent: .append(number)) }
    func offer(_ number: UInt8) -> Bool { store.offer(.append(number)) == .accepted }
    func emit(_ number: UInt8, token: Int) { sinks[token].send(DispatchedAction(.append(number))) }
    func cancel(token: Int) { effects.cancel(token) }
    func drain() { Self.drain(store) }

    func read() -> [UInt8] {
        // Relaxed: any turn will do.
        guard reads.add(1, ordering: .relaxed).newValue.isMultiple(of: 2) else { return store.state }
        return store.withState { numbers in copy numbers }
    }

    private static func drain(_ store: ReduxStoreBase<NumberedAction, [UInt8]>) {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            await store.drain()
            isDone.signal()
        }
        isDone.wait()
    }
}
