// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Where the effects of a pipeline's middlewares are measured.
@usableFromInline
struct PipelineEffects: Sendable {
    let meters: [EffectMeter]

    /// Binds the middlewares, and returns with them those that are named, and this.
    @usableFromInline
    static func collecting<M>(_ bind: () -> M) -> (M, [RunningMiddleware], PipelineEffects) {
        let (middleware, running, meters) = MiddlewareRegistry.collectingAll(bind)
        return (middleware, running, PipelineEffects(meters: meters))
    }
}
