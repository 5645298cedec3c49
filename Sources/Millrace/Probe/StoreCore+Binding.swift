// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension StoreCore {
    /// What the store gives to each of its middlewares, which collect their names in `names`.
    @usableFromInline
    func binding(to source: StateSource<State>, collecting names: BoundNames) -> MiddlewareBinding<Action, State> {
        let cell = cell
        let services = BindingServices(
            position: { cell.position },
            effects: consumer.effects,
            copies: consumer.copies,
            countVanished: { Frames.counters?.pointee.noteVanished() },
            names: names,
            world: consumer.world,
            hold: consumer.holder,
            makeTracker: consumer.makeTracker
        )
        // Unowned: the core holds whatever keeps the binding.
        return MiddlewareBinding(state: StateReader(source), services: services) { [unowned(unsafe) self] in
            contextOutput()
        }
    }

    /// The place where middlewares find the state while the pipeline calls them; nil when the store's caller keeps the
    /// state.
    @usableFromInline
    var live: UnsafePointer<State>? { cell.external == nil ? UnsafePointer(cell.live) : nil }
}
