// SPDX-License-Identifier: Apache-2.0

extension Effect {
    /// Cancels the effects that a predicate chooses, of those that the same middleware runs; under `liftToCollection`
    /// of those of the same element.
    ///
    /// ```swift
    /// .toCancel { $0.name == "download" }
    /// ```
    ///
    /// As a part of an effect that is chosen it ends that, itself included.
    ///
    /// **Cost.** It looks at every effect that is under way, on the pipeline's thread: about a microsecond each. With
    /// many under way use tokens: ``toCancel(_:)`` finds its effects in constant time.
    @preconcurrency
    public static func toCancel(where isChosen: @escaping @Sendable (EffectLabel) -> Bool) -> Effect {
        immediate(isCounted: false) { _, sink in
            let elements = sink.effectTask.origin.scope.ids
            sink.effectTask.origin.registry?.cancel { $0.elements == elements && isChosen($0) }
            sink.complete()
        }
    }

    /// Cancels all effects that the same middleware runs; under `liftToCollection` those of the same element. It costs what
    /// ``toCancel(where:)`` does.
    public static var toCancelAll: Effect { toCancel { _ in true } }
}
