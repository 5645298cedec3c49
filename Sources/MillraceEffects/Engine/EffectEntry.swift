// SPDX-License-Identifier: Apache-2.0

/// What becomes of an effect that is started.
@usableFromInline
struct EffectEntry {
    static var begins: EffectEntry { EffectEntry(begins: true) }
    static var started: EffectEntry { EffectEntry(begins: false) }
    static var dismissed: EffectEntry { EffectEntry(begins: false, isStarted: false) }

    /// Whether the body is to be called now.
    @usableFromInline let begins: Bool
    /// Whether the effect could be started: it begins, it has to wait, or it was cancelled.
    @usableFromInline let isStarted: Bool
    /// Whether something has to be done when the body has returned.
    @usableFromInline let isAmongOthers: Bool
    /// The effects to be cancelled then.
    let older: [EffectTask]?

    init(begins: Bool, isStarted: Bool = true, isAmongOthers: Bool = false, _ older: [EffectTask]? = nil) {
        self.begins = begins
        self.isStarted = isStarted
        self.isAmongOthers = isAmongOthers
        self.older = older
    }
}
