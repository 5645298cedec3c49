// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware that keeps exactly the long-lived effects that the state asks for. It starts and stops them, and
/// starts them again when their definition changes.
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
/// After the reducers of each action it reads the state. If the part that `by` selects is equal to the one before, it
/// does nothing. Otherwise it asks which effects there should be. Effects that are no longer asked for are cancelled.
/// Then new effects begin, and those whose definition has changed, each before the old effect of its key is cancelled.
///
/// **Behind a gate** (`MillraceGated`) that closes with `.cancel` the effects end. After the gate has opened, the
/// effects that the state then asks for begin with the first action that the middleware sees: all of them, once, as at
/// the beginning. An action that reaches it while the gate is closed, such as the one that closed it, begins nothing.
/// With the other policies the effects go on, and changes of the state take effect with the first action after the
/// gate has opened. If anything but a gate uses ``effectCanceller``, the effects begin again with the next action.
/// After ``cancelAll()`` they do not.
///
/// **Ends.** An effect may end by itself, be cancelled from outside, or be refused for lack of capacity. It begins
/// again only when the state no longer asks for it and later does, or when its definition changes. For an effect that
/// should survive errors see ``RetryPolicy``.
///
/// **Where.** It looks at the state only after an action that reaches it. So lift its output actions and its state,
/// but let it see all input actions of the store. To supervise the elements of a collection, give it the whole
/// collection and use the ids as keys: with `liftToCollection` it would see one element at a time. Two stores that
/// share one supervising middleware share its keys: give each store its own.
///
/// **Threads.** `by` and the closure run on the pipeline's thread. Any thread may use ``figures`` and the functions
/// that cancel.
///
/// **Life.** As with ``EffectMiddleware``, it is a value whose copies share the running effects. The end of a store
/// cancels the effects that this store has started; releasing the last copy cancels all.
///
/// **Cost.** While the part stays equal: reading the state, selecting the part and comparing it; no allocation. An
/// array or a dictionary that was not changed is compared in constant time. When the part has changed, the closure
/// makes every effect anew, with some allocations each, though only new ones begin. With many keys use `each:`, which
/// asks for the effects of new keys only: the others cost a comparison each, and no allocation.
public struct SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>: MiddlewareProtocol,
    Sendable
{
    /// Looks at the state, and starts and stops the effects.
    @usableFromInline typealias Look = @Sendable (StateType, AnyActionHandler<OutputActionType>) -> Void

    @usableFromInline let owner: EffectOwner
    @usableFromInline let interruptions: Interruptions
    @usableFromInline let makeLook: @Sendable (EffectBinding?, SeenInterruptions) -> Look
    /// Made when a store binds the middleware.
    @usableFromInline var look: Look?
    @usableFromInline var place: LivePlace<StateType>?
    /// The interruptions as the store that bound this copy sees them. Copies outside of a store share one.
    @usableFromInline var seen: SeenInterruptions
    /// The closure for copies outside of a store.
    @usableFromInline let looseLook: Look

    /// Creates a middleware whose effects are given these dependencies.
    ///
    /// - Parameters:
    ///   - dependencies: What the effects get as `context.dependencies`.
    ///   - options: The capacity, clock and priority of the effects.
    ///   - part: Everything in the state that `wanted` looks at, compared by `==`.
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
        // Unchecked: it captures Sendable values and a type. To the compiler its conformance might be isolated to an
        // actor.
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

    /// The number of effects that run now.
    public var runningEffects: Int { figures.running }

    /// The number of its effects in each state.
    public var figures: EffectFigures { owner.registry.figures }

    /// Cancels every effect that is under way. They do not begin again until the state asks for them anew.
    public func cancelAll() {
        owner.registry.cancelAll()
    }

    /// Returns an empty `IO` in a store, as `afterReduce` does everything there. Outside of a store, returns an `IO`
    /// that does everything.
    @preconcurrency
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        if look == nil {
            return IO { [looseLook, seen] output in
                seen.note()
                looseLook(state(), output)
            }
        }
        seen.note()
        return .pure()
    }

    /// Whether a store has bound the middleware.
    @inlinable
    public var hasAfterReduce: Bool { look != nil }

    /// Looks at the state, and starts and stops the effects.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        guard let look else { return }
        if let live = place?.live { Borrowed.at(live) { look($0, output) } } else { look(state(), output) }
    }

    /// Binds the middleware to a store. In a lift to elements it then sees the state of one element at a time.
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        place = LivePlace(binding.state)
        seen = SeenInterruptions(interruptions)
        let look = makeLook(EffectBinding([owner.registry], binding.services), seen)
        // While a gate is closed, no effect begins, as it would be cancelled at once. The state is not noted either,
        // so that the first look after the gate has opened finds what has changed.
        if let areOpen = binding.services.areGatesOpen {
            self.look = { if areOpen() { look($0, $1) } }
        } else {
            self.look = look
        }
    }

    /// Cancels every effect that is under way, as long as the middleware exists. The effects that the state asks for
    /// begin again with the next action that the middleware sees.
    public var effectCanceller: EffectCanceller {
        EffectCanceller { [registry = owner.registry, interruptions] in
            registry.cancelAll()
            interruptions.add()
        }
    }
}
