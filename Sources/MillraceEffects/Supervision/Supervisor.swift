// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Keeps the effects that the state asks for: what was asked for last, and the difference to what is asked for now.
@usableFromInline
struct Supervisor<Dependencies, OutputAction> {
    private let start: EffectStart<Dependencies, OutputAction>
    private let meter: EffectMeter?
    @usableFromInline let interruptions: SeenInterruptions
    /// The definitions of what was asked for last.
    private var asked: [EffectTag: AnyHashable] = [:]

    @usableFromInline
    init(_ start: EffectStart<Dependencies, OutputAction>, meter: EffectMeter?, _ interruptions: SeenInterruptions) {
        self.start = start
        self.meter = meter
        self.interruptions = interruptions
    }

    /// Stops what is not asked for any more, then starts, in order, what is new or defined otherwise: that begins
    /// before the old one is cancelled. After an interruption everything is new. Of two with one key the first counts.
    @usableFromInline
    mutating func keep(
        _ wanted: [SupervisedEffect<Dependencies, OutputAction>],
        _ output: AnyActionHandler<OutputAction>
    ) {
        let isAnew = interruptions.isNew
        interruptions.seen = interruptions.noted
        var now: [EffectTag: AnyHashable] = [:]
        var starting: [Effect<Dependencies, OutputAction>] = []
        for supervised in wanted {
            let tag = supervised.tag
            guard tag.isToken, now[tag] == nil else { continue }
            now[tag] = supervised.definition
            if isAnew || asked[tag] != supervised.definition { starting.append(supervised.effect) }
        }
        let stopping = asked.keys.filter { now[$0] == nil }
        asked = now
        for token in stopping { start.owner.registry.cancel(token) }
        for effect in starting where effect.doesSomething {
            start(effect, EffectOutput(output, meter: meter))
        }
    }
}
