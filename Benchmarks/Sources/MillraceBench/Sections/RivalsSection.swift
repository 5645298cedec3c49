// SPDX-License-Identifier: Apache-2.0

/// One table of all ways to bring actions to a state: the workload from one, two and eight producer threads.
struct RivalsSection: Section {
    let id = "rivals"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let entries = RivalEntry.all
        var points: [String: [Point]] = [:]
        for producers in [1, 2, 8] {
            let setting = RivalEntry.Setting(
                producers: producers,
                crew: try Crew(producers),
                withConsumer: try Crew(producers + 1),
                pairing: pairing
            )
            let present = entries.filter { $0.mostProducers >= producers }
            let subject = try await RivalEntry.subject.contender(setting)
            var contenders: [Contender] = []
            for entry in present {
                pairing.progress.show("\(entry.name), \(producers) producers")
                contenders.append(try await entry.contender(setting))
            }
            guard let outcome = try await pairing.measure(subject, against: contenders) else { continue }
            points[RivalEntry.subject.name, default: []].append(
                Point(size: producers, time: outcome.subject, mallocs: try await pairing.mallocs(subject))
            )
            for (index, entry) in present.enumerated() {
                points[entry.name, default: []].append(
                    Point(
                        size: producers,
                        time: outcome.rivals[index].time,
                        ratio: outcome.rivals[index].ratio,
                        mallocs: try await pairing.mallocs(contenders[index])
                    )
                )
            }
        }
        let rows = ([RivalEntry.subject] + entries).map { entry in
            var row = Row(entry.name, note: entry.usage)
            row.points = points[entry.name]
            return row
        }
        return [
            Table(
                title: "Everything: the same actions and reducers, until all are reduced; ns an action",
                sizes: "producers",
                rows: rows
            )
        ]
    }
}
