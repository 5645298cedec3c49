// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension StoreCore {
    /// Binds the store's middlewares, and returns with them those that are named.
    @usableFromInline
    func collecting<M>(_ bind: () -> M) -> (M, [RunningMiddleware]) {
        let cell = cell
        return MiddlewareRegistry.collecting(position: { cell.position }, effects: consumer.effects, bind)
    }

    /// Where its middlewares find the state while the pipeline calls them; nil when the caller keeps it.
    @usableFromInline
    var live: LiveState<State>? {
        // The cell keeps no middleware, so no cycle.
        cell.external == nil ? LiveState(UnsafePointer(cell.live), owner: cell) : nil
    }
}
