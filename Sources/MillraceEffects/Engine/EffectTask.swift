// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// One effect under way, all in one object: the run that its actions carry, whether it goes on, what happens when it
/// ends, and its place in the registry.
///
/// It ends once, by completing or by being cancelled, whichever comes first, on any thread.
@usableFromInline
final class EffectTask: EffectRun, @unchecked Sendable {
    // Unchecked because `ended` is touched by `init` and the one who ends it, `place` and `later` as they say.
    typealias Ended = @Sendable (_ wasCancelled: Bool) -> Void

    let origin: EffectOrigin
    private let tag: EffectTag?
    private let hasToken: Bool
    private let isImmediate: Bool
    /// Whether it is in the figures of the registry, and in its lists while it is under way.
    private let isCounted: Bool
    /// The effect of which it is a part.
    let parent: EffectTask?
    /// Whether it may be revoked without its parent.
    private let isRevokedAlone: Bool
    private let observation: EffectObservation?
    private let phase = EffectPhase()
    private var ended: Ended?
    /// Touched while the lock of the registry is held.
    var place = EffectPlace()
    /// What begins it when its turn has come. Set while the lock of the registry is held, and taken by the one who
    /// takes it out of its row.
    var later: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - traits: Those of the effect, with the token of the element it is started for.
    ///   - enclosing: What all that it dispatches belongs to, besides its own run: that of a plugin, say. Of a part it
    ///     is the run of the whole.
    ///   - isRevokedAlone: Whether it may be cancelled without its parent, though it has no token.
    ///   - binding: Of the copy of the middleware that starts it; nil outside of a store, and for parts.
    ///   - ended: Called once, when it has ended and its cancel handlers have run.
    @usableFromInline
    init(
        _ traits: consuming EffectTraits,
        origin: consuming EffectOrigin,
        inside enclosing: EffectRun? = nil,
        parent: EffectTask? = nil,
        isRevokedAlone: Bool = false,
        binding: EffectBinding? = nil,
        ended: (@Sendable (_ wasCancelled: Bool) -> Void)? = nil
    ) {
        // A part without a token is revoked with the whole and never alone; what is over at once is never revoked.
        hasToken = traits.tag?.isToken == true
        isImmediate = traits.isImmediate
        self.isRevokedAlone = isRevokedAlone || hasToken || (parent == nil && !isImmediate)
        isCounted = hasToken || (parent == nil && traits.isCounted)
        observation = isCounted ? EffectObservation.make(origin.registry, binding) : nil
        tag = traits.tag
        self.origin = origin
        self.parent = parent
        self.ended = ended
        // Inside of the run of the whole, so that to revoke that revokes what ended parts have sent.
        super.init(inside: parent == nil ? enclosing : parent?.run)
    }

    var token: EffectTag? { hasToken ? tag : nil }

    var policy: EffectPolicy { tag?.policy ?? .replace }

    var label: EffectLabel { EffectLabel(token: tag?.token, name: tag?.name, elements: origin.scope.ids) }

    /// The action that it answers.
    @usableFromInline var cause: ActionCause { origin.cause }

    /// What its actions carry, so that a store drops those that wait when it is cancelled.
    @usableFromInline var run: EffectRun? { isRevokedAlone ? self : enclosing }

    /// The same for actions that a bounded store is to take in any case: of those there are few, or they have waited
    /// for room. What has no run is sent by the pipeline, and taken anyway.
    @usableFromInline var exemptRun: EffectRun? {
        guard origin.isBounded, let run else { return run }
        return EffectRun(inside: run, isExempt: true)
    }

    /// Whether it is over when it was started, and nobody has to find it meanwhile.
    var isOverAtOnce: Bool { isImmediate && !isRevokedAlone }

    func isPart(of whole: EffectTask) -> Bool {
        guard let parent else { return false }
        return parent === whole || parent.isPart(of: whole)
    }

    /// Whether it or an effect that it is a part of has this token.
    func hasToken(_ token: EffectTag) -> Bool {
        self.token == token || parent?.hasToken(token) == true
    }

    @usableFromInline var isActive: Bool { phase.isActive }

    @usableFromInline var isCancelled: Bool { phase.isCancelled }

    /// Tells of its beginning; false if it has ended, and is not to begin.
    @usableFromInline
    func begins() -> Bool {
        guard isActive else { return false }
        if isRevoked {
            // Somebody is about to cancel it, and may not have come to it yet.
            cancel()
            return false
        }
        return observation?.began(label, cause) ?? true
    }

    /// Ends it, unless it has ended.
    @usableFromInline
    func complete() {
        if phase.complete() { end(wasCancelled: false) }
    }

    /// Ends it, unless it has ended; its actions that wait are revoked in any case.
    func cancel() {
        revoke()
        if phase.cancel() { end(wasCancelled: true) }
    }

    /// Calls `handler` when it is cancelled, at once if it was; never if it completed.
    @usableFromInline
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        phase.onCancel(handler)
    }

    /// Called by the one who ended it. A sink that somebody keeps holds nothing of it any more.
    private func end(wasCancelled: Bool) {
        observation?.ended(wasCancelled: wasCancelled)
        if isCounted { origin.registry?.ended(self, wasCancelled: wasCancelled) }
        guard let ended else { return }
        self.ended = nil
        ended(wasCancelled)
    }

    /// It cannot be started.
    @usableFromInline
    func cannotStart() -> Bool {
        let ended = ended
        self.ended = nil
        ended?(false)
        return false
    }
}

extension EffectTask {
    /// Starts it, as its policy wants it.
    ///
    /// - Parameters:
    ///   - now: Its body.
    ///   - later: Makes what begins it, if it has to wait.
    /// - Returns: Whether it could be started.
    @usableFromInline
    func start(now: () -> Void, later: () -> @Sendable () -> Void) -> Bool {
        // What never starts replaces nothing. What is over at once runs in the run of the whole.
        if parent?.isCancelled == true {
            cancel()
            return true
        }
        if isOverAtOnce {
            if begins() { now() }
            return true
        }
        return startAmongOthers(now: now, later: later)
    }

    private func startAmongOthers(now: () -> Void, later: () -> @Sendable () -> Void) -> Bool {
        var older: [EffectTask] = []
        let registry = isCounted ? origin.registry : nil
        switch registry?.add(self, later: later) ?? .begins(replacing: []) {
        case .begins(let replaced):
            older = replaced
        case .waits:
            parent?.onCancel { self.cancel() }
            return true
        case .dismissed(let isRefused):
            if isRefused { origin.registry?.options.onRefusal?(label) }
            return cannotStart()
        }
        // Now that it is in the registry, from which its end removes it: the whole may be cancelled by now.
        parent?.onCancel { self.cancel() }
        if begins() { now() }
        // Also of one that did not begin: its place is free.
        if hasToken, policy.limit != nil { registry?.bodyReturned(self) }
        // Also by one that did not begin: it was let in, and those that waited are out of their lane. But a whole is
        // not replaced by its part.
        for other in older where !isPart(of: other) { other.cancel() }
        return true
    }
}
