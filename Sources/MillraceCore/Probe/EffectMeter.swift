// SPDX-License-Identifier: Apache-2.0

/// Where the effects of one middleware of a store are measured, while somebody does. Any thread.
@usableFromInline
package final class EffectMeter: Sendable {
    /// An effect that is being measured: whoever ends it tells.
    package struct Run: Sendable {
        fileprivate let meter: EffectMeter
        fileprivate let probe: any EffectProbe
        fileprivate let began: UInt64

        /// The effect has ended.
        package func end(isCancelled: Bool) {
            probe.effectEnded(meter, began: began, isCancelled: isCancelled)
        }
    }

    /// The name of the middleware, or of the innermost that holds it; nil if there is none.
    package let name: MiddlewareName?
    private let cell: EffectProbeCell

    init(name: MiddlewareName?, cell: EffectProbeCell) {
        self.name = name
        self.cell = cell
    }

    /// Whether somebody measures: an early look, before `begin`.
    package var isMeasuring: Bool { cell.isOccupied }

    /// An effect begins; nil when nobody measures.
    package func begin() -> Run? {
        guard let probe = cell.probe else { return nil }
        return Run(meter: self, probe: probe, began: probe.effectBegan(self))
    }
}
