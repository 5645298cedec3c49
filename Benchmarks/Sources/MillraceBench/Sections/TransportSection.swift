// SPDX-License-Identifier: Apache-2.0

import CxxRivals

/// The queue without a store: one producer and one consumer on different processors. Each queue has the kind of
/// consumer that is fastest for it.
struct TransportSection: Section {
    let id = "transport"

    /// A queue that can be consumed in several ways.
    private struct Candidate {
        let name: String
        let contender: (Patience) -> Contender
    }

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(2, pinned: true)
        let actions = try TransportLoop<AppAction>()
        let wide = try TransportLoop<WidePayload>()
        let subject = try await best(
            Candidate(name: "Millrace, full slot with AppAction") { patience in
                actions.contender("Millrace, full slot with AppAction", crew: crew, patience: patience)
            },
            pairing
        )
        var rivals = [
            try await best(
                Candidate(name: "Millrace, full slot with 64 bytes") { patience in
                    wide.contender("Millrace, full slot with 64 bytes", crew: crew, patience: patience)
                },
                pairing
            )
        ]
        for variant in rival_variant.all {
            let queue = try MoodycamelQueue(variant, producers: 1)
            rivals.append(
                try await best(
                    Candidate(name: variant.title) { patience in
                        queue.contender(variant.title, crew: crew, patience: patience)
                    },
                    pairing,
                    targets: [Target(figure: .ratio, atMost: 1)]
                )
            )
        }
        var table = try await pairing.table(
            "Transport: 1 producer, 1 consumer, on fixed processors, each with its best consumer",
            subject: subject.contender,
            rivals: rivals
        )
        if !table.rows.isEmpty { table.rows[0].note = subject.note }
        return [table]
    }

    /// Tries every kind of consumer a few times and returns the fastest. The note shows the result of each kind.
    private func best(
        _ candidate: Candidate,
        _ pairing: Pairing,
        targets: [Target] = []
    ) async throws -> Opponent {
        var found: (contender: Contender, time: Double)?
        var notes: [String] = []
        for patience in Patience.allCases {
            let contender = candidate.contender(patience)
            guard let sample = try await pairing.measure(contender, runs: min(5, pairing.pairs)) else { continue }
            notes.append("\(patience.rawValue) \(Int(sample.median.rounded()))")
            if sample.median < found?.time ?? .infinity { found = (contender, sample.median) }
        }
        let contender = found?.contender ?? candidate.contender(.patient)
        return Opponent(contender, targets: targets, note: notes.joined(separator: ", "))
    }
}
