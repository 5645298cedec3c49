// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

/// The plugins of a store. The list belongs to the pipeline; messages in the queue change it.
@usableFromInline
final class PluginList<Action, State>: @unchecked Sendable {
    // Unchecked because every `var` belongs to the consumer, as StoreCore.subscribers does. A lock guards what other
    // threads may read.
    @usableFromInline typealias Change = Result<Void, PluginError>

    /// Whether no plugin sees actions. The only field that a store without plugins reads for each action.
    @usableFromInline @exclusivity(unchecked) private(set) var isIdle = true
    @usableFromInline @exclusivity(unchecked) private(set) var hasAfterReduce = false
    /// Whether `calls` must be made again after a change. The next action that needs the calls makes them. So any
    /// number of changes between two actions costs only one new list.
    @usableFromInline @exclusivity(unchecked) private(set) var isStale = false
    /// The calls of the enabled plugins. Not retained, because that would cost a reference count for every action.
    @usableFromInline @exclusivity(unchecked) private(set) var calls: Unmanaged<PluginCalls<Action>>
    private var keptCalls = PluginCalls<Action>() {
        didSet { calls = .passUnretained(keptCalls) }
    }
    private var plugins: [Plugin<Action, State>] = []
    private var names: Set<MiddlewareName> = []
    /// The number of enabled plugins, and how many of them have an `afterReduce`.
    private var enabled = (all: 0, afterReducers: 0)
    /// What each plugin receives when it is installed. Set when the store is made.
    private var binding: MiddlewareBinding<Action, State>?

    /// The part that any thread may read, in the order of `plugins`. It retains no plugin.
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
                ios: plugin.counters.ios.load(ordering: .relaxed)
            )
        }
    }

    /// The named middlewares in the plugins. Any thread.
    @usableFromInline
    var running: [RunningMiddleware] { shown.withLock { $0 }.flatMap(\.running) }

    /// Stores the values to which plugins will be bound. Called while the store binds its middlewares.
    @usableFromInline
    func bind(_ binding: MiddlewareBinding<Action, State>) {
        self.binding = binding
    }

    @usableFromInline
    func makeCalls() {
        keptCalls = PluginCalls(plugins.compactMap { $0.isEnabled ? $0.calls : nil })
        isStale = false
    }
}

// The calls of an action. Out of line, so that the loop of a store without plugins stays short.
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

    /// Called after `handle` of the same action, which has made the calls.
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
            // This index was found while the plugin was still in the list.
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

    /// Removes all plugins at the end of the pipeline, and returns them for the caller to release. Their counters can
    /// still be read.
    @usableFromInline
    func removeAll() -> Any {
        defer {
            (plugins, names, enabled) = ([], [], (0, 0))
            (isIdle, hasAfterReduce, isStale) = (true, false, false)
            keptCalls = PluginCalls()
            shown.withLock { shown in for index in shown.indices { shown[index].running = [] } }
            binding = nil
        }
        return (plugins, keptCalls, binding)
    }

    private func change(_ name: MiddlewareName, _ body: (Int) -> Void) -> Change {
        guard let index = index(of: name) else { return .failure(.unknownName(name)) }
        return .success(body(index))
    }

    private func index(of name: MiddlewareName) -> Int? {
        // From the end, where most plugins are installed and removed.
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
        if let binding { plugin.bind(binding) }
    }

    /// Adds `step` to the counts, if the plugin is enabled. Drops the calls first, so that they do not keep a removed
    /// plugin alive.
    private func count(_ plugin: Plugin<Action, State>, _ step: Int) {
        dropCalls()
        guard plugin.isEnabled, let calls = plugin.calls else { return }
        enabled.all += step
        if calls.hasAfterReduce { enabled.afterReducers += step }
        isIdle = enabled.all == 0
        hasAfterReduce = enabled.afterReducers > 0
    }

    private func dropCalls() {
        guard !isStale else { return }
        isStale = true
        keptCalls = PluginCalls()
    }
}

/// The part of a plugin that any thread may read.
private struct ShownPlugin {
    let name: MiddlewareName
    var isEnabled: Bool
    let counters: PluginCounters
    /// The named middlewares in the plugin; empty after the end of the pipeline.
    var running: [RunningMiddleware]

    init<Action, State>(_ plugin: Plugin<Action, State>) {
        name = plugin.name
        isEnabled = plugin.isEnabled
        counters = plugin.counters
        running = plugin.running
    }
}
