// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

/// Long lists of plugins that change, with and without actions between the changes.
@Suite("Plugins, long lists", .serialized, .timeLimit(.minutes(5)))
struct PluginListTests {
    private let log = Recorder<String>()

    private func store(_ engine: StoreEngine) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, state in state += action },
            engine: engine,
            publication: .onDemand
        )
    }

    private func spy(_ name: MiddlewareName) -> PluginTests.Spy {
        PluginTests.Spy(name: "\(name)", log: log, hasIO: true)
    }

    @Test(
        "random changes, some with actions between them: called in the order of the list, mirrored after the reducers",
        arguments: engines
    )
    func random(engine: StoreEngine) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        let store = store(engine)
        let plugins = store.plugins
        var model: [(name: MiddlewareName, isEnabled: Bool)] = []
        func randomPlace(_ others: [MiddlewareName]) -> (PluginPlace, Int) {
            guard let index = others.indices.randomElement(using: &random) else { return (.last, 0) }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return (.first, 0)
            case 1: return (.before(others[index]), index)
            case 2: return (.after(others[index]), index + 1)
            default: return (.last, others.count)
            }
        }
        for step in 0..<300 {
            let index = model.indices.randomElement(using: &random)
            switch (Int.random(in: 0..<8, using: &random), index) {
            case (0, let index?):
                try await plugins.remove(model.remove(at: index).name)
            case (1, let index?):
                let moved = model.remove(at: index)
                let (place, target) = randomPlace(model.map(\.name))
                try await plugins.move(moved.name, to: place)
                model.insert(moved, at: target)
            case (2, let index?):
                model[index].isEnabled.toggle()
                if model[index].isEnabled {
                    try await plugins.enable(model[index].name)
                } else {
                    try await plugins.disable(model[index].name)
                }
            case (3, let index?):
                try await plugins.replace(model[index].name, with: spy(model[index].name))
            default:
                let name = MiddlewareName(interning: "\(step)")
                let (place, target) = randomPlace(model.map(\.name))
                try await plugins.install(spy(name), as: name, at: place)
                model.insert((name, true), at: target)
            }
            #expect(plugins.all.map(\.name) == model.map(\.name), "seed \(seed)")
            #expect(plugins.all.map(\.isEnabled) == model.map(\.isEnabled), "seed \(seed)")
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            log.clear()
            store.dispatch(0)
            await store.drain()
            let names = model.filter(\.isEnabled).map(\.name)
            let calls =
                names.map { "\($0) handle 0 0" } + names.reversed().map { "\($0) after 0 0" }
                + names.reversed().map { "\($0) IO 0 0" }
            guard log.all == calls else { return #expect(log.all == calls, "seed \(seed)") }
        }
    }

    @Test("one that is removed is released at once, though no action follows, and others stay", arguments: engines)
    func releases(engine: StoreEngine) async throws {
        let store = store(engine)
        for name in ["a", "b"] as [MiddlewareName] { try await store.plugins.install(spy(name), as: name) }
        try await store.plugins.install(PluginTests.Keeper(Recorder(), log), as: "keeper", at: .first)
        store.dispatch(0)
        await store.drain()
        log.clear()
        try await store.plugins.remove("keeper")
        #expect(await eventually { log.all == ["cancelled", "released"] })
        try await store.plugins.install(PluginTests.Keeper(Recorder(), log), as: "keeper", at: .first)
        store.dispatch(0)
        await store.drain()
        log.clear()
        try await store.plugins.replace("keeper", with: spy("keeper"))
        #expect(await eventually { log.all == ["cancelled", "released"] })
    }

    @Test("whoever looks at the list meanwhile sees each plugin, at every moment")
    func shown() async throws {
        let store = store(.thread())
        for name in ["a", "b", "c"] as [MiddlewareName] { try await store.plugins.install(spy(name), as: name) }
        let isOver = Shared(false)
        let faults = Recorder<String>()
        let looking = Task.detached {
            while !isOver.value {
                let names = store.plugins.all.map(\.name)
                if names.count != 3 || Set(names).count != 3 { faults.record("\(names)") }
                await Task.yield()
            }
        }
        for _ in 0..<200 {
            try await store.plugins.move("a", to: .last)
            try await store.plugins.disable("b")
            try await store.plugins.replace("b", with: spy("b"))
            try await store.plugins.enable("b")
            try await store.plugins.move("a", to: .first)
        }
        isOver.value = true
        await looking.value
        #expect(faults.all == [])
    }

    @Test(
        "an afterReduce that comes, goes and is disabled between two actions of one batch is called or not, accordingly"
    )
    func observers() async throws {
        let store = store(.caller)
        let plugins = store.plugins
        func dispatched() -> [String] {
            log.clear()
            store.dispatch(1)
            return log.all.filter { $0.contains("after") }.map { String($0.prefix(1)) }
        }
        try await plugins.install(PluginTests.Ear(name: "e", log: log), as: "e")
        #expect(dispatched() == [])
        try await plugins.install(spy("a"), as: "a")
        try await plugins.install(spy("b"), as: "b")
        #expect(dispatched() == ["b", "a"])
        try await plugins.disable("a")
        #expect(dispatched() == ["b"])
        try await plugins.replace("b", with: PluginTests.Ear(name: "b", log: log))
        #expect(dispatched() == [])
        try await plugins.enable("a")
        #expect(dispatched() == ["a"])
    }
}
