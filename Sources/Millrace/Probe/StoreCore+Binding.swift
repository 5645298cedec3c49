// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension StoreCore {
    /// Binds the store's middlewares, and returns with them those that are named.
    @usableFromInline
    func collecting<M>(_ bind: () -> M) -> (M, [RunningMiddleware]) {
        let cell = cell
        return MiddlewareRegistry.collecting(position: { cell.position }, effects: consumer.effects, bind)
    }
}
