// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// One effect under way, all in one object: the run that its actions carry, its phase, the closure to call when it
/// ends, and its place in the registry.
///
/// It ends once, by completing or by being cancelled, whichever comes first, on any thread.
@usableFromInline
final class EffectTask: EffectRun, @unchecked Sendable {
    // Unchecked because only `init` and the thread that ends the effect touch `ended`; `place` and `later` name their
    // guard.
    typealias Ended = @Sendable (_ wasCancelled: Bool) -> Void

    let origin: EffectOrigin
    private let tag: EffectTag?
    private let hasToken: Bool
    private let isImmediate: Bool
    /// Whether the effect counts in the figures of the registry, and is in its lists while it is under way.
    private let isCounted: Bool
    /// The effect of which this one is a part.
    let parent: EffectTask?
    /// Whether the effect may be revoked without its parent.
    private let isRevokedAlone: Bool
    private let observation: EffectObservation?
    /// What the effect has to do with the journal; nil in a store without one, and if it need not wait.
    let holding: EffectHolding?
    /// Whether ``key`` is not nil.
    @usableFromInline let hasKey: Bool
    private let phase = EffectPhase()
    private var ended: Ended?
    /// Touched while the lock of the registry is held.
    var place = EffectPlace()
    /// Begins an effect that had to wait. Set while the lock of the registry is held; cleared by the thread that takes
    /// the effect out of its row.
    var later: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - traits: The traits of the effect, with the token limited to the element that it is started for.
    ///   - enclosing: The run to which all its actions belong besides its own run, that of a plugin for instance. For
    ///     a part it is the run of the whole.
    ///   - isRevokedAlone: Whether the effect may be cancelled without its parent, although it has no token.
    ///   - binding: The binding of the middleware's copy that starts the effect; nil outside of a store, and for parts.
    ///   - ended: Called once, when the effect has ended and its cancel handlers have run.
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
        hasToken = traits.tag?.isToken == true
        isImmediate = traits.isImmediate
        isCounted = hasToken || (parent == nil && traits.isCounted)
        observation = isCounted ? EffectObservation.make(origin.registry, binding) : nil
        let mayWait = parent == nil ? binding?.hasJournal == true : parent?.holding != nil
        let holding = mayWait ? EffectHolding.make(traits, parent, binding) : nil
        self.holding = holding
        hasKey = parent == nil ? mayWait && holding?.receipt != nil : parent?.hasKey == true
        // A part without a token is revoked with the whole and never alone. An effect that is over at once is never
        // revoked; but one that waits for the journal is not over.
        self.isRevokedAlone = isRevokedAlone || hasToken || (parent == nil && (!isImmediate || holding != nil))
        tag = traits.tag
        self.origin = origin
        self.parent = parent
        self.ended = ended
        // This run lies inside the run of the whole. So revoking the whole also revokes what ended parts have sent.
        super.init(inside: parent == nil ? enclosing : parent?.run)
    }

    /// Creates the effect that answers an action. The parts of the origin come one by one, because the origin would be
    /// copied on its way here.
    @usableFromInline
    convenience init(
        _ traits: consuming EffectTraits,
        in registry: EffectRegistry,
        scope: EffectScope,
        cause: ActionCause,
        isBounded: Bool,
        inside enclosing: EffectRun?,
        binding: EffectBinding?
    ) {
        self.init(
            traits,
            // Not a variable, which would be copied.
            origin: EffectOrigin(
                registry: registry,
                scope: scope,
                binding: binding.map { ObjectIdentifier($0) },
                cause: cause,
                isBounded: isBounded
            ),
            inside: enclosing,
            binding: binding
        )
    }

    var token: EffectTag? { hasToken ? tag : nil }

    /// Whether the effect has a place under a limit of its token.
    private var hasPlace: Bool { hasToken && policy.limit != nil }

    /// Whether the beginning waits for a journal, too. Then ``HeldStart`` tells that the body has returned.
    var isHeld: Bool { holding?.hold != nil }

    var policy: EffectPolicy { tag?.policy ?? .replace }

    /// What the body may use to recognise that it runs again; nil without a journal that begins effects again.
    var key: EffectKey? {
        if let parent { return parent.key }
        return holding?.receipt.map(EffectKey.init)
    }

    var label: EffectLabel { EffectLabel(token: tag?.token, name: tag?.name, elements: origin.scope.ids) }

    /// The action that the effect answers.
    @usableFromInline var cause: ActionCause { origin.cause }

    /// The run that its actions carry, so that a store removes the waiting ones from the queue when the effect is
    /// cancelled.
    @usableFromInline var run: EffectRun? { isRevokedAlone ? self : enclosing }

    /// The run for actions to which the capacity of a bounded store does not apply. They are few, or have waited for
    /// room. An action without a run is sent by the pipeline, and accepted anyway.
    @usableFromInline var runBeyondCapacity: EffectRun? {
        guard origin.isBounded, let run else { return run }
        return EffectRun(inside: run, isBeyondCapacity: true)
    }

    /// Whether the effect is over when its start returns, and nothing has to find it meanwhile.
    var isOverAtOnce: Bool { isImmediate && !isRevokedAlone }

    func isPart(of whole: EffectTask) -> Bool {
        guard let parent else { return false }
        return parent === whole || parent.isPart(of: whole)
    }

    /// Whether the effect, or an effect that it is a part of, has this token.
    func hasToken(_ token: EffectTag) -> Bool {
        self.token == token || parent?.hasToken(token) == true
    }

    @usableFromInline var isActive: Bool { phase.isActive }

    @usableFromInline var isCancelled: Bool { phase.isCancelled }

    /// Reports the beginning. Returns false if the effect has ended and must not begin.
    @usableFromInline
    func begins() -> Bool {
        guard isActive else { return false }
        if isRevoked {
            // Another thread is cancelling this effect, and may not have reached it yet.
            cancel()
            return false
        }
        return observation?.began(label, cause) ?? true
    }

    /// Completes the effect, unless it has ended.
    @usableFromInline
    func complete() {
        if phase.complete() { end(wasCancelled: false) }
    }

    /// Cancels the effect, unless it has ended. Its waiting actions are revoked in any case.
    func cancel() {
        #if MILLRACE_PLANTED
            if Planted.has(.cancelMissesWaiting) {
                if phase.cancel() { end(wasCancelled: true) }
                return
            }
        #endif
        revoke()
        if phase.cancel() { end(wasCancelled: true) }
    }

    /// Calls `handler` when the effect is cancelled: at once if it was cancelled before, never if it has completed.
    @usableFromInline
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        phase.onCancel(handler)
    }

    /// Called by the thread that ended the effect. Releases `ended`: a sink that is kept longer must not keep its
    /// captures.
    private func end(wasCancelled: Bool) {
        observation?.ended(wasCancelled: wasCancelled)
        if isCounted { origin.registry?.ended(self, wasCancelled: wasCancelled) }
        holding?.receipt?.end(wasCancelled: wasCancelled, wasImmediate: isImmediate)
        guard let ended else { return }
        self.ended = nil
        ended(wasCancelled)
    }

    /// Ends an effect that cannot be started. Returns false.
    @usableFromInline
    func cannotStart() -> Bool {
        holding?.receipt?.end(wasCancelled: true, wasImmediate: true)
        let ended = ended
        self.ended = nil
        ended?(false)
        return false
    }
}

extension EffectTask {
    /// Starts the effect as its policy requires.
    ///
    /// - Parameters:
    ///   - now: The body of the effect.
    ///   - later: Makes the closure that begins the effect, if it has to wait.
    /// - Returns: Whether the effect could be started.
    @usableFromInline
    func start(now: () -> Void, later: () -> @Sendable () -> Void) -> Bool {
        // An effect that never starts replaces no other. An effect that is over at once sends in the run of the whole.
        if parent?.isCancelled == true {
            cancel()
            return true
        }
        if isOverAtOnce {
            if let hold = holding?.hold {
                // A part: it is cancelled with the whole.
                keep(hold, later())
            } else if begins() {
                now()
            }
            return true
        }
        return startAmongOthers(now: now, later: later)
    }

    /// Calls `begin` once the action of the effect is durable.
    private func keep(
        _ hold: EffectHolding.Hold,
        _ begin: @escaping @Sendable () -> Void
    ) {
        if !hold(begin) { begin() }
    }

    private func startAmongOthers(now: () -> Void, later: () -> @Sendable () -> Void) -> Bool {
        if let holding { return startHeld(holding, now: now, later: later) }
        var older: [EffectTask] = []
        let registry = isCounted ? origin.registry : nil
        switch registry?.add(self, later: later) ?? .begins(replacing: []) {
        case .begins(let replaced): older = replaced
        case .waits:
            parent?.onCancel { self.cancel() }
            return true
        case .dismissed(let isRefused): return dismissed(isRefused)
        }
        // Not earlier, as the whole may already be cancelled: then this effect ends here, and its end must find it in
        // the registry.
        parent?.onCancel { self.cancel() }
        if begins() { now() }
        // Also if the effect did not begin: its place is free.
        if hasPlace { registry?.bodyReturned(self) }
        cancelOlder(older)
        return true
    }

    private func dismissed(_ isRefused: Bool) -> Bool {
        if isRefused { origin.registry?.options.onRefusal?(label) }
        return cannotStart()
    }

    /// Also if the effect did not begin: it was admitted, and the waiting ones have left their lane. But a part does not
    /// replace its whole.
    private func cancelOlder(_ older: [EffectTask]) {
        for other in older where !isPart(of: other) { other.cancel() }
    }

    /// The same in a store with a journal. Out of line, because most stores have none.
    @inline(never)
    private func startHeld(_ holding: EffectHolding, now: () -> Void, later: () -> @Sendable () -> Void) -> Bool {
        var older: [EffectTask] = []
        let registry = isCounted ? origin.registry : nil
        let hold = holding.hold
        // It replaces and cancels others all the same: these may not have ended before the crash.
        let hadEnded = holding.receipt?.hasEnded == true
        let waiting = hold.map { _ in
            HeldStart(later(), returned: { if self.hasPlace { registry?.bodyReturned(self) } })
        }
        switch registry?.add(self, later: { waiting?.arrive ?? later() }) ?? .begins(replacing: []) {
        case .begins(let replaced):
            older = replaced
        case .waits:
            parent?.onCancel { self.cancel() }
            if hadEnded {
                complete()
            } else if let hold, let waiting {
                keep(hold, waiting.arrive)
            }
            return true
        case .dismissed(let isRefused): return dismissed(isRefused)
        }
        // Not earlier, for the same reason.
        parent?.onCancel { self.cancel() }
        if hadEnded {
            complete()
            if hasPlace { registry?.bodyReturned(self) }
        } else if let hold, let waiting {
            keep(hold, waiting.begin)
        } else {
            if begins() { now() }
            // Also if the effect did not begin: its place is free.
            if hasPlace { registry?.bodyReturned(self) }
        }
        cancelOlder(older)
        return true
    }
}
