// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceInstrumentation
import MillraceLogging

/// The aims for speed in one table, each as a multiple of an uncontended Mutex. The aims for wake-ups and tails are in
/// the sections `wake` and `latency`, the one for persistent collections is in `cliffs`.
struct AimsSection: Section {
    let id = "aims"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        let mutex = LockRival.mutexInline(crew: crew)
        guard let yardstick = try await pairing.measure(mutex, runs: pairing.pairs) else { return [] }
        var rows = [Row(mutex.name, time: yardstick, amount: 1)]
        for make in [caller, threads, effects, instrumentation, others] {
            for aim in try make(crew) {
                if let row = try await pairing.row(aim, mutex: yardstick.median) { rows.append(row) }
            }
        }
        let title = "Aims: the amount is the median divided by that of an uncontended Mutex around the same state"
        return [Table(title: title, rows: rows), try await moodycamel(pairing)]
    }

    private func caller(_ crew: Crew) throws -> [Aim] {
        func store(_ name: String, _ publication: Publication, isObserved: Bool = false) -> Contender {
            let store = StoreLoop.plainStore(engine: .caller, publication: publication)
            if isObserved { store.subscribe { _ in } }
            return StoreLoop.contender(name, store: store, crew: crew, share: isObserved ? 0.3 : 1)
        }
        return [
            Aim(contender: store(".caller, on demand", .onDemand), nanoseconds: 50, mallocs: 0),
            Aim(contender: store(".caller", .atMost(every: .milliseconds(1))), nanoseconds: 60, mallocs: 0),
            Aim(
                contender: store(".caller, every action, one subscriber", .everyAction, isObserved: true),
                nanoseconds: 250
            ),
        ]
    }

    private func threads(_ crew: Crew) throws -> [Aim] {
        func store(_ name: String, _ engine: StoreEngine, _ producers: Int) throws -> Contender {
            StoreLoop.contender(name, store: StoreLoop.plainStore(engine: engine), crew: try Crew(producers))
        }
        let bounded = StoreLoop.plainStore(engine: .thread(), capacity: .bounded(65_536))
        return [
            Aim(contender: try store("2 producers, .balanced", .thread(), 2), nanoseconds: 25),
            Aim(
                contender: StoreLoop.contender(
                    "2 producers, .lowLatency",
                    spinning: .thread(latency: .lowLatency),
                    crew: try Crew(2)
                ),
                nanoseconds: 25
            ),
            Aim(contender: try store("8 producers", .thread(), 8), nanoseconds: 35),
            Aim(
                contender: StoreLoop.contender("bounded, with room", store: bounded, crew: crew),
                base: try store("unbounded", .thread(), 1),
                nanoseconds: 4
            ),
        ]
    }

    private func effects(_ crew: Crew) throws -> [Aim] {
        [
            Aim(
                contender: AnsweredStore.contender("an effect and its answer", crew: crew, AnsweredStore.just),
                nanoseconds: 150,
                mallocs: 1
            ),
            Aim(
                contender: AnsweredStore.contender(
                    "the same with a token",
                    crew: crew,
                    AnsweredStore.justWithToken
                ),
                nanoseconds: 300,
                mallocs: 1
            ),
        ]
    }

    private func instrumentation(_ crew: Crew) throws -> [Aim] {
        func store(_ name: String, _ begin: (StoreLoop.Store) throws -> Instrumentation? = { _ in nil }) throws
            -> Contender
        {
            let store = StoreLoop.namedStore(engine: .caller, publication: .onDemand)
            let instrumentation = try begin(store)
            let loop = StoreLoop.contender(name, store: store, crew: crew)
            return Contender(name) { operations in
                defer { withExtendedLifetime(instrumentation) {} }
                return try await loop.run(operations)
            }
        }
        let off = try store("not instrumented")
        return [
            Aim(contender: try store("instrumentation, every action") { Instrumentation($0) }, nanoseconds: 90),
            Aim(
                contender: try store("instrumentation, one in 16") { Instrumentation($0, oneIn: 16) },
                base: off,
                nanoseconds: 6
            ),
            Aim(
                contender: try store("flight recorder") {
                    Instrumentation($0, oneIn: 1024, flight: try FlightRecorder())
                },
                base: off,
                nanoseconds: 20
            ),
        ]
    }

    private func others(_ crew: Crew) throws -> [Aim] {
        func logger(_ entries: Int) -> Aim {
            let log = ActionLog()
            let (logged, plain) = LoggingSection.bothStates(crew, log, entries: entries)
            return Aim(contender: logged, base: plain, nanoseconds: 50) { LoggingSection.note(log) }
        }
        return [
            Aim(
                contender: SubjectSection.subjectStore("subject-based store", crew, isObserved: false),
                nanoseconds: 60
            ),
            logger(16),
            logger(256),
        ]
    }

    /// One producer beside the fastest way to use moodycamel's queue.
    private func moodycamel(_ pairing: Pairing) async throws -> Table {
        let setting = RivalEntry.Setting(
            producers: 1,
            crew: try Crew(1),
            withConsumer: try Crew(2),
            pairing: pairing
        )
        let store = try await RivalEntry.subject.contender(setting)
        let name = "Millrace, one switch as reducer, no middlewares"
        let bare = StoreLoop.bareStore(engine: .thread())
        let parts =
            [
                Opponent(StoreLoop.contender(name, store: bare, crew: setting.crew)),
                Opponent(
                    StoreLoop.contender(
                        "  the same, until all are dispatched",
                        store: bare,
                        crew: setting.crew,
                        until: .allDispatched
                    )
                ),
            ]
            + [2, 8, 64].map { size in
                let name = "  the same, dispatch(contentsOf:) of \(size)"
                return Opponent(
                    StoreLoop.contender(name, store: bare, crew: setting.crew, handover: .batches(of: size))
                )
            } + [
                Opponent(
                    try LinesSection.addition(crew: setting.crew),
                    note: "each claim of a slot is one; moodycamel with tokens has none"
                )
            ]
        var ways: [Contender] = []
        for entry in RivalEntry.moodycamel { ways.append(try await entry.contender(setting)) }
        let title = "One producer: the store beside moodycamel's queue, used in five ways"
        return try await pairing.table(
            title,
            subject: store,
            rivals: parts + ways.map { Opponent($0, targets: [Target(figure: .ratio, atMost: 1)]) }
        )
    }
}
