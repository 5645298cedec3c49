// SPDX-License-Identifier: Apache-2.0

/// A rival as a table shows it.
@MainActor
struct Opponent {
    let contender: Contender
    let targets: [Target]
    let note: String?

    /// A target on the ratio is one for the subject against this rival.
    init(_ contender: Contender, targets: [Target] = [], note: String? = nil) {
        self.contender = contender
        self.targets = targets
        self.note = note
    }
}

extension Pairing {
    /// Times `subject` next to each rival, counts the allocations of all, and puts both into a table.
    func table(
        _ title: String,
        subject: Contender,
        targets: [Target] = [],
        rivals: [Opponent]
    ) async throws -> Table {
        guard let outcome = try await measure(subject, against: rivals.map(\.contender)) else {
            return Table(title: title, rows: [])
        }
        var rows = [
            Row(subject.name, time: outcome.subject, mallocs: try await mallocs(subject), targets: targets)
        ]
        for (opponent, found) in zip(rivals, outcome.rivals) {
            rows.append(
                Row(
                    opponent.contender.name,
                    time: found.time,
                    ratio: found.ratio,
                    mallocs: try await mallocs(opponent.contender),
                    targets: opponent.targets,
                    note: opponent.note
                )
            )
        }
        return Table(title: title, rows: rows)
    }
}
