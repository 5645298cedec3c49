// SPDX-License-Identifier: Apache-2.0

extension Effect {
    /// Returns an effect that cancels those effects of the same middleware that a predicate chooses. Under
    /// `liftToCollection` it cancels effects of the same element only.
    ///
    /// ```swift
    /// .toCancel { $0.name == "download" }
    /// ```
    ///
    /// If this effect is a part of a chosen effect, the whole ends, this part included.
    ///
    /// **Cost.** It looks at every effect that is under way, on the pipeline's thread: about a microsecond each. With
    /// many effects under way use tokens: ``toCancel(_:)`` finds its effects in constant time.
    @preconcurrency
    public static func toCancel(where isChosen: @escaping @Sendable (EffectLabel) -> Bool) -> Effect {
        immediate(isCounted: false) { _, sink in
            let origin = sink.effectTask.origin
            origin.registry?.cancel(in: origin.scope, where: isChosen)
            sink.complete()
        }
    }

    /// An effect that cancels all effects of the same middleware; under `liftToCollection`, all effects of the same
    /// element. It costs the same as ``toCancel(where:)``.
    public static var toCancelAll: Effect { toCancel { _ in true } }
}
