// SPDX-License-Identifier: Apache-2.0

/// A rival, with the targets and the note that the table shows.
@MainActor
struct Opponent {
    let contender: Contender
    let targets: [Target]
    let note: String?

    /// Creates an opponent. A target for the ratio is a target for the subject against this rival.
    init(_ contender: Contender, targets: [Target] = [], note: String? = nil) {
        self.contender = contender
        self.targets = targets
        self.note = note
    }
}

extension Pairing {
    /// Times `subject` next to each rival, counts the allocations of all contenders, and returns a table of both.
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
