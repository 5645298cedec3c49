// SPDX-License-Identifier: Apache-2.0

/// An effect in the registry.
struct RegisteredEffect {
    let life: EffectLife
    let scope: EffectScope
    let name: String?

    var label: EffectLabel { EffectLabel(token: life.token?.token, name: name, elements: scope.ids) }
}

/// The effects of one token: those at work, and those that wait for one of them to end.
struct EffectLane {
    struct Running {
        let effect: RegisteredEffect
        /// Whether it is a part of an effect of the same token, and uses the place of that.
        let isCovered: Bool
        /// Whether its body has yet to return; until then others wait for it, though it may have ended.
        var isBeginning: Bool
        var hasEnded = false
    }

    struct Waiting: Sendable {
        let effect: RegisteredEffect
        let limit: Int
        let begin: @Sendable () -> Void
    }

    /// What has left, and what is to be done now. To be released without the lock, as it may hold anything.
    struct Departure {
        enum Gone {
            case running(RegisteredEffect)
            case waiting(Waiting)
        }

        let gone: Gone
        let begins: [Waiting]
    }

    private(set) var running: [Running] = []
    private(set) var waiting = Fifo<Waiting>()
    private var places = 0

    var isEmpty: Bool { running.isEmpty && waiting.isEmpty }
    var count: Int { running.count + waiting.count }

    /// All, and first those that have not begun: cancelled in this order, none of them begins.
    var lives: [EffectLife] { effects.map(\.life) }

    var effects: [RegisteredEffect] { waiting.all.map(\.effect) + running.map(\.effect) }

    func hasPlace(limit: Int) -> Bool { waiting.isEmpty && places < limit }

    mutating func run(_ effect: RegisteredEffect, isCovered: Bool, isLimited: Bool) {
        running.append(Running(effect: effect, isCovered: isCovered, isBeginning: isLimited))
        if !isCovered { places += 1 }
    }

    mutating func wait(_ effect: Waiting) {
        waiting.append(effect)
    }

    /// It has ended. Nil if it is not here, or if its body has not returned.
    mutating func remove(_ life: EffectLife) -> Departure? {
        if let index = running.firstIndex(where: { $0.effect.life === life }) {
            if running[index].isBeginning {
                running[index].hasEnded = true
                return nil
            }
            return leave(index)
        }
        guard let gone = waiting.removeFirst(where: { $0.effect.life === life }) else { return nil }
        return Departure(gone: .waiting(gone), begins: takeReady())
    }

    /// Its body has returned. Nil if it goes on, or is not here.
    mutating func bodyReturned(_ life: EffectLife) -> Departure? {
        guard let index = running.firstIndex(where: { $0.effect.life === life }) else { return nil }
        running[index].isBeginning = false
        return running[index].hasEnded ? leave(index) : nil
    }

    /// Takes out some of those that wait; returns also those whose turn it is without them.
    mutating func dropWaiting(_ isUnwanted: (Waiting) -> Bool) -> (gone: [Waiting], begins: [Waiting]) {
        let all = waiting.all
        waiting = Fifo()
        var gone: [Waiting] = []
        for effect in all {
            if isUnwanted(effect) { gone.append(effect) } else { waiting.append(effect) }
        }
        return (gone, takeReady())
    }

    private mutating func leave(_ index: Int) -> Departure {
        let gone = running.remove(at: index)
        if !gone.isCovered { places -= 1 }
        return Departure(gone: .running(gone.effect), begins: takeReady())
    }

    /// Those whose turn it is: they count as running from now on.
    private mutating func takeReady() -> [Waiting] {
        var ready: [Waiting] = []
        while let first = waiting.first, places < first.limit {
            waiting.popFirst()
            run(first.effect, isCovered: false, isLimited: true)
            ready.append(first)
        }
        return ready
    }
}
