// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The time of the actions, as sums over the measured actions.
///
/// A middleware's time includes that of the middlewares that it contains, so the stages may add up to more than the
/// work.
struct SlownessShares {
    /// The time of one kind.
    struct Kind {
        let name: String
        let count: UInt64
        let waiting, working: Double
        /// The longest work of one action, in nanoseconds.
        let longestWork: UInt64
        var time: Double { waiting + working }
    }

    /// The parts of the work on the pipeline.
    enum Work: Hashable {
        case stage(StageSnapshot.Role)
        /// Middlewares without a name.
        case unnamed
        /// The rest: the pipeline itself, and measuring.
        case pipeline
    }

    /// The time of a stage, for all kinds or for one.
    struct Part {
        /// The index of the stage in the snapshot; negative for work that is in no stage.
        let stage: Int
        let name: String
        let work: Work
        /// The kind; empty for all kinds.
        var kind = ""
        let count: UInt64
        let time: Double
        /// The middlewares that got copies of their state which may explain the time. For the stage of a middleware
        /// only that one; nil if there is none.
        var copiers: Copiers?
    }

    /// Middlewares that got copies of their state, those with the most first.
    struct Copiers {
        /// The middlewares as the subject of a sentence.
        let subject: String
        /// A sentence, without its beginning and its full stop: in how many of the actions each of them got one.
        let sentence: String
    }

    /// The nanoseconds of all kinds.
    let waiting, working: Double
    /// The kinds, those with the most time first.
    let kinds: [Kind]
    /// The stages that are work, and the work in no stage; those with the most time first.
    let stages: [Part]
    /// The same by kind.
    let parts: [Part]
    /// The share of the time during which the pipeline was busy, 0 to 1.
    let busy: Double
    /// The number of measured actions.
    let count: UInt64
    /// Actions a second: over the whole time, and if the pipeline were always busy. 0 if it is not known.
    let rate, mostRate: Double
    /// The nanoseconds during which the pipeline was busy, for all actions, measured or not.
    let wholeWork: Double

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
                    Part(
                        stage: index,
                        name: name,
                        work: .stage(stage.role),
                        kind: title,
                        count: kind.count,
                        time: time
                    )
                )
            }
            // A publication between two actions belongs to no kind.
            between += max(0, Double(stage.latency.nanoseconds) - sum)
            if sum > 0 {
                stages.append(
                    Part(
                        stage: index,
                        name: name,
                        work: .stage(stage.role),
                        count: stage.latency.count,
                        time: sum,
                        copiers: Self.copiers(stage, snapshot.stages)
                    )
                )
            }
        }
        let rest = [
            Self.rest(-1, "without a name", .unnamed, snapshot.kinds) { Double($0.unnamedNanoseconds) },
            Self.rest(-2, "pipeline, measuring", .pipeline, snapshot.kinds) { kind in
                let known = zip(snapshot.stages, kind.nanosecondsByStage).reduce(Double(kind.unnamedNanoseconds)) {
                    $1.0.role.isWork ? $0 + Double($1.1) : $0
                }
                return Double(kind.work.nanoseconds) - known + Double(kind.nestedNanoseconds)
            },
        ]
        for rest in rest where !rest.isEmpty {
            parts += rest
            let (count, time) = rest.reduce((0 as UInt64, 0.0)) { ($0.0 + $1.count, $0.1 + $1.time) }
            stages.append(Part(stage: rest[0].stage, name: rest[0].name, work: rest[0].work, count: count, time: time))
        }
        self.stages = stages.sorted { $0.time > $1.time }
        self.parts = parts.sorted { $0.time > $1.time }
        let active = Double(snapshot.active.wholeNanoseconds)
        wholeWork = (working + between) * snapshot.scale
        busy = active > 0 ? min(1, wholeWork / active) : 0
        rate = active > 0 ? Double(snapshot.actions) / active * 1e9 : 0
        mostRate = wholeWork > 0 ? Double(snapshot.actions) / wholeWork * 1e9 : 0
    }

    /// Returns the middlewares that got copies of their state before the reducers, for the stage of a middleware or of
    /// the reducers, or after them, for the effects. One that got copies in less than one of ten actions is left out.
    private static func copiers(_ stage: StageSnapshot, _ stages: [StageSnapshot]) -> Copiers? {
        let share: (StageSnapshot) -> Double = { other in
            let copies = other.copies
            let count = stage.role == .effects ? copies.afterReducers : copies.beforeReducers
            return copies.actions > 0 ? Double(count) / Double(copies.actions) : 0
        }
        let all = stage.role == .middleware ? [stage] : stages.filter { $0.role == .middleware && $0.name != "other" }
        let found = all.filter { share($0) >= 0.1 }.sorted { share($0) > share($1) }
        guard !found.isEmpty else { return nil }
        let names = found.map { Escaping.plain($0.name) }
        let shares = found.map { "in \(Decimal.percent(share($0))) of the actions" }
        guard names.count > 1 else {
            let subject = "the middleware \(names[0])"
            return Copiers(subject: subject, sentence: "\(subject) got a copy of its state \(shares[0])")
        }
        let list = zip(names, shares).map { "\($0) \($1)" }.joined(separator: ", ")
        return Copiers(
            subject: "one of the middlewares \(names.joined(separator: ", "))",
            sentence: "middlewares got copies of their states: \(list)"
        )
    }

    /// Returns the work that is in no stage, by kind.
    private static func rest(
        _ index: Int,
        _ name: String,
        _ work: Work,
        _ kinds: [KindSnapshot],
        _ time: (KindSnapshot) -> Double
    ) -> [Part] {
        kinds.compactMap { kind in
            let time = time(kind)
            // Smaller values come from the rounding of clocks and doubles.
            guard time >= 1, time >= Double(kind.work.nanoseconds) / 1000 else { return nil }
            return Part(stage: index, name: name, work: work, kind: title(kind.name), count: kind.count, time: time)
        }
    }

    /// Returns the name of a kind for a sentence: cases as they are written in code.
    static func title(_ name: String) -> String {
        let text = Escaping.plain(name)
        guard text != "other" else { return "other kinds" }
        return text.first?.isLowercase == true ? ".\(text)" : text
    }
}
