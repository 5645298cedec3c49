// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// What one effect has to do with the journal of its store: its own beginning waits, or those of its parts do.
final class EffectHolding: Sendable {
    /// Keeps a beginning until the action is durable. Returns false if the effect may begin now.
    typealias Hold = @Sendable (@escaping @Sendable () -> Void) -> Bool

    /// Keeps the beginning of the effect; nil if it starts its parts at once.
    let hold: Hold?
    /// The beginnings of its parts; nil if the effect itself waits.
    let parts: HeldParts?

    /// The place in a journal that begins unfinished effects again; nil for parts, and without such a journal.
    let receipt: EffectReceipt?

    private init(hold: Hold?, parts: HeldParts?, _ receipt: EffectReceipt? = nil) {
        self.hold = hold
        self.parts = parts
        self.receipt = receipt
    }

    /// Out of line, because most stores have no journal.
    @inline(never)
    static func make(
        _ traits: borrowing EffectTraits,
        _ whole: EffectTask?,
        _ binding: EffectBinding?
    ) -> EffectHolding? {
        if let whole { return whole.holding?.parts.flatMap { EffectHolding(traits, $0) } }
        guard let hold = binding?.hold, traits.isCounted else { return nil }
        return EffectHolding(traits, by: hold, binding?.track?())
    }

    /// For an effect of a middleware. Nil if the action is durable already. Not for an effect that only cancels others:
    /// it must find those that are held.
    private convenience init?(
        _ traits: borrowing EffectTraits,
        by hold: @escaping @Sendable (@escaping () -> Void) -> Bool,
        _ receipt: EffectReceipt?
    ) {
        guard traits.startsParts else {
            self.init(hold: { begin in hold(begin) }, parts: nil, receipt)
            return
        }
        let parts = HeldParts()
        let release = HeldPartsRelease(parts)
        let isHeld = receipt?.hasEnded != true && hold({ release() })
        guard isHeld || receipt != nil else { return nil }
        self.init(hold: nil, parts: isHeld ? parts : nil, receipt)
    }

    /// For a part of an effect whose parts wait.
    convenience init?(_ traits: borrowing EffectTraits, _ parts: HeldParts) {
        if traits.startsParts {
            self.init(hold: nil, parts: parts)
        } else if traits.isCounted {
            self.init(hold: { begin in parts.hold(begin) }, parts: nil)
        } else {
            return nil
        }
    }
}
