// SPDX-License-Identifier: Apache-2.0

/// Where the time of the actions went: sums, of what was measured.
///
/// A middleware's time includes that of those it holds, so the stages may add up to more than the work.
struct SlownessShares {
    /// The time of a kind.
    struct Kind {
        let name: String
        let count: UInt64
        let waiting, working: Double
        /// The longest work, in nanoseconds.
        let longestWork: UInt64
        var time: Double { waiting + working }
    }

    /// The time of a stage, or of a stage with the actions of one kind.
    struct Part {
        let stage: Int
        let name: String
        let role: StageSnapshot.Role
        /// The kind; empty for all of them.
        var kind = ""
        let count: UInt64
        let time: Double
    }

    /// Nanoseconds, of all kinds.
    let waiting, working: Double
    /// The kinds, those that took most time first.
    let kinds: [Kind]
    /// The stages that are work, those that took most time first.
    let stages: [Part]
    /// The same by kind.
    let parts: [Part]
    /// The part of the time that the pipeline was at work, 0 to 1.
    let busy: Double
    /// Actions that were measured.
    let count: UInt64

    var time: Double { waiting + working }

    init(_ snapshot: InstrumentationSnapshot) {
        kinds = snapshot.kinds.map { kind in
            Kind(
                name: Self.title(kind.name),
                count: kind.count,
                waiting: Double(kind.wait.nanoseconds),
                working: Double(kind.work.nanoseconds),
                longestWork: kind.work.maximum
            )
        }.sorted { $0.time > $1.time }
        waiting = kinds.reduce(0) { $0 + $1.waiting }
        working = kinds.reduce(0) { $0 + $1.working }
        count = kinds.reduce(0) { $0 + $1.count }
        var (stages, parts): ([Part], [Part]) = ([], [])
        var between = 0.0
        for (index, stage) in snapshot.stages.enumerated() where stage.role.isWork {
            var sum = 0.0
            let name = Escaping.plain(stage.name)
            for kind in snapshot.kinds where kind.nanosecondsByStage.indices.contains(index) {
                let time = Double(kind.nanosecondsByStage[index])
                guard time > 0 else { continue }
                sum += time
                let title = Self.title(kind.name)
                parts.append(
                    Part(stage: index, name: name, role: stage.role, kind: title, count: kind.count, time: time)
                )
            }
            // A publication between two actions belongs to no kind.
            between += max(0, Double(stage.latency.nanoseconds) - sum)
            if sum > 0 {
                stages.append(
                    Part(stage: index, name: name, role: stage.role, count: stage.latency.count, time: sum)
                )
            }
        }
        self.stages = stages.sorted { $0.time > $1.time }
        self.parts = parts.sorted { $0.time > $1.time }
        let active = Double(snapshot.active.wholeNanoseconds)
        busy = active > 0 ? min(1, (working + between) * snapshot.scale / active) : 0
    }

    /// The name of a kind in a sentence: cases as they are written in code.
    static func title(_ name: String) -> String {
        let text = Escaping.plain(name)
        guard text != "other" else { return "other kinds" }
        return text.first?.isLowercase == true ? ".\(text)" : text
    }
}

extension SlownessShares.Part {
    /// The stage as the subject of a sentence.
    var subject: String {
        switch role {
        // All that found no stage of their own.
        case .middleware where name == "other": "other middlewares"
        case .middleware: "the middleware \(name)"
        case .reducers: "the reducers"
        case .effects: "starting effects and afterReduce"
        case .publication: "publishing the state"
        case .queue, .total: name
        }
    }

    /// What makes such a stage faster.
    var hint: String {
        switch role {
        case .middleware:
            """
            Let it decide only, and do its work in an effect; or let it see fewer actions, by lifting or gating it.
            """
        case .reducers:
            """
            Look for copies of large values (change them in place), for searches through arrays, and for work that \
            belongs into an effect.
            """
        case .effects:
            "What runs before an effect's first await runs on the pipeline: let it only start the work."
        case .publication:
            """
            Publish less often, let observers take a part of the state only, and let them hand their work to threads \
            of their own.
            """
        case .queue, .total: ""
        }
    }
}
