// SPDX-License-Identifier: Apache-2.0

import MillraceCore
public import Synchronization

/// A switch that turns middlewares on and off while they run, from any thread.
///
/// ```swift
/// let gate = Gate(.bypass)
/// let middleware = Audit().gated(by: gate) <> Sync().gated(by: gate)
/// gate.open()         // from now on both see the actions
/// ```
///
/// **Order.** Each gated middleware tests its gate once for an action, when the action reaches it. If the gate is
/// flipped while the pipeline handles an action, the middleware sees that action in both `handle` and `afterReduce`,
/// or in neither. The flips of several threads have one order. The closures that are called at a flip, and the
/// cancelling by ``InFlightPolicy/cancel``, may run after the next flip: an effect that is started while `close()` is
/// still running may be cancelled by it.
///
/// **Cost.** A test is one load. A flip takes a lock, and calls the registered closures.
public final class Gate: Sendable {
    private struct Registrations {
        var bodies: [UInt64: @Sendable (Bool) -> Void] = [:]
        var nextID: UInt64 = 0
    }

    /// Changed only while the lock of `registrations` is held.
    @usableFromInline let word: Atomic<Bool>
    private let registrations = Locked(Registrations())

    /// Creates a gate with a state.
    public init(_ state: GateState = .active) {
        word = Atomic(state.isOpen)
    }

    /// Whether the gate is open. One load.
    @inlinable
    public var isOpen: Bool {
        // Acquiring, pairs with flip(_:): a thread that sees the flip also sees what was done before it.
        word.load(ordering: .acquiring)
    }

    /// The current state, as a value that can be stored.
    @inlinable
    public var state: GateState { GateState(isOpen: isOpen) }

    /// Opens the gate. An open gate stays as it is.
    public func open() { set(.active) }

    /// Closes the gate. When this returns, the effects of middlewares with ``InFlightPolicy/cancel`` have been
    /// cancelled. A closed gate stays as it is: then the thread that closed it may still be cancelling.
    public func close() { set(.bypass) }

    /// Opens or closes the gate.
    public func set(_ state: GateState) {
        _ = flip { _ in state.isOpen }
    }

    /// Opens a closed gate or closes an open one, in one step. Returns the new state.
    @discardableResult
    public func toggle() -> GateState {
        GateState(isOpen: flip { !$0 })
    }

    /// Sets the state that `next` computes from the current one. Calls the registered closures if the state has
    /// changed.
    private func flip(_ next: (Bool) -> Bool) -> Bool {
        let (isOpen, bodies) = registrations.withLock { all -> (Bool, [UInt64: @Sendable (Bool) -> Void]) in
            let wasOpen = word.load(ordering: .relaxed)  // ordered by the lock
            let isOpen = next(wasOpen)
            guard isOpen != wasOpen else { return (isOpen, [:]) }
            word.store(isOpen, ordering: .releasing)  // pairs with isOpen
            return (isOpen, all.bodies)
        }
        // In the order of registration, so that a run can be repeated.
        for (_, body) in bodies.sorted(by: { $0.key < $1.key }) { body(isOpen) }
        return isOpen
    }

    /// The current state, then the state after each change; see ``GateStates``.
    public var states: GateStates { GateStates(gate: self) }

    /// Calls `body` after each flip, on the thread that flips the gate, until the observation is released.
    func observe(_ body: @escaping @Sendable (_ isOpen: Bool) -> Void) -> GateObservation {
        let id = registrations.withLock { all in
            all.nextID += 1
            all.bodies[all.nextID] = body
            return all.nextID
        }
        return GateObservation(gate: self, id: id)
    }

    fileprivate func remove(_ id: UInt64) {
        // Released after the lock, as its captures may own objects whose `deinit` runs any code.
        let body = registrations.withLock { $0.bodies.removeValue(forKey: id) }
        withExtendedLifetime(body) {}
    }
}

/// The registration of a closure. Releasing it removes the closure.
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

extension Gate: CustomStringConvertible {
    /// The current state: `Gate(active)`.
    public var description: String { "Gate(\(state.rawValue))" }
}
