// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import TestSupport
import Testing

@Suite("SupervisingMiddleware: each element of a collection", .timeLimit(.minutes(5)))
struct SupervisedElementsTests {
    struct Room: Sendable, Equatable, Identifiable {
        var id: Int
        var server = 0
        var messages = 0
    }

    struct AppState: Sendable {
        var rooms: [Room] = []
    }

    private let log = Recorder<String>()
    private let made = Shared(0)
    private let compared = Shared(0)

    private func middleware() -> SupervisingMiddleware<[Room], Never, AppState, Void> {
        EffectMiddleware<[Room], Never, AppState, Void>.supervise(
            each: \.rooms,
            key: { [compared] room in
                compared.update { $0 += 1 }
                return room.id
            },
            definition: \.server,
            { [log, made] room in
                made.update { $0 += 1 }
                return Effect { _, sink in
                    log.record("begin \(room.id)@\(room.server)")
                    sink.onCancel { log.record("end \(room.id)@\(room.server)") }
                }
            }
        )
    }

    /// An action sets the rooms.
    private func store<Dependencies>(
        _ middleware: SupervisingMiddleware<[Room], Never, AppState, Dependencies>
    ) -> ReduxStoreBase<[Room], AppState> {
        ReduxStoreBase(
            initialState: AppState(),
            reducer: Reducer<[Room], AppState>.reduce { rooms, state in state.rooms = rooms },
            middleware: middleware.lift(
                inputAction: { (action: [Room]) in Optional(action) },
                outputAction: { (action: Never) -> [Room] in },
                state: { $0 }
            ),
            engine: .caller
        )
    }

    @Test("effects begin and end as elements come, go and are defined otherwise; others stay, and nothing is made")
    func keeps() {
        let middleware = middleware()
        let store = store(middleware)
        store.dispatch([Room(id: 1), Room(id: 2), Room(id: 3)])
        #expect(log.all == ["begin 1@0", "begin 2@0", "begin 3@0"])
        store.dispatch([Room(id: 1, messages: 9), Room(id: 2), Room(id: 3, messages: 1)])
        store.dispatch([Room(id: 3), Room(id: 1), Room(id: 2)])
        #expect(made.value == 3)
        store.dispatch([Room(id: 3), Room(id: 4), Room(id: 1, server: 5), Room(id: 2)])
        #expect(log.all.dropFirst(3) == ["begin 4@0", "begin 1@5", "end 1@0"])
        store.dispatch([Room(id: 2)])
        #expect(log.all.suffix(3).sorted() == ["end 1@5", "end 3@0", "end 4@0"])
        #expect(middleware.runningEffects == 1)
        store.dispatch([])
        #expect(middleware.runningEffects == 0)
        #expect(made.value == 5)
    }

    @Test("with dependencies it is a reader: each effect gets what was injected")
    func reader() {
        let reader = EffectMiddleware<[Room], Never, AppState, String>.supervise(
            each: \.rooms,
            key: \.id,
            definition: \.server,
            { [log] room in
                Effect { context, sink in
                    log.record("begin \(room.id)@\(room.server) \(context.dependencies)")
                    sink.onCancel { log.record("end \(room.id)@\(room.server)") }
                }
            }
        )
        let middleware = reader.inject("world")
        let store = store(middleware)
        store.dispatch([Room(id: 1), Room(id: 2)])
        store.dispatch([Room(id: 2, server: 3)])
        #expect(log.all.prefix(2) == ["begin 1@0 world", "begin 2@0 world"])
        #expect(log.all.dropFirst(2).sorted() == ["begin 2@3 world", "end 1@0", "end 2@0"])
        #expect(middleware.runningEffects == 1)
    }

    @Test("of two elements with one key the first counts, wherever they are")
    func twins() {
        let middleware = middleware()
        let store = store(middleware)
        store.dispatch([Room(id: 1), Room(id: 2)])
        store.dispatch([Room(id: 1), Room(id: 2), Room(id: 1, server: 7)])
        #expect(log.count == 2)
        store.dispatch([Room(id: 2), Room(id: 1, server: 7)])
        #expect(log.all.dropFirst(2) == ["begin 1@7", "end 1@0"])
        store.dispatch([Room(id: 2, server: 8), Room(id: 2), Room(id: 1, server: 7), Room(id: 1)])
        #expect(log.all.dropFirst(4) == ["begin 2@8", "end 2@0"])
        #expect(middleware.runningEffects == 2)
        store.dispatch([Room(id: 1), Room(id: 1)])
        #expect(middleware.runningEffects == 1)
    }

    @Test("elements without a key have no effect, and cost no more than the others")
    func withoutKey() {
        let middleware = EffectMiddleware<[Room], Never, AppState, Void>.supervise(
            each: \.rooms,
            key: { [compared] room in
                compared.update { $0 += 1 }
                return room.id < 0 ? nil : room.id
            },
            definition: \.server,
            { [made] _ in
                made.update { $0 += 1 }
                return Effect { _, _ in }
            }
        )
        let store = store(middleware)
        let rooms = (0..<1_000).map { Room(id: $0 % 2 == 0 ? -1 : $0) }
        store.dispatch(rooms)
        #expect(middleware.runningEffects == 500)
        #expect(made.value == 500)
        compared.value = 0
        store.dispatch(rooms + [Room(id: 5_000), Room(id: -1, server: 4)])
        #expect(middleware.runningEffects == 501)
        #expect(made.value == 501)
        #expect(compared.value <= 1_010)
        store.dispatch([Room(id: -1), Room(id: 1), Room(id: -1)])
        #expect(middleware.runningEffects == 1)
        store.dispatch([Room(id: -1)])
        #expect(middleware.runningEffects == 0)
        #expect(made.value == 501)
    }

    @Test("each entry of a dictionary, each element of a set, each key")
    func dictionary() {
        struct Tables: Sendable, Equatable {
            var limits: [String: Int] = [:]
            var names: Set<String> = []
        }
        typealias Middleware = SupervisingMiddleware<Tables, Tables, Tables, Void>
        let begin = { @Sendable [log] (name: String) in
            Effect<Void, Tables> { _, sink in
                log.record("begin \(name)")
                sink.onCancel { log.record("end \(name)") }
            }
        }
        let limits: Middleware = EffectMiddleware.supervise(each: \.limits, key: \.key, definition: \.value) { entry in
            begin("\(entry.key)@\(entry.value)")
        }
        let names: Middleware = EffectMiddleware.supervise(each: \.names, key: { $0 }, definition: { _ in true }, begin)
        let keys: Middleware = EffectMiddleware.supervise(
            each: \.limits.keys,
            key: { $0 },
            definition: { _ in true },
            { begin("key \($0)") }
        )
        let store = ReduxStoreBase(
            initialState: Tables(),
            reducer: Reducer<Tables, Tables>.reduce { $1 = $0 },
            middleware: limits <> names <> keys,
            engine: .caller
        )
        func change(_ tables: Tables) -> Set<String> {
            log.clear()
            store.dispatch(tables)
            return Set(log.all)
        }
        #expect(change(Tables(limits: ["a": 1, "b": 2])) == ["begin a@1", "begin b@2", "begin key a", "begin key b"])
        #expect(change(Tables(limits: ["a": 1, "b": 3], names: ["x"])) == ["begin b@3", "end b@2", "begin x"])
        #expect(change(Tables(limits: ["b": 3], names: ["x"])) == ["end a@1", "end key a"])
        // So many that the dictionary gets another order.
        let many = Dictionary(uniqueKeysWithValues: (0..<500).map { ("\($0)", $0) })
        #expect(change(Tables(limits: many.merging(["b": 3]) { $1 }, names: ["x"])).count == 1_000)
        #expect(limits.runningEffects == 501 && keys.runningEffects == 501)
        #expect(change(Tables(limits: ["b": 3])).count == 1_001)
        #expect(limits.runningEffects == 1 && names.runningEffects == 0)
    }

    @Test("an element that is added costs a look at each, and one effect")
    func added() {
        let store = store(middleware())
        let rooms = (0..<1_000).map { Room(id: $0) }
        store.dispatch(rooms)
        for place in [0, 500, 1_000] {
            (compared.value, made.value) = (0, 0)
            var more = rooms
            more.insert(Room(id: 5_000 + place), at: place)
            store.dispatch(more)
            #expect(made.value == 1)
            #expect(compared.value <= 1_010)
            store.dispatch(rooms)
            #expect(made.value == 1)
        }
        compared.value = 0
        store.dispatch(rooms)
        #expect(compared.value == 0, "an equal array is not looked into")
    }

    @Test("any change leads to what a full comparison gives; by each and by the part do the same", arguments: 0..<20)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (middleware, byPartLog) = (middleware(), Recorder<String>())
        let byPart = EffectMiddleware<[Room], Never, [Room], Void>.supervise(by: { $0 }) { rooms in
            rooms.map { room in
                SupervisedEffect(
                    room.id,
                    definition: room.server,
                    Effect { _, sink in
                        byPartLog.record("begin \(room.id)@\(room.server)")
                        sink.onCancel { byPartLog.record("end \(room.id)@\(room.server)") }
                    }
                )
            }
        }
        let store = store(middleware)
        var model: [Int: Int] = [:]
        var rooms: [Room] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let room = Room(id: .random(in: 0..<12, using: &random), server: .random(in: 0..<3, using: &random))
                rooms.insert(room, at: .random(in: 0...rooms.count, using: &random))
            case 2 where !rooms.isEmpty: rooms.remove(at: .random(in: 0..<rooms.count, using: &random))
            case 3 where !rooms.isEmpty: rooms[.random(in: 0..<rooms.count, using: &random)].server += 1
            case 4: rooms.shuffle(using: &random)
            case 5 where rooms.count > 6: rooms.removeSubrange(2..<4)
            default: break
            }
            let (before, mark, byPartMark) = (model, log.count, byPartLog.count)
            store.dispatch(rooms)
            byPart.handle(action: [], from: .here(), state: { [rooms] in rooms }).run { _ in }
            model = Dictionary(rooms.map { ($0.id, $0.server) }) { first, _ in first }
            let begun = model.filter { before[$0.key] != $0.value }.map { "begin \($0.key)@\($0.value)" }
            let ended = before.filter { model[$0.key] != $0.value }.map { "end \($0.key)@\($0.value)" }
            #expect(log.all.dropFirst(mark).sorted() == (begun + ended).sorted(), "seed \(seed)")
            #expect(byPartLog.all.dropFirst(byPartMark).sorted() == (begun + ended).sorted(), "seed \(seed)")
            #expect(middleware.runningEffects == model.count)
        }
    }
}
