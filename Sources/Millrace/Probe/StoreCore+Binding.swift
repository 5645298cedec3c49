// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension StoreCore {
    /// Binds the store's middlewares, and returns them together with the middlewares that have a name.
    @usableFromInline
    func collecting<M>(_ bind: () -> M) -> (M, [RunningMiddleware]) {
        let cell = cell
        return MiddlewareRegistry.collecting(position: { cell.position }, effects: consumer.effects, bind)
    }

    /// The place where middlewares find the state while the pipeline calls them; nil when the store's caller keeps the
    /// state.
    @usableFromInline
    var live: LiveState<State>? {
        // The cell keeps no middleware, so there is no cycle.
        cell.external == nil ? LiveState(UnsafePointer(cell.live), owner: cell) : nil
    }
}
