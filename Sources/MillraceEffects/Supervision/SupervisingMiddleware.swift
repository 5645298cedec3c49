// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware that keeps long-lived effects exactly as the state asks: started, stopped, and started anew when their
/// definition changes.
///
/// ```swift
/// let rooms = EffectMiddleware<AppAction, AppAction, AppState, World>.supervise(by: \.rooms) { rooms in
///     rooms.map { room in
///         SupervisedEffect(room.id, definition: room.server, .stream { $0.dependencies.messages(room) })
///     }
/// }
/// let middleware = rooms.inject(World())
/// ```
///
/// After the reducers of each action it reads the state. Where the part that `by` selects is equal to what it was, that
/// is all. Otherwise it asks which effects there should be: those that are not asked for any more are cancelled; then
/// those that are new begin, and those whose definition has changed, each before the old one of its key is cancelled.
///
/// **Behind a gate** (`MillraceGated`) that closes with `.cancel` the effects end, and those that the state then asks
/// for begin with the first action that it sees after the gate has opened: all of them, once, as at the beginning. An
/// action that reaches it while the gate is closed, such as the one that closed it, begins nothing. With the other
/// policies they go on, and what the state asks for meanwhile comes with that action. If anything but a gate
/// uses ``effectCanceller``, the effects begin anew with the next action. After ``cancelAll()`` they do not.
///
/// **Ends.** An effect that ends by itself, is cancelled from outside or refused for want of capacity is not begun
/// again until the state no longer asks for it and then does, or defines it otherwise. For one that should survive
/// errors see ``RetryPolicy``.
///
/// **Where.** It sees what the state asks only after an action that reaches it: lift its output actions and its state,
/// and leave it the input actions of the store. To supervise the elements of a collection let it have the collection,
/// and use their ids as keys: `liftToCollection` would make it see one element at a time. Two stores that share one
/// share its keys: give each its own.
///
/// **Threads.** `by` and the closure run on the pipeline's thread. What cancels and ``figures`` are for any thread.
///
/// **Life.** As with ``EffectMiddleware``: a value whose copies share what runs. The end of a store cancels what that
/// store has started; releasing the last copy cancels all.
///
/// **Cost.** While the part stays equal: reading the state, selecting the part and comparing it; no allocation. An
/// array or a dictionary that nobody touched is compared in constant time. When the part has changed the closure makes
/// every effect anew, some allocations each, though only those that are new begin. With many keys use `each:`, which asks
/// for the effects of new keys only: the others cost a comparison each, and no allocation.
public struct SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>: MiddlewareProtocol,
    Sendable
{
    /// Looks at the state, and keeps the effects.
    @usableFromInline typealias Look = @Sendable (StateType, AnyActionHandler<OutputActionType>) -> Void

    @usableFromInline let owner: EffectOwner
    @usableFromInline let interruptions: Interruptions
    @usableFromInline let makeLook: @Sendable (EffectBinding?, SeenInterruptions) -> Look
    /// Made when a store took the middleware.
    @usableFromInline var look: Look?
    /// Of the store that took it, or of those outside of one.
    @usableFromInline var seen: SeenInterruptions
    /// For those outside of a store.
    @usableFromInline let looseLook: Look

    /// A middleware whose effects are given these dependencies.
    ///
    /// - Parameters:
    ///   - part: All of the state that `wanted` looks at, compared by `==`.
    ///   - wanted: The effects that there should be.
    @preconcurrency
    @inlinable
    public init<Part: Equatable>(
        dependencies: Dependencies,
        options: EffectOptions = EffectOptions(),
        by part: @escaping @Sendable (StateType) -> Part,
        _ wanted: @escaping @Sendable (Part) -> [SupervisedEffect<Dependencies, OutputActionType>]
    ) {
        let owner = EffectOwner(options)
        let start = EffectStart<Dependencies, OutputActionType>(owner, dependencies)
        // Unchecked: it captures what is Sendable, and a type whose conformance might be isolated to an actor.
        let makeLook = Unchecked<(EffectBinding?, SeenInterruptions) -> Look> { binding, interruptions in
            let seen = Seen<Part, EffectTag, AnyHashable, Dependencies, OutputActionType>(
                Supervisor(start, binding, interruptions)
            )
            let look = Unchecked<(StateType, AnyActionHandler<OutputActionType>) -> Void> { state, output in
                let now = part(state)
                if seen.isNew(now) { seen.keep(wanted(now), output) }
            }
            return { look.value($0, $1) }
        }
        self.init(owner, makeLook)
    }

    @inlinable
    init(_ owner: EffectOwner, _ makeLook: Unchecked<(EffectBinding?, SeenInterruptions) -> Look>) {
        interruptions = Interruptions()
        seen = SeenInterruptions(interruptions)
        self.owner = owner
        self.makeLook = { makeLook.value($0, $1) }
        looseLook = makeLook.value(nil, seen)
    }

    /// How many effects are at work.
    public var runningEffects: Int { figures.running }

    /// What has become of its effects.
    public var figures: EffectFigures { owner.registry.figures }

    /// Cancels every effect it has under way; they do not begin again until the state asks anew.
    public func cancelAll() {
        owner.registry.cancelAll()
    }

    /// In a store nothing, as everything is done in `afterReduce`; outside of one, that as work.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        if look == nil {
            return IO { [looseLook, seen] output in
                seen.note()
                if MiddlewareRegistry.areGatesOpen?() != false { looseLook(state(), output) }
            }
        }
        seen.note()
        return .pure()
    }

    /// Whether a store took it.
    @inlinable
    public var hasAfterReduce: Bool { look != nil }

    /// Looks at the state.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        look?(state(), output)
    }

    /// From now on it belongs to a store.
    public mutating func bind(to state: @escaping GetState<StateType>) {
        bind()
    }

    /// From now on it belongs to a store that lifts it to elements, and sees the state of one at a time.
    public mutating func bindWithoutState() {
        bind()
    }

    private mutating func bind() {
        seen = SeenInterruptions(interruptions)
        let look = makeLook(EffectBinding([owner.registry]), seen)
        // While a gate is closed nothing is begun that would be cancelled at once; nothing is noted of the state either,
        // so that the first look afterwards finds what has changed.
        if let areOpen = MiddlewareRegistry.areGatesOpen {
            self.look = { if areOpen() { look($0, $1) } }
        } else {
            self.look = look
        }
    }

    /// Cancels every effect it has under way, as long as the middleware is there. What the state asks for begins anew
    /// with the next action that it sees.
    public var effectCanceller: EffectCanceller {
        EffectCanceller { [registry = owner.registry, interruptions] in
            registry.cancelAll()
            interruptions.add()
        }
    }
}
