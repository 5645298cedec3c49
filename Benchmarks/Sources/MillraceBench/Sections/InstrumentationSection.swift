// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceInstrumentation

/// The cost of instrumentation: switched off again, for every action, and for one action in 16. The same thread
/// dispatches and reduces, so each clock call counts wherever it is made. Also the time for which a snapshot delays the
/// pipeline.
struct InstrumentationSection: Section {
    let id = "instrumentation"
    let isShort: Bool

    /// The measured stages: queue, three middlewares, reducers, total.
    private static let stages = 6.0

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(1)
        let stores = (0..<5).map { _ in StoreLoop.namedStore(engine: .caller, publication: .onDemand) }
        let off = Instrumentation(stores[1])
        off.turnOff()
        let on = Instrumentation(stores[2])
        let sampling = Instrumentation(stores[3], oneIn: 16)
        let recording = Instrumentation(stores[4], oneIn: 1024, flight: try FlightRecorder())
        defer { withExtendedLifetime([off, on, sampling, recording]) {} }

        let never = StoreLoop.contender("never instrumented", store: stores[0], crew: crew)
        let contenders = [
            StoreLoop.contender("switched off", store: stores[1], crew: crew),
            StoreLoop.contender("on, every action", store: stores[2], crew: crew, share: 0.5),
            StoreLoop.contender("on, one in 16", store: stores[3], crew: crew),
            StoreLoop.contender("flight recorder, one in 1024", store: stores[4], crew: crew),
        ]
        var rows: [Row] = []
        for (index, contender) in contenders.enumerated() {
            guard let outcome = try await pairing.measure(contender, against: [never]), let rival = outcome.rivals.first
            else { return [] }
            if index == 0 { rows.append(Row(never.name, time: rival.time, mallocs: try await pairing.mallocs(never))) }
            rows.append(
                Row(
                    contender.name,
                    time: outcome.subject,
                    ratio: rival.ratio,
                    mallocs: try await pairing.mallocs(contender),
                    // One measured action in 509 is checked for copies of the state, which takes three allocations.
                    targets: [Target(figure: .mallocs, atMost: index == 0 ? 0 : 0.01)]
                )
            )
            switch index {
            case 1: rows.append(Self.difference("  of which a stage", rival.difference.divided(by: Self.stages), 20))
            case 2: rows.append(Self.difference("  of which the sample", rival.difference, 10))
            default: break
            }
        }
        return [
            Table(title: "W1 measured: engine .caller, 3 named middlewares, lifted reducers", rows: rows),
            try await SnapshotPause(rounds: isShort ? 10 : 1000).table(pairing.progress),
        ]
    }

    private static func difference(_ name: String, _ time: Sample?, _ limit: Double) -> Row {
        Row(name, time: time, targets: [Target(figure: .nanoseconds, atMost: limit)])
    }
}
