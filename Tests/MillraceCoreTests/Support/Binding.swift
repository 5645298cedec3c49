// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// A binding as a store makes it, without a store.
func binding<Output>(
    to state: @escaping GetState<Int> = { 0 },
    collecting names: BoundNames? = nil
) -> MiddlewareBinding<Output, Int> {
    let services = BindingServices(position: nil, effects: nil, countVanished: nil, names: names)
    return MiddlewareBinding<Output, Int>(state: StateReader(state), services: services)
}
