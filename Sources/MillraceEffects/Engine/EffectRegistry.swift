// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The effects that one middleware has under way. Whatever ends is removed at once; releasing it cancels the rest.
@usableFromInline
final class EffectRegistry: Sendable {
    private struct Entries {
        var lanes: [EffectToken: EffectLane] = [:]
        var others: [ObjectIdentifier: RegisteredEffect] = [:]
        /// Those in `lanes` and `others`, and how many of them wait.
        var count = 0
        var waiting = 0
        var figures = EffectFigures()
    }

    enum Admission {
        /// It is to begin; these are of its token, to be cancelled right after: those that waited, which are out of
        /// their lane, and those at work.
        case begins(dropped: [EffectLane.Waiting], replacing: [EffectLife])
        case waits
        case skipped
        case refused
    }

    let options: EffectOptions
    let throttles = EffectThrottles()
    /// For those who must not keep it.
    let reference = Reference()
    // What is removed leaves the lock before it is released: lives and tokens may hold anything.
    private let entries = Locked(Entries())

    @usableFromInline
    init(_ options: EffectOptions) {
        self.options = options
        reference.value = self
    }

    deinit {
        cancelAll()
    }

    /// A registry that is not kept: running effects must not keep their middleware.
    final class Reference: @unchecked Sendable {
        // Unchecked because a weak reference may be read from any thread, and this one is set by `init` alone.
        fileprivate(set) weak var value: EffectRegistry?
    }

    var figures: EffectFigures {
        entries.withLock { entries in
            var figures = entries.figures
            figures.running = entries.count - entries.waiting
            figures.waiting = entries.waiting
            return figures
        }
    }

    /// Adds an effect, if its policy and the capacity let it in. One that has a limit tells ``bodyReturned(_:)``.
    ///
    /// - Parameters:
    ///   - isCovered: Whether it is a part of an effect of the same token.
    ///   - begin: Makes what begins it, if it has to wait.
    func add(
        _ effect: RegisteredEffect,
        policy: EffectPolicy,
        isCovered: Bool,
        begin: () -> @Sendable () -> Void
    ) -> Admission {
        entries.withLock { entries in
            let index = effect.life.token.flatMap { entries.lanes.index(forKey: $0) }
            let isInUse = index != nil && !isCovered
            if isInUse, policy == .keepFirst {
                entries.figures.skipped += 1
                return .skipped
            }
            guard entries.count < options.capacity || (isInUse && policy == .replace) else {
                entries.figures.refused += 1
                return .refused
            }
            entries.count += 1
            guard let token = effect.life.token else {
                entries.others[ObjectIdentifier(effect.life)] = effect
                return .begins(dropped: [], replacing: [])
            }
            guard let index else {
                var lane = EffectLane()
                lane.run(effect, isCovered: isCovered, isLimited: policy.limit != nil)
                entries.lanes[token] = lane
                return .begins(dropped: [], replacing: [])
            }
            if let limit = policy.limit, isInUse, !entries.lanes.values[index].hasPlace(limit: limit) {
                entries.waiting += 1
                entries.lanes.values[index].wait(.init(effect: effect, limit: limit, begin: begin()))
                return .waits
            }
            var dropped: [EffectLane.Waiting] = []
            var replaced: [EffectLife] = []
            if policy == .replace {
                // Out of the lane now, so that none begins when this one ends, or those at work.
                dropped = entries.lanes.values[index].dropWaiting { _ in true }.gone
                replaced = entries.lanes.values[index].lives
                entries.count -= dropped.count
                entries.waiting -= dropped.count
            }
            entries.lanes.values[index].run(effect, isCovered: isCovered, isLimited: policy.limit != nil)
            return .begins(dropped: dropped, replacing: replaced)
        }
    }

    /// An effect has ended: removes exactly this one, if it is here, and begins those that waited for it.
    func remove(_ life: EffectLife) {
        begin(take(life, isEnd: true) { $0.remove(life) })
    }

    /// The body of an effect with a limit has returned: until now others waited, though it may have ended.
    func bodyReturned(_ life: EffectLife) {
        begin(take(life, isEnd: false) { $0.bodyReturned(life) })
    }

    private func begin(_ ready: [EffectLane.Waiting]) {
        var ready = ready
        // Row by row, so that effects which end at once do not grow the stack.
        while !ready.isEmpty {
            var more: [EffectLane.Waiting] = []
            for effect in ready {
                effect.begin()
                more += take(effect.effect.life, isEnd: false) { $0.bodyReturned(effect.effect.life) }
            }
            ready = more
        }
    }

    /// Changes the lane of an effect; returns those that are to begin.
    private func take(
        _ life: EffectLife,
        isEnd: Bool,
        _ change: (inout EffectLane) -> EffectLane.Departure?
    ) -> [EffectLane.Waiting] {
        // The key that is removed may be the last that holds the token.
        let left: (departure: EffectLane.Departure?, lane: (EffectToken, EffectLane)?) = entries.withLock { entries in
            if isEnd {
                if life.isCancelled { entries.figures.cancelled += 1 } else { entries.figures.completed += 1 }
            }
            guard let token = life.token else {
                guard let gone = entries.others.removeValue(forKey: ObjectIdentifier(life)) else { return (nil, nil) }
                entries.count -= 1
                return (.init(gone: .running(gone), begins: []), nil)
            }
            guard let index = entries.lanes.index(forKey: token) else { return (nil, nil) }
            let waited = entries.lanes.values[index].waiting.count
            guard let departure = change(&entries.lanes.values[index]) else { return (nil, nil) }
            entries.count -= 1
            entries.waiting -= waited - entries.lanes.values[index].waiting.count
            return (departure, entries.lanes.values[index].isEmpty ? entries.lanes.remove(at: index) : nil)
        }
        return left.departure?.begins ?? []
    }

    /// Cancels the effects of a token; one that is unknown is ignored.
    func cancel(_ token: EffectToken) {
        let removed = entries.withLock { entries in
            guard let index = entries.lanes.index(forKey: token) else { return nil as (EffectToken, EffectLane)? }
            let removed = entries.lanes.remove(at: index)
            entries.count -= removed.value.count
            entries.waiting -= removed.value.waiting.count
            return (removed.key, removed.value)
        }
        for life in removed?.1.lives ?? [] { life.cancel() }
    }

    /// Cancels those that a predicate chooses. It is called without the lock.
    func cancel(where isChosen: (EffectLabel) -> Bool) {
        let all = entries.withLock { entries in
            Array(entries.others.values) + entries.lanes.values.flatMap(\.effects)
        }
        let lives = all.filter { isChosen($0.label) }.map(\.life)
        // Out of their lanes first, so that none of them begins in place of another.
        let chosen = Set(lives.map(ObjectIdentifier.init))
        let (dropped, ready) = entries.withLock { entries in
            var dropped: [EffectLane.Waiting] = []
            var ready: [EffectLane.Waiting] = []
            for token in Set(lives.compactMap(\.token)) {
                guard let index = entries.lanes.index(forKey: token) else { continue }
                let left = entries.lanes.values[index].dropWaiting { chosen.contains(ObjectIdentifier($0.effect.life)) }
                dropped += left.gone
                ready += left.begins
            }
            entries.count -= dropped.count
            entries.waiting -= dropped.count + ready.count
            return (dropped, ready)
        }
        cancelWholesFirst(lives)
        begin(ready)
        withExtendedLifetime(dropped) {}
    }

    func cancelAll() {
        throttles.clear()
        let all = entries.withLock { entries in
            defer {
                entries.lanes = [:]
                entries.others = [:]
                entries.count = 0
                entries.waiting = 0
            }
            return (entries.lanes, entries.others)
        }
        cancelWholesFirst(all.1.values.map(\.life) + all.0.values.flatMap(\.lives))
    }

    /// Wholes before their parts: the end of a part would start the next one.
    private func cancelWholesFirst(_ lives: [EffectLife]) {
        for life in lives where life.parent == nil { life.cancel() }
        for life in lives where life.parent != nil { life.cancel() }
    }
}
