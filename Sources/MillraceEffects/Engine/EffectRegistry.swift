// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The effects that one middleware has under way. Whatever ends is removed at once; releasing it cancels the rest.
@usableFromInline
final class EffectRegistry: Sendable {
    private struct Entries {
        /// Under one token the newest is the last; the older ones are about to be cancelled.
        var tokened: [EffectToken: [EffectLife]] = [:]
        var others: [ObjectIdentifier: EffectLife] = [:]
    }

    // What is removed leaves the lock before it is released: lives and tokens may hold anything.
    private let entries = Locked(Entries())

    @usableFromInline
    init() {}

    deinit {
        cancelAll()
    }

    /// Where its effects are measured, once a store has it.
    private let meter = Locked<EffectMeter?>(nil)

    /// A store takes the middleware.
    @usableFromInline
    func isBound() {
        let new = MiddlewareRegistry.registerEffects()
        meter.withLock { $0 = new }
    }

    /// An effect begins; nil when nobody measures.
    func measure() -> EffectMeter.Run? { meter.withLock { $0 }?.begin() }

    var count: Int {
        entries.withLock { entries in
            entries.tokened.values.reduce(entries.others.count) { $0 + $1.count }
        }
    }

    /// Adds an effect, and returns those of its token that it replaces: to be cancelled when it was started.
    func add(_ life: EffectLife) -> [EffectLife] {
        entries.withLock { entries in
            guard let token = life.token else {
                entries.others[ObjectIdentifier(life)] = life
                return []
            }
            let older = entries.tokened[token]
            entries.tokened[token, default: []].append(life)
            return older ?? []
        }
    }

    /// Removes exactly this effect, if it is still there.
    func remove(_ life: EffectLife) {
        // The key that is removed may be the last that holds the token.
        let removed: (key: EffectToken, value: [EffectLife])? = entries.withLock { entries in
            guard let token = life.token else {
                entries.others[ObjectIdentifier(life)] = nil
                return nil
            }
            guard let index = entries.tokened.index(forKey: token) else { return nil }
            entries.tokened.values[index].removeAll { $0 === life }
            return entries.tokened.values[index].isEmpty ? entries.tokened.remove(at: index) : nil
        }
        withExtendedLifetime(removed) {}
    }

    /// Cancels the effects of a token; one that is unknown is ignored.
    func cancel(_ token: EffectToken) {
        let removed = entries.withLock { entries in
            entries.tokened.index(forKey: token).map { entries.tokened.remove(at: $0) }
        }
        for life in removed?.value ?? [] { life.cancel() }
    }

    func cancelAll() {
        let all = entries.withLock { entries in
            defer { entries = Entries() }
            return entries
        }
        // Wholes before their parts: the end of a part would start the next one.
        let lives = Array(all.others.values) + all.tokened.values.joined()
        for life in lives where life.parent == nil { life.cancel() }
        for life in lives where life.parent != nil { life.cancel() }
    }
}
