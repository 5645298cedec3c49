// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Keeps the effects that the state asks for: what was asked for last, and the difference to what is asked for now.
@usableFromInline
struct Supervisor<Dependencies, OutputAction> {
    private let start: EffectStart<Dependencies, OutputAction>
    private let meter: EffectMeter?
    /// The definitions of what was asked for last.
    private var asked: [EffectTag: AnyHashable] = [:]

    @usableFromInline
    init(_ start: EffectStart<Dependencies, OutputAction>, meter: EffectMeter?) {
        self.start = start
        self.meter = meter
    }

    /// Stops what is not asked for any more, then starts, in order, what is new or defined otherwise: that begins
    /// before the old one is cancelled. Of two with one key the first counts.
    @usableFromInline
    mutating func keep(
        _ wanted: [SupervisedEffect<Dependencies, OutputAction>],
        _ output: AnyActionHandler<OutputAction>
    ) {
        var now: [EffectTag: AnyHashable] = [:]
        var starting: [Effect<Dependencies, OutputAction>] = []
        for supervised in wanted {
            let tag = supervised.tag
            guard tag.isToken, now[tag] == nil else { continue }
            now[tag] = supervised.definition
            if asked[tag] != supervised.definition { starting.append(supervised.effect) }
        }
        let stopping = asked.keys.filter { now[$0] == nil }
        asked = now
        for token in stopping { start.owner.registry.cancel(token) }
        for effect in starting where effect.doesSomething {
            start(effect, EffectOutput(output, meter: meter))
        }
    }
}
