// SPDX-License-Identifier: Apache-2.0

/// How an effect was started, and what its caller still has to do.
@usableFromInline
struct EffectEntry {
    static var begins: EffectEntry { EffectEntry(begins: true) }
    static var started: EffectEntry { EffectEntry(begins: false) }
    static var dismissed: EffectEntry { EffectEntry(begins: false, isStarted: false) }

    /// Whether the body is to be called now.
    @usableFromInline let begins: Bool
    /// False if the effect was dismissed; true if it begins, waits, or was cancelled.
    @usableFromInline let isStarted: Bool
    /// Whether the caller has to call `bodyReturned` after the body.
    @usableFromInline let isAmongOthers: Bool
    /// The effects that `bodyReturned` cancels.
    let older: [EffectTask]?

    init(begins: Bool, isStarted: Bool = true, isAmongOthers: Bool = false, _ older: [EffectTask]? = nil) {
        self.begins = begins
        self.isStarted = isStarted
        self.isAmongOthers = isAmongOthers
        self.older = older
    }
}
