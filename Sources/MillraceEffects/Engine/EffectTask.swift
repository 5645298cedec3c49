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
    @usableFromInline let isRevokedAlone: Bool
    private let observation: EffectObservation?
    /// What the effect has to do with the journal; nil in a store without one, and if it need not wait.
    let holding: EffectHolding?
    /// Whether ``key`` is not nil.
    @usableFromInline let hasKey: Bool
    /// Whether the beginning has to do with a journal. Such an effect is started by ``startHeld(now:later:)``.
    @usableFromInline let hasHolding: Bool
    private let phase = EffectPhase()
    @exclusivity(unchecked) private var ended: Ended?
    /// Touched while the lock of the registry is held.
    @exclusivity(unchecked) var place = EffectPlace()
    let stay = EffectStay()
    /// Begins an effect that had to wait. Set while the lock of the registry is held; cleared by the thread that takes
    /// the effect out of its row.
    @exclusivity(unchecked) var later: (@Sendable () -> Void)?

    private init(
        _ tag: EffectTag?,
        _ flags: EffectFlags,
        _ origin: consuming EffectOrigin,
        inside enclosing: EffectRun?,
        parent: EffectTask?,
        isCounted: Bool,
        isRevokedAlone: Bool,
        _ observation: EffectObservation?,
        _ holding: EffectHolding?,
        hasKey: Bool,
        ended: Ended?
    ) {
        hasToken = tag?.isToken == true
        isImmediate = flags.isImmediate
        self.isCounted = isCounted
        self.observation = observation
        self.holding = holding
        self.hasKey = hasKey
        hasHolding = hasKey || holding != nil
        self.isRevokedAlone = isRevokedAlone
        self.tag = tag
        self.origin = origin
        self.parent = parent
        self.ended = ended
        super.init(inside: enclosing)
    }

    /// Creates an effect. Not an initialiser: that would own its arguments, so its caller would retain all of them.
    ///
    /// - Parameters:
    ///   - tag: The tag. Its token becomes one of the element that the effect is started for.
    ///   - enclosing: The run to which all its actions belong besides its own run, that of a plugin for instance. For
    ///     a part it is the run of the whole.
    ///   - isRevokedAlone: Whether the effect may be cancelled without its parent, although it has no token.
    ///   - binding: The binding of the middleware's copy that starts the effect; nil outside of a store, and for parts.
    ///   - ended: Called once, when the effect has ended and its cancel handlers have run.
    @inline(__always)
    static func make(
        _ tag: EffectTag?,
        _ flags: EffectFlags,
        origin: consuming EffectOrigin,
        inside enclosing: EffectRun? = nil,
        parent: EffectTask? = nil,
        isRevokedAlone: Bool = false,
        binding: Unmanaged<EffectBinding>? = nil,
        ended: (@Sendable (_ wasCancelled: Bool) -> Void)? = nil
    ) -> EffectTask {
        let tag = origin.scope.isEmpty ? tag : tag?.inside(origin.scope)
        let hasToken = tag?.isToken == true
        let isCounted = hasToken || (parent == nil && flags.isCounted)
        let hasJournal = binding?._withUnsafeGuaranteedRef { $0.hasJournal } == true
        let mayWait = parent == nil ? hasJournal : parent?.holding != nil
        let holding =
            mayWait ? EffectHolding.make(EffectTraits(tag, flags), parent, binding?.takeUnretainedValue()) : nil
        let observation = isCounted ? EffectObservation.make(origin.registry, binding) : nil
        return EffectTask(
            tag,
            flags,
            origin,
            // This run lies inside the run of the whole. So revoking the whole also revokes what ended parts have sent.
            inside: parent == nil ? enclosing : parent?.run,
            parent: parent,
            isCounted: isCounted,
            // A part without a token is revoked with the whole and never alone. An effect that is over at once is never
            // revoked; but one that waits for the journal is not over.
            isRevokedAlone: isRevokedAlone || hasToken || (parent == nil && (!flags.isImmediate || holding != nil)),
            observation,
            holding,
            hasKey: parent == nil ? mayWait && holding?.receipt != nil : parent?.hasKey == true,
            ended: ended
        )
    }

    /// Creates the effect that answers an action. The parts of the origin come one by one, because the origin would be
    /// copied on its way here.
    @usableFromInline
    static func answering(
        _ tag: EffectTag?,
        _ flags: EffectFlags,
        in registry: EffectRegistry,
        scope: EffectScope,
        cause: ActionCause,
        isBounded: Bool,
        inside enclosing: Unmanaged<EffectRun>?,
        binding: Unmanaged<EffectBinding>?,
        ended: (@Sendable (_ wasCancelled: Bool) -> Void)? = nil
    ) -> EffectTask {
        make(
            tag,
            flags,
            // Not a variable, which would be copied.
            origin: EffectOrigin(
                registry: registry,
                scope: scope,
                binding: binding.map { $0._withUnsafeGuaranteedRef { ObjectIdentifier($0) } },
                cause: cause,
                isBounded: isBounded
            ),
            inside: enclosing?.takeUnretainedValue(),
            binding: binding,
            ended: ended
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

    /// Ends an effect that cannot be started.
    @usableFromInline
    func cannotStart() {
        holding?.receipt?.end(wasCancelled: true, wasImmediate: true)
        let ended = ended
        self.ended = nil
        ended?(false)
    }
}

extension EffectTask {
    /// Whether the effect may have to wait for others, or has to do with a journal.
    @usableFromInline var mayWait: Bool { hasHolding || hasPlace }

    /// Starts an effect that need not wait. See ``enter(later:)``.
    @usableFromInline
    func enter() -> EffectEntry {
        enter { { preconditionFailure("an effect waits that has no limit") } }
    }

    /// Starts the effect as its policy requires, up to the call of its body. An effect that never starts replaces no other.
    ///
    /// - Parameter later: Makes the closure that begins the effect, if it has to wait.
    /// - Returns: Whether the body is to be called now. Then ``bodyReturned(_:)`` has to be called after it.
    @usableFromInline
    func enter(later: () -> @Sendable () -> Void) -> EffectEntry {
        if parent?.isCancelled == true {
            cancel()
            return .started
        }
        // Sends in the run of the whole.
        if isOverAtOnce { return begins() ? .begins : .started }
        return enterAmongOthers(later)
    }

    private func enterAmongOthers(_ later: () -> @Sendable () -> Void) -> EffectEntry {
        var older: [EffectTask]?
        let admission = isCounted ? origin.registry?.add(self, later: later) : nil
        switch admission ?? .begins(replacing: nil) {
        case .begins(let replaced): older = replaced
        case .waits:
            parent?.onCancel { self.cancel() }
            return .started
        case .dismissed(let isRefused):
            dismiss(isRefused)
            return .dismissed
        }
        // Not earlier, as the whole may already be cancelled: then this effect ends here, and its end must find it in
        // the registry.
        parent?.onCancel { self.cancel() }
        let entry = EffectEntry(begins: true, isAmongOthers: hasPlace || older != nil, older)
        if begins() { return entry }
        // Its place is free. It was admitted, and the waiting ones have left their lane.
        bodyReturned(entry)
        return .started
    }

    /// The body has returned, or was not called.
    @usableFromInline
    func bodyReturned(_ entry: EffectEntry) {
        guard entry.isAmongOthers else { return }
        if hasPlace { origin.registry?.bodyReturned(self) }
        cancelOlder(entry.older)
    }

    private func dismiss(_ isRefused: Bool) {
        if isRefused { origin.registry?.options.onRefusal?(label) }
        cannotStart()
    }

    /// A part does not replace its whole.
    private func cancelOlder(_ older: [EffectTask]?) {
        guard let older else { return }
        for other in older where !isPart(of: other) { other.cancel() }
    }

    /// Calls `begin` once the action of the effect is durable.
    private func keep(
        _ hold: EffectHolding.Hold,
        _ begin: @escaping @Sendable () -> Void
    ) {
        if !hold(begin) { begin() }
    }

    /// Starts the effect in a store with a journal.
    ///
    /// - Parameters:
    ///   - now: The body of the effect.
    ///   - later: Makes the closure that begins the effect, if it has to wait.
    /// - Returns: Whether the effect could be started.
    @usableFromInline
    func startHeld(now: () -> Void, later: () -> @Sendable () -> Void) -> Bool {
        if let holding {
            if parent?.isCancelled == true {
                cancel()
                return true
            }
            if !isOverAtOnce { return startHeld(holding, now: now, later: later) }
            if let hold = holding.hold {
                // A part: it is cancelled with the whole.
                keep(hold, later())
                return true
            }
        }
        let entry = enter(later: later)
        if entry.begins {
            now()
            bodyReturned(entry)
        }
        return entry.isStarted
    }

    private func startHeld(_ holding: EffectHolding, now: () -> Void, later: () -> @Sendable () -> Void) -> Bool {
        let registry = isCounted ? origin.registry : nil
        let hold = holding.hold
        // It replaces and cancels others all the same: these may not have ended before the crash.
        let hadEnded = holding.receipt?.hasEnded == true
        let waiting = hold.map { _ in
            HeldStart(later(), returned: { if self.hasPlace { registry?.bodyReturned(self) } })
        }
        var older: [EffectTask]?
        switch registry?.add(self, later: { waiting?.arrive ?? later() }) ?? .begins(replacing: nil) {
        case .begins(let replaced): older = replaced
        case .waits:
            parent?.onCancel { self.cancel() }
            if hadEnded {
                complete()
            } else if let hold, let waiting {
                keep(hold, waiting.arrive)
            }
            return true
        case .dismissed(let isRefused):
            dismiss(isRefused)
            return false
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
