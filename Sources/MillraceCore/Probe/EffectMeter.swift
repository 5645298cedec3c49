// SPDX-License-Identifier: Apache-2.0

/// Measures the effects of one middleware of a store, while a probe is set. Any thread.
@usableFromInline
package final class EffectMeter: Sendable {
    /// One measured run of an effect. The code that ends the effect calls ``end(isCancelled:)``.
    package struct Run: Sendable {
        fileprivate let meter: EffectMeter
        fileprivate let probe: any EffectProbe
        fileprivate let began: UInt64

        /// Reports the end of the effect.
        package func end(isCancelled: Bool) {
            probe.effectEnded(meter, began: began, isCancelled: isCancelled)
        }
    }

    /// The name of the middleware, or of the innermost named middleware that holds it; nil if there is none.
    package let name: MiddlewareName?
    private let cell: EffectProbeCell

    init(name: MiddlewareName?, cell: EffectProbeCell) {
        self.name = name
        self.cell = cell
    }

    /// Whether a probe is set; a quick check before `begin`.
    package var isMeasuring: Bool { cell.isOccupied }

    /// Reports the beginning of an effect; returns nil if no probe is set.
    package func begin() -> Run? {
        guard let probe = cell.probe else { return nil }
        return Run(meter: self, probe: probe, began: probe.effectBegan(self))
    }
}
