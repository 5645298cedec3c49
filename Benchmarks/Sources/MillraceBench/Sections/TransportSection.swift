// SPDX-License-Identifier: Apache-2.0

import CxxRivals

/// The queue without a store: one producer and one consumer on different processors. Each queue has the kind of
/// consumer that is fastest for it.
struct TransportSection: Section {
    let id = "transport"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let crew = try Crew(2, pinned: true)
        let actions = try TransportLoop<AppAction>()
        let wide = try TransportLoop<WidePayload>()
        let subject = try await pairing.best { patience in
            actions.contender("Millrace, full slot with AppAction", crew: crew, patience: patience)
        }
        let full = try await pairing.best { patience in
            wide.contender("Millrace, full slot with 64 bytes", crew: crew, patience: patience)
        }
        var rivals = [Opponent(full.contender, note: full.note)]
        for variant in rival_variant.all {
            let queue = try MoodycamelQueue(variant, producers: 1)
            let rival = try await pairing.best { patience in
                queue.contender(variant.title, crew: crew, patience: patience)
            }
            rivals.append(
                Opponent(rival.contender, targets: [Target(figure: .ratio, atMost: 1)], note: rival.note)
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
}
