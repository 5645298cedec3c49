// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceCore
import MillraceEffects
import MillraceGated
import MillraceJournal
import MillraceRecords
import TestSupport
import Testing

/// An action of the tests below. Each `put` is answered twice: by an IO, and by an effect.
enum Step: BitwiseCopyable, Hashable, Sendable {
    case put(producer: Int32, number: Int32)
    case answered(producer: Int32, number: Int32)
    case effected(producer: Int32, number: Int32)
    case urgent(Int32)
}

/// All actions, in their order.
struct Steps: Sendable {
    var all: [Step] = []

    static let noting = Reducer<Step, Steps>.reduce { step, steps in steps.all.append(step) }
}

@Suite("A journal in all kinds of stores", .timeLimit(.minutes(10)))
struct CombinationTests {
    typealias Store = ReduxStoreBase<Step, Steps>

    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var engine: StoreEngine
        var order = ActionOrder.fifo
        var capacity = StoreCapacity.unbounded
        var held = HeldWorkPolicy.exact
        var visibility = StateVisibility.immediate
        /// A store with a subject has only this and the order of the properties above.
        var subject = StateSubject.none

        var testDescription: String { name }
    }

    static let kinds: [Kind] = [
        Kind(name: "thread, held", engine: .thread(), held: .held),
        Kind(name: "thread, held, durable", engine: .thread(), held: .held, visibility: .durable),
        Kind(name: "thread, held, bounded", engine: .thread(), capacity: .bounded(8), held: .held),
        Kind(name: "thread, exact, internal first", engine: .thread(), order: .internalFirst),
        Kind(name: "caller", engine: .caller),
        Kind(name: "caller, internal first, durable", engine: .caller, order: .internalFirst, visibility: .durable),
        Kind(name: "caller, bounded", engine: .caller, capacity: .bounded(8)),
        Kind(name: "main", engine: .main),
        Kind(name: "main, internal first", engine: .main, order: .internalFirst),
        Kind(name: "serial queue", engine: .queue(DispatchQueue(label: "serial"))),
        Kind(
            name: "concurrent queue, bounded",
            engine: .queue(DispatchQueue(label: "concurrent", attributes: .concurrent)),
            capacity: .bounded(8)
        ),
        Kind(name: "subject", engine: .main, subject: .native),
        Kind(
            name: "subject of another library, internal first",
            engine: .main,
            order: .internalFirst,
            subject: .foreign
        ),
    ]

    /// Answers each `put` by an IO.
    struct Answering: MiddlewareProtocol {
        let ran: Shared<[Step]>

        func handle(action: Step, from: ActionSource, state: @escaping GetState<Steps>) -> IO<Step> {
            guard case .put(let producer, let number) = action else { return .pure() }
            return IO { output in
                ran.update { $0.append(action) }
                output.dispatch(.answered(producer: producer, number: number))
            }
        }
    }

    private func open(_ journal: Journal<Step>, _ kind: Kind, _ ran: Shared<[Step]>) async throws -> Store {
        let effects = SimpleEffectMiddleware<Step, Steps>.onAction { step, _, _ in
            guard case .put(let producer, let number) = step else { return .doNothing }
            let answer = Step.effected(producer: producer, number: number)
            return number % 4 == 0 ? .merge(.toCancel("nothing"), .task { _ in answer }) : .just(answer)
        }
        if let subject = kind.subject.make(Steps()) {
            return try await Store(
                recovering: journal,
                subject: subject,
                reducer: Steps.noting,
                middleware: Answering(ran: ran) <> effects,
                order: kind.order
            )
        }
        return try await Store(
            recovering: journal,
            initialState: Steps(),
            reducer: Steps.noting,
            middleware: Answering(ran: ran) <> effects,
            engine: kind.engine,
            publication: .batch,
            capacity: kind.capacity,
            order: kind.order,
            held: kind.held,
            visibility: kind.visibility
        )
    }

    @Test("every action is recovered in its order, and every IO and effect ran once", arguments: kinds)
    func everything(kind: Kind) async throws {
        let disk = SlowDisk()
        let ran = Shared<[Step]>([])
        let codec = try BitwiseCodec<Step>(version: 1)
        let journal = disk.journal(codec)
        let store = try await open(journal, kind, ran)
        let (producers, count) = (3, 60)
        await elsewhere {
            onThreads(producers) { producer in
                for number in 1...count {
                    let put = Step.put(producer: Int32(producer), number: Int32(number))
                    store.dispatch(put, producer: "p\(producer)", number: UInt64(number))
                    if number % 20 == 0 { store.dispatch(urgent: .urgent(Int32(producer))) }
                }
            }
        }
        let expected = producers * count * 3 + producers * 3
        #expect(await eventually { store.metrics.reduced == UInt64(expected) })
        try await store.journaled()
        #expect(journal.metrics.lag == 0)
        await store.drain()
        let state = store.state.all
        #expect(state.count == expected && Set(state).count == producers * count * 3 + producers)
        let puts = state.filter { if case .put = $0 { true } else { false } }
        #expect(ran.value == puts)
        for producer in 0..<producers {
            #expect(await store.lastNumber(of: "p\(producer)") == UInt64(count))
        }
        let report = await store.shutdown()
        #expect(report.isComplete && report.metrics.dropped == 0)
        try await check(disk, codec, state)
    }

    /// Recovers the state, and compares the entries with it.
    private func check(_ disk: SlowDisk, _ codec: BitwiseCodec<Step>, _ state: [Step]) async throws {
        let journal = disk.journal(codec)
        var entries: [Step] = []
        for try await entry in journal.entries(from: 1) {
            entries.append(entry.action)
            #expect(entry.head.sequence == UInt64(entries.count))
            // An answer names the action that it answers.
            switch entry.action {
            case .answered(let producer, let number), .effected(let producer, let number):
                let parent = Int(entry.head.cause.parent)
                try #require(entries.indices.contains(parent - 1))
                #expect(entries[parent - 1] == .put(producer: producer, number: number))
            default: #expect(entry.head.cause.parent == 0)
            }
        }
        #expect(entries == state)
        let again = try await Store(recovering: journal, initialState: Steps(), reducer: Steps.noting)
        #expect(again.state.all == state)
        _ = await again.shutdown()
    }

    @Test("a gate that cancels finds the effects that are held, also in a merge", arguments: [false, true])
    func gates(isMerged: Bool) async throws {
        let disk = SlowDisk()
        let begun = Shared<[Int32]>([])
        let gate = Gate()
        let effects = SimpleEffectMiddleware<Step, Steps>.onAction { step, _, _ in
            guard case .urgent(let number) = step else { return .doNothing }
            let effect = Effect<Void, Step>.fireAndForget { begun.update { $0.append(number) } }
            return isMerged ? .merge(effect, .fireAndForget {}) : effect
        }
        let store = try await Store(
            recovering: disk.journal(try BitwiseCodec<Step>(version: 1)),
            initialState: Steps(),
            reducer: Steps.noting,
            middleware: effects.gated(by: gate, inFlight: .cancel)
        )
        store.dispatch(.urgent(1))
        await store.drain()
        #expect(begun.value == [1])
        disk.gate.close()
        store.dispatch(.urgent(2))
        #expect(await eventually { store.metrics.reduced == 2 })
        gate.close()
        disk.gate.open()
        await store.drain()
        gate.open()
        store.dispatch(.urgent(3))
        await store.drain()
        #expect(begun.value == [1, 3])
        _ = await store.shutdown()
    }

    @Test("the effects of a plugin that was removed never begin, those of its successor do")
    func plugins() async throws {
        let disk = SlowDisk()
        let begun = Shared<[String]>([])
        func plugin(_ name: String) -> SimpleEffectMiddleware<Step, Steps> {
            .onAction { step, _, _ in
                guard case .urgent(let number) = step else { return .doNothing }
                return .fireAndForget { begun.update { $0.append("\(name)\(number)") } }
            }
        }
        let store = try await Store(
            recovering: disk.journal(try BitwiseCodec<Step>(version: 1)),
            initialState: Steps(),
            reducer: Steps.noting,
            middleware: IdentityMiddleware<Step, Step, Steps>()
        )
        try await store.plugins.install(plugin("a"), as: "teller")
        disk.gate.close()
        store.dispatch(.urgent(1))
        #expect(await eventually { store.metrics.reduced == 1 })
        try await store.plugins.replace("teller", with: plugin("b"))
        store.dispatch(.urgent(2))
        #expect(await eventually { store.metrics.reduced == 2 })
        disk.gate.open()
        await store.drain()
        #expect(begun.value == ["b2"])
        _ = await store.shutdown()
    }

    @Test("a second store on the same folder is refused, and can have it afterwards")
    func twoStores() async throws {
        let disk = SlowDisk()
        let codec = try BitwiseCodec<Step>(version: 1)
        let first = try await Store(recovering: disk.journal(codec), initialState: Steps(), reducer: Steps.noting)
        first.dispatch(.urgent(1))
        await #expect(throws: JournalError.locked(path: "journal")) {
            _ = try await Store(recovering: disk.journal(codec), initialState: Steps(), reducer: Steps.noting)
        }
        _ = await first.shutdown()
        let second = try await Store(recovering: disk.journal(codec), initialState: Steps(), reducer: Steps.noting)
        #expect(second.state.all == [.urgent(1)])
        _ = await second.shutdown()
    }
}
