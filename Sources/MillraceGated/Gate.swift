// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import Synchronization

/// Switches middlewares on and off while they run, from any thread.
///
/// ```swift
/// let gate = Gate(.bypass)
/// let middleware = Audit().gated(by: gate) <> Sync().gated(by: gate)
/// gate.open()         // from now on both see the actions
/// ```
///
/// **Order.** Each gated middleware looks once an action, when the action comes to it: an action that is on its way
/// while the gate is flipped is seen as a whole, `handle` and `afterReduce`, or not at all. Flips of several threads
/// have one order. An observer, or the cancelling of ``InFlightPolicy/cancel``, of one flip may run after the next one:
/// an effect that is started while `close()` is still running may be cancelled by it.
///
/// **Cost.** Looking is one load. Flipping takes a lock, and calls who observes.
public final class Gate: Sendable {
    private struct Observers {
        var bodies: [UInt64: @Sendable (Bool) -> Void] = [:]
        var nextID: UInt64 = 0
    }

    /// Changed only while the lock of `observers` is held.
    @usableFromInline let word: Atomic<Bool>
    private let observers = Locked(Observers())

    /// A gate that is open, or not.
    public init(_ state: GateState = .active) {
        word = Atomic(state.isOpen)
    }

    /// Whether it is open. One load.
    @inlinable
    public var isOpen: Bool {
        // Acquiring, pairs with flip(_:): who sees the flip also sees what was done before it.
        word.load(ordering: .acquiring)
    }

    /// Open or closed, as a value that can be kept.
    @inlinable
    public var state: GateState { GateState(isOpen: isOpen) }

    /// Opens it. An open gate stays as it is.
    public func open() { set(.active) }

    /// Closes it; when this returns, effects have been cancelled where that is asked for. A closed gate stays as it is:
    /// then the thread that closed it may still be cancelling.
    public func close() { set(.bypass) }

    /// Opens or closes it.
    public func set(_ state: GateState) {
        _ = flip { _ in state.isOpen }
    }

    /// Opens a closed gate, closes an open one, in one step. Returns what it is then.
    @discardableResult
    public func toggle() -> GateState {
        GateState(isOpen: flip { !$0 })
    }

    /// Makes of what it is what it is to be, and tells the observers if that differs.
    private func flip(_ next: (Bool) -> Bool) -> Bool {
        let (isOpen, bodies) = observers.withLock { observers -> (Bool, [UInt64: @Sendable (Bool) -> Void]) in
            let wasOpen = word.load(ordering: .relaxed)  // the lock orders it
            let isOpen = next(wasOpen)
            guard isOpen != wasOpen else { return (isOpen, [:]) }
            word.store(isOpen, ordering: .releasing)  // pairs with isOpen
            return (isOpen, observers.bodies)
        }
        for body in bodies.values { body(isOpen) }
        return isOpen
    }

    /// The state now and after each change; see ``GateStates``.
    public var states: GateStates { GateStates(gate: self) }

    /// Calls `body` after each flip, on the thread that flips, until the observation is released.
    func observe(_ body: @escaping @Sendable (_ isOpen: Bool) -> Void) -> GateObservation {
        let id = observers.withLock { observers in
            observers.nextID += 1
            observers.bodies[observers.nextID] = body
            return observers.nextID
        }
        return GateObservation(gate: self, id: id)
    }

    fileprivate func remove(_ id: UInt64) {
        // Released without the lock: it may hold anything.
        let body = observers.withLock { $0.bodies.removeValue(forKey: id) }
        withExtendedLifetime(body) {}
    }
}

/// Keeps an observer of a gate.
final class GateObservation: Sendable {
    private let gate: Gate
    private let id: UInt64

    fileprivate init(gate: Gate, id: UInt64) {
        self.gate = gate
        self.id = id
    }

    deinit {
        gate.remove(id)
    }
}
