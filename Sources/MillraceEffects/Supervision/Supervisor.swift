// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Starts and stops effects, so that exactly those run that the state asks for.
@usableFromInline
struct Supervisor<Key: Hashable, Definition: Equatable, Dependencies, OutputAction> {
    @usableFromInline typealias Asked = AskedKeys<Key, Definition>

    @usableFromInline let start: EffectStart<Dependencies, OutputAction>
    @usableFromInline let binding: EffectBinding?
    @usableFromInline let interruptions: SeenInterruptions
    @usableFromInline var asked = Asked()

    @inlinable
    init(
        _ start: EffectStart<Dependencies, OutputAction>,
        _ binding: EffectBinding?,
        _ interruptions: SeenInterruptions
    ) {
        self.start = start
        self.binding = binding
        self.interruptions = interruptions
    }

    /// Stops the effects that are no longer asked for. Then starts, in order, those that are new or whose definition
    /// has changed, each before the old one is cancelled. After an interruption all effects are new. If two have the
    /// same key, the first counts.
    ///
    /// - Parameters:
    ///   - count: The number of effects that are asked for.
    ///   - entryAt: The key and the definition of one effect.
    ///   - tag: The token for a key; a tag without a token asks for nothing.
    ///   - effectAt: Makes one effect; called only for those that are to begin.
    @inlinable
    mutating func keep(
        _ count: Int,
        _ entryAt: (Int) -> Asked.Entry,
        tag: (Key) -> EffectTag,
        effectAt: (Int) -> Effect<Dependencies, OutputAction>,
        _ output: AnyActionHandler<OutputAction>
    ) {
        let isAnew = interruptions.isNew
        interruptions.seen = interruptions.noted
        let difference = asked.ask(for: count, isAnew: isAnew, entryAt)
        for key in difference.stopping { stop(tag(key)) }
        for position in difference.starting { begin(effectAt(position), tag(entryAt(position).key), output) }
        #if MILLRACE_PLANTED
            if Planted.has(.interruptionOverlooked) { interruptions.seen = interruptions.interruptions.count }
        #endif
    }

    @usableFromInline
    func stop(_ tag: EffectTag) {
        if tag.isToken { start.owner.registry.cancel(tag.inside(binding?.scope ?? EffectScope())) }
    }

    @usableFromInline
    func begin(_ effect: Effect<Dependencies, OutputAction>, _ tag: EffectTag, _ output: AnyActionHandler<OutputAction>)
    {
        guard tag.isToken, effect.doesSomething else { return }
        start(effect.supervised(under: tag), EffectOutput(output, binding))
    }
}

extension Effect {
    /// Returns this effect under the token of a key. Its own token and policy are ignored, its name is kept.
    func supervised(under tag: EffectTag) -> Effect {
        let name = self.tag?.name
        return with(name == nil ? tag : EffectTag(name: name, of: tag))
    }
}
