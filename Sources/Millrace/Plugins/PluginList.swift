// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

/// The plugins of a store. The list is the pipeline's, and changes by messages in the queue.
@usableFromInline
final class PluginList<Action, State>: @unchecked Sendable {
    // Unchecked because everything that is `var` belongs to the consumer, as StoreCore.subscribers does; what is shown
    // to others is behind a lock.
    @usableFromInline typealias Change = Result<Void, PluginError>

    /// No plugin sees actions. The one thing a store without plugins looks at.
    @usableFromInline @exclusivity(unchecked) private(set) var isIdle = true
    @usableFromInline @exclusivity(unchecked) private(set) var hasAfterReduce = false
    /// Whether `calls` is yet to be made after a change. The first action that needs it makes it: so many changes between
    /// two actions cost one list, and a list costs no more than the action that goes through it.
    @usableFromInline @exclusivity(unchecked) private(set) var isStale = false
    /// What asks those that are enabled; not retained, as that would be done at every action.
    @usableFromInline @exclusivity(unchecked) private(set) var calls: Unmanaged<PluginCalls<Action>>
    private var keptCalls = PluginCalls<Action>() {
        didSet { calls = .passUnretained(keptCalls) }
    }
    private var plugins: [Plugin<Action, State>] = []
    private var names: Set<MiddlewareName> = []
    /// Of those that are enabled: how many there are, and how many have an `afterReduce`.
    private var enabled = (all: 0, observers: 0)
    /// The store's getter; set when the store is made.
    private var state: GetState<State>?
    private var live: LiveState<State>?
    private var position: (@Sendable () -> ActionPosition)?
    private var effects: EffectProbeCell?

    /// What any thread may see, in the order of `plugins`; it keeps no plugin.
    private let shown = Locked<[ShownPlugin]>([])

    @usableFromInline
    init() {
        calls = .passUnretained(keptCalls)
    }

    /// The plugins in order. Any thread.
    var all: [InstalledPlugin] {
        shown.withLock { $0 }.map { plugin in
            InstalledPlugin(
                name: plugin.name,
                isEnabled: plugin.isEnabled,
                handled: plugin.counters.handled.load(ordering: .relaxed),
                works: plugin.counters.works.load(ordering: .relaxed)
            )
        }
    }

    /// The named middlewares in the plugins. Any thread.
    @usableFromInline
    var running: [RunningMiddleware] { shown.withLock { $0 }.flatMap(\.running) }

    /// What plugins will be bound to; while the store binds.
    @usableFromInline
    func bind(to state: @escaping GetState<State>, live: LiveState<State>?) {
        self.state = state
        self.live = live
        position = MiddlewareRegistry.position
        effects = MiddlewareRegistry.effects
    }

    @usableFromInline
    func makeCalls() {
        keptCalls = PluginCalls(plugins.compactMap { $0.isEnabled ? $0.calls : nil })
        isStale = false
    }
}

// The calls of an action. Out of line, so that the loop of a store without plugins stays as short as it is.
extension PluginList {
    @inlinable @inline(never)
    func handle(_ action: Action, _ dispatcher: ActionSource) -> IO<Action> {
        if isStale { makeCalls() }
        return calls._withUnsafeGuaranteedRef { $0.handle(action, dispatcher) }
    }

    @inlinable @inline(never)
    func handle(_ action: Action, _ dispatcher: ActionSource, probe: any PipelineProbe) -> IO<Action> {
        if isStale { makeCalls() }
        return calls._withUnsafeGuaranteedRef { $0.handle(action, dispatcher, probe: probe) }
    }

    /// After `handle` of the same action, which has made the calls.
    @inlinable @inline(never)
    func afterReduce(_ action: Action, _ dispatcher: ActionSource, _ output: AnyActionHandler<Action>) {
        calls._withUnsafeGuaranteedRef { $0.afterReduce(action, dispatcher, output) }
    }
}

// On the pipeline's thread, between two actions.
extension PluginList {
    @usableFromInline
    func install(_ plugin: Plugin<Action, State>, at place: PluginPlace) -> Change {
        guard !names.contains(plugin.name) else { return .failure(.nameTaken(plugin.name)) }
        return index(of: place).map { index in
            bind(plugin)
            plugins.insert(plugin, at: index)
            names.insert(plugin.name)
            count(plugin, 1)
            let entry = ShownPlugin(plugin)
            shown.withLock { $0.insert(entry, at: index) }
        }
    }

    @usableFromInline
    func replace(_ name: MiddlewareName, with plugin: Plugin<Action, State>) -> Change {
        change(name) { index in
            bind(plugin)
            let old = plugins[index]
            plugin.isEnabled = old.isEnabled
            plugins[index] = plugin
            count(old, -1)
            count(plugin, 1)
            let entry = ShownPlugin(plugin)
            shown.withLock { $0[index] = entry }
            old.retire()
        }
    }

    func move(_ name: MiddlewareName, to place: PluginPlace) -> Change {
        guard let from = index(of: name) else { return .failure(.unknownName(name)) }
        if place == .before(name) || place == .after(name) { return .success(()) }
        return index(of: place).map { index in
            // The place was looked up while the plugin was in the list.
            let to = index > from ? index - 1 : index
            plugins.insert(plugins.remove(at: from), at: to)
            dropCalls()
            shown.withLock { $0.insert($0.remove(at: from), at: to) }
        }
    }

    func remove(_ name: MiddlewareName) -> Change {
        change(name) { index in
            let plugin = plugins.remove(at: index)
            names.remove(name)
            count(plugin, -1)
            _ = shown.withLock { $0.remove(at: index) }
            plugin.retire()
        }
    }

    func enable(_ name: MiddlewareName, _ isEnabled: Bool) -> Change {
        change(name) { index in
            count(plugins[index], -1)
            plugins[index].isEnabled = isEnabled
            count(plugins[index], 1)
            shown.withLock { $0[index].isEnabled = isEnabled }
        }
    }

    /// At the end of the pipeline: gives the plugins away. What they have done can still be read.
    @usableFromInline
    func removeAll() -> Any {
        defer {
            (plugins, names, enabled) = ([], [], (0, 0))
            (isIdle, hasAfterReduce, isStale) = (true, false, false)
            keptCalls = PluginCalls()
            shown.withLock { shown in for index in shown.indices { shown[index].running = [] } }
            (state, live, position, effects) = (nil, nil, nil, nil)
        }
        return (plugins, keptCalls, state, position)
    }

    private func change(_ name: MiddlewareName, _ body: (Int) -> Void) -> Change {
        guard let index = index(of: name) else { return .failure(.unknownName(name)) }
        return .success(body(index))
    }

    private func index(of name: MiddlewareName) -> Int? {
        // From the end, where most are put in and taken out.
        names.contains(name) ? plugins.lastIndex { $0.name == name } : nil
    }

    private func index(of place: PluginPlace) -> Result<Int, PluginError> {
        let (name, offset): (MiddlewareName, Int)
        switch place {
        case .first: return .success(0)
        case .last: return .success(plugins.count)
        case .before(let other): (name, offset) = (other, 0)
        case .after(let other): (name, offset) = (other, 1)
        }
        guard let index = index(of: name) else { return .failure(.unknownName(name)) }
        return .success(index + offset)
    }

    private func bind(_ plugin: Plugin<Action, State>) {
        if let state { plugin.bind(to: state, live: live, position: position, effects: effects) }
    }

    /// Counts a plugin as there, or as gone. It is in no calls any more: what is removed is released at once.
    private func count(_ plugin: Plugin<Action, State>, _ step: Int) {
        dropCalls()
        guard plugin.isEnabled, let calls = plugin.calls else { return }
        enabled.all += step
        if calls.hasAfterReduce { enabled.observers += step }
        isIdle = enabled.all == 0
        hasAfterReduce = enabled.observers > 0
    }

    private func dropCalls() {
        guard !isStale else { return }
        isStale = true
        keptCalls = PluginCalls()
    }
}

/// What any thread may see of a plugin.
private struct ShownPlugin {
    let name: MiddlewareName
    var isEnabled: Bool
    let counters: PluginCounters
    /// The named middlewares in it; none after the end of the pipeline.
    var running: [RunningMiddleware]

    init<Action, State>(_ plugin: Plugin<Action, State>) {
        name = plugin.name
        isEnabled = plugin.isEnabled
        counters = plugin.counters
        running = plugin.running
    }
}
