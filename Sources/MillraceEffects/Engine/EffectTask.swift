// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// One effect, all in one object: the run that its actions carry, its phase, the closure to call when it ends, and its
/// place in the registry.
///
/// It ends once, on any thread: it completes or it is cancelled, whichever comes first. If it cannot be started, it
/// does not end: its phase stays active, and its body is never called.
@usableFromInline
final class EffectTask: EffectRun, @unchecked Sendable {
    // Unchecked because of `ended`, `place` and `later`, which name the threads that touch them.
    typealias Ended = @Sendable (_ wasCancelled: Bool) -> Void

    let origin: EffectOrigin
    private let tag: EffectTag?
    private let hasToken: Bool
    let isImmediate: Bool
    /// Whether the figures of the registry count the effect. The registry also lists it until it ends, unless it is
    /// over at once.
    private let isCounted: Bool
    /// The effect of which this one is a part; nil if it is no part.
    let whole: EffectTask?
    /// Whether the effect can be revoked by itself, so that its actions carry its own run. The actions of other effects
    /// carry the run that encloses it.
    @usableFromInline let isRevokedAlone: Bool
    /// Whether the code that has started this part cancels it when the whole is cancelled. A whole that starts a part
    /// for each of many values would otherwise keep a handler, and with it the part, for each of them.
    private let isEndedByOwner: Bool
    private let observation: EffectObservation?
    /// The wait for the journal, of the effect or of its parts, and the receipt. Nil if the store has no journal, and
    /// if there is neither.
    let holding: EffectHolding?
    /// Whether ``key`` is not nil.
    @usableFromInline let hasKey: Bool
    /// Whether ``key`` or ``holding`` is not nil. Such an effect is started by ``startHeld(now:later:)``.
    @usableFromInline let hasHolding: Bool
    private let phase = EffectPhase()
    /// Touched by the thread that ends the effect, or that finds that it cannot start.
    @exclusivity(unchecked) private var ended: Ended?
    /// Touched while the lock of the registry is held.
    @exclusivity(unchecked) var place = EffectPlace()
    let stay = EffectStay()
    /// Begins an effect that had to wait for others. Set while the lock of the registry is held; cleared by the thread
    /// that takes the effect out of the row of waiting effects.
    @exclusivity(unchecked) var later: DeferredStart?

    private init(
        _ tag: EffectTag?,
        _ flags: EffectFlags,
        _ origin: consuming EffectOrigin,
        inside enclosing: EffectRun?,
        whole: EffectTask?,
        isCounted: Bool,
        isRevokedAlone: Bool,
        isEndedByOwner: Bool,
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
        self.isEndedByOwner = isEndedByOwner
        self.tag = tag
        self.origin = origin
        self.whole = whole
        self.ended = ended
        super.init(inside: enclosing)
    }

    /// Creates an effect. This is no initialiser, because an initialiser owns its arguments: the caller would retain
    /// all of them.
    ///
    /// - Parameters:
    ///   - tag: The tag of the effect as its author made it. The token of the new effect belongs to the elements of
    ///     `origin`.
    ///   - enclosing: The run that encloses the run of the effect, for instance that of a plugin. A part ignores it:
    ///     the run that encloses it is the one that the actions of the whole carry.
    ///   - isRevokedAlone: Whether a part can be revoked without the whole, even if the part has no token.
    ///   - binding: The binding of the middleware's copy that starts the effect; nil outside of a store, and for parts.
    ///   - ended: Called once: when the effect has ended and its cancel handlers have run, or when it cannot be
    ///     started.
    @inline(__always)
    static func make(
        _ tag: EffectTag?,
        _ flags: EffectFlags,
        origin: consuming EffectOrigin,
        inside enclosing: EffectRun? = nil,
        whole: EffectTask? = nil,
        isRevokedAlone: Bool = false,
        isEndedByOwner: Bool = false,
        binding: Unmanaged<EffectBinding>? = nil,
        ended: (@Sendable (_ wasCancelled: Bool) -> Void)? = nil
    ) -> EffectTask {
        let tag = origin.scope.isEmpty ? tag : tag?.inside(origin.scope)
        let hasToken = tag?.isToken == true
        let isCounted = hasToken || (whole == nil && flags.isCounted)
        let hasJournal = binding?._withUnsafeGuaranteedRef { $0.hasJournal } == true
        let mayWait = whole == nil ? hasJournal : whole?.holding != nil
        let holding =
            mayWait ? EffectHolding.make(EffectTraits(tag, flags), whole, binding?.takeUnretainedValue()) : nil
        let observation = isCounted ? EffectObservation.make(origin.registry, binding) : nil
        return EffectTask(
            tag,
            flags,
            origin,
            // Inside the run of the whole: revoking the whole also revokes the actions of parts that have ended.
            inside: whole == nil ? enclosing : whole?.run,
            whole: whole,
            isCounted: isCounted,
            // A part without a token is revoked with the whole only, unless the caller can cancel it. An immediate
            // effect without a token ends before any code can revoke it, unless it waits for the journal.
            isRevokedAlone: isRevokedAlone || hasToken || (whole == nil && (!flags.isImmediate || holding != nil)),
            isEndedByOwner: isEndedByOwner,
            observation,
            holding,
            hasKey: whole == nil ? mayWait && holding?.receipt != nil : whole?.hasKey == true,
            ended: ended
        )
    }

    /// Creates the effect that answers an action. The arguments are those of `EffectOrigin`, because an origin as an
    /// argument would be copied.
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

    /// Whether the policy of the effect limits the effects of its token.
    private var hasPlace: Bool { hasToken && policy.limit != nil }

    /// Whether the body waits for the journal. Then ``HeldStart`` calls `bodyReturned` after the body.
    var isHeld: Bool { holding?.hold != nil }

    var policy: EffectPolicy { tag?.policy ?? .replace }

    /// What the body may use to recognise that it runs again; nil without a journal that begins effects again.
    var key: EffectKey? {
        if let whole { return whole.key }
        return holding?.receipt.map(EffectKey.init)
    }

    var label: EffectLabel { EffectLabel(token: tag?.token, name: tag?.name, elements: origin.scope.ids) }

    /// The action that the effect answers.
    @usableFromInline var cause: ActionCause { origin.cause }

    /// The run that its actions carry, so that a store removes the waiting ones from the queue when the effect is
    /// cancelled.
    @usableFromInline var run: EffectRun? { isRevokedAlone ? self : enclosing }

    /// The run of actions to which the capacity of a bounded store does not apply: they are few, or have waited for
    /// room. Nil if the effect has no run: then the pipeline sends its actions, and a store accepts those in any case.
    @usableFromInline var runBeyondCapacity: EffectRun? {
        guard origin.isBounded, let run else { return run }
        return EffectRun(inside: run, isBeyondCapacity: true)
    }

    /// Whether the effect has ended when its start returns, and nothing can find it before that.
    var isOverAtOnce: Bool { isImmediate && !isRevokedAlone }

    func isPart(of other: EffectTask) -> Bool {
        guard let whole else { return false }
        return whole === other || whole.isPart(of: other)
    }

    /// Whether the effect, or an effect that it is a part of, has this token.
    func hasToken(_ token: EffectTag) -> Bool {
        self.token == token || whole?.hasToken(token) == true
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

    /// Cancels the effect, unless it has ended. Also revokes its run, even if the effect has ended: a store handles
    /// none of its actions that still wait.
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

    /// Called by the thread that ended the effect. Releases `ended`, because code may keep a sink, and so the effect,
    /// for longer.
    private func end(wasCancelled: Bool) {
        observation?.ended(wasCancelled: wasCancelled)
        if isCounted { origin.registry?.ended(self, wasCancelled: wasCancelled) }
        holding?.receipt?.end(wasCancelled: wasCancelled, wasImmediate: isImmediate)
        guard let ended else { return }
        self.ended = nil
        ended(wasCancelled)
    }

    /// Calls `ended` for an effect that cannot be started. Its phase does not change.
    @usableFromInline
    func cannotStart() {
        holding?.receipt?.end(wasCancelled: true, wasImmediate: true)
        let ended = ended
        self.ended = nil
        ended?(false)
    }
}

extension EffectTask {
    /// Whether the effect may have to wait, for others of its token or for the journal.
    @usableFromInline var mayWait: Bool { hasHolding || hasPlace }

    /// Starts an effect that need not wait. See ``enter(later:)``.
    @usableFromInline
    func enter() -> EffectEntry {
        enter { { preconditionFailure("an effect waits that has no limit") } }
    }

    /// Starts the effect as its policy requires, except for its body.
    ///
    /// - Parameter later: Makes the closure that begins the effect, if it has to wait.
    /// - Returns: Whether the caller has to call the body now, and ``bodyReturned(_:)`` after it.
    @usableFromInline
    func enter(later: () -> @Sendable () -> Void) -> EffectEntry {
        if whole?.isCancelled == true {
            // It replaces no other effect.
            cancel()
            return .started
        }
        if isOverAtOnce { return begins() ? .begins : .started }
        return enterAmongOthers(later)
    }

    private func enterAmongOthers(_ later: () -> @Sendable () -> Void) -> EffectEntry {
        var older: [EffectTask]?
        let admission = isCounted ? origin.registry?.add(self, later: { .body(later()) }) : nil
        switch admission ?? .begins(replacing: nil) {
        case .begins(let replaced): older = replaced
        case .waits:
            endWithWhole()
            return .started
        case .dismissed(let isRefused):
            dismiss(isRefused)
            return .dismissed
        }
        // After the effect was added: if the whole is cancelled already, this call ends the effect, which must be in
        // the registry by then.
        endWithWhole()
        let entry = EffectEntry(begins: true, isAmongOthers: hasPlace || older != nil, older)
        if begins() { return entry }
        // It was cancelled. But it has been admitted: it gives its place back, and the effects that it replaces end.
        bodyReturned(entry)
        return .started
    }

    /// Notes that the body has returned, or is not called. Cancels the effects that this one replaces.
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

    /// Cancels the effects that this one replaces: not those that it is a part of.
    private func cancelOlder(_ older: [EffectTask]?) {
        guard let older else { return }
        for other in older where !isPart(of: other) { other.cancel() }
    }

    /// Has the end of the whole cancel this part.
    private func endWithWhole() {
        if let whole, !isEndedByOwner { whole.onCancel { self.cancel() } }
    }

    /// Calls `begin` when the action of the effect is durable: now, or later by `hold`.
    private func keep(_ hold: EffectHolding.Hold, _ begin: @escaping @Sendable () -> Void) {
        if !hold(begin) { begin() }
    }

    /// Starts the effect in a store with a journal.
    ///
    /// - Parameters:
    ///   - now: The body of the effect.
    ///   - later: Makes the closure that begins the effect, if it has to wait.
    /// - Returns: False if the effect was dismissed; true if it has begun, waits, or was cancelled.
    @usableFromInline
    func startHeld(now: () -> Void, later: () -> @Sendable () -> Void) -> Bool {
        if let holding {
            if whole?.isCancelled == true {
                cancel()
                return true
            }
            if !isOverAtOnce { return startHeld(holding, now: now, later: later) }
            if let hold = holding.hold {
                // A part that nothing can find: a cancel of the whole stops it.
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
        // Whether it ended before the crash. It replaces others even so: these may not have ended then.
        let hadEnded = holding.receipt?.hasEnded == true
        let waiting = hold.map { _ in
            HeldStart(later(), returned: { if self.hasPlace { registry?.bodyReturned(self) } })
        }
        var older: [EffectTask]?
        switch registry?.add(self, later: { waiting.map(DeferredStart.held) ?? .body(later()) })
            ?? .begins(replacing: nil)
        {
        case .begins(let replaced): older = replaced
        case .waits:
            endWithWhole()
            if hadEnded {
                complete()
            } else if let hold, let waiting {
                #if MILLRACE_PLANTED
                    if Planted.has(.turnBeforeDurable) { waiting.becomeDurable() }
                #endif
                keep(hold, waiting.becomeDurable)
            }
            return true
        case .dismissed(let isRefused):
            dismiss(isRefused)
            return false
        }
        // After the effect was added, as in `enterAmongOthers`.
        endWithWhole()
        if hadEnded {
            complete()
            if hasPlace { registry?.bodyReturned(self) }
        } else if let hold, let waiting {
            keep(hold, waiting.begin)
        } else {
            if begins() { now() }
            // Also if the body was not called: the effect gives its place back.
            if hasPlace { registry?.bodyReturned(self) }
        }
        cancelOlder(older)
        return true
    }
}
