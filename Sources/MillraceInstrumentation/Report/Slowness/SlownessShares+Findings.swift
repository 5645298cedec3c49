// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension SlownessShares {
    /// Returns the findings, the most important first.
    func findings(_ snapshot: InstrumentationSnapshot) -> [SlownessFinding] {
        guard count > 0, time > 0 else {
            return [nothing(snapshot)]
        }
        let all: [SlownessFinding?] = [
            waitingOrWorking, firstStage(snapshot), secondStage(snapshot), heaviestKind, tail(snapshot), fewActions,
        ]
        return all.compactMap { $0 }
    }

    /// Says why no action was measured, as far as the snapshot tells.
    private func nothing(_ snapshot: InstrumentationSnapshot) -> SlownessFinding {
        guard snapshot.actions > 0 else {
            return SlownessFinding(
                text: "Nothing was measured.",
                hint: snapshot.sampling == 0
                    ? "Switch the instrumentation on, dispatch actions, and take another snapshot."
                    : "No action was finished while the instrumentation was on: dispatch actions, and take another snapshot."
            )
        }
        let finished = Decimal.count(snapshot.actions, "action")
        let was = snapshot.actions == 1 ? "was" : "were"
        // Of at least twice as many actions as the interval, one is in the sample.
        guard snapshot.actions >= UInt64(clamping: snapshot.sampling) * 2 else {
            return SlownessFinding(
                text: "Nothing was measured: \(finished) \(was) finished, and none of them is in the sample.",
                hint: "One action in \(snapshot.sampling) is measured: measure longer, or call `turnOn(oneIn: 1)`."
            )
        }
        return SlownessFinding(
            text: "Nothing was measured, although \(finished) \(was) finished: the store has another probe now.",
            hint: """
                A store has one probe. A second instrumentation of this store, or `setProbe(_:)`, has replaced this one: \
                keep one of them, or call `turnOn()` to measure here again.
                """
        )
    }

    private var waitingOrWorking: SlownessFinding {
        let wait = "waiting in the queue (\(SlownessReport.average(waiting, count)) on average)"
        let work = "work (\(SlownessReport.average(working, count)))"
        let share = waiting / time
        let texts = Decimal.percents(share)
        guard share >= 0.5 else {
            return SlownessFinding(
                text: "\(texts.rest) of an action's time is \(work), \(texts.share) \(wait).",
                hint: "The queue is not what makes it slow, the work is. \(bottleneck)"
            )
        }
        return SlownessFinding(
            text: "\(texts.share) of an action's time is \(wait), \(texts.rest) is \(work).",
            hint: waitingHint
        )
    }

    /// The slower side, the pipeline or the producers, and the figure that shows it.
    private var bottleneck: String {
        let busyText = Decimal.percent(busy)
        return busy >= 0.9
            ? """
            The pipeline is the bottleneck: it is busy \(busyText) of the time, and finishes \(Decimal.rate(rate)).
            """
            : busy >= 0.7
                ? """
                The pipeline is nearly the bottleneck: it is busy \(busyText) of the time, finishes \
                \(Decimal.rate(rate)), and could finish \(Decimal.rate(mostRate)).
                """
                : """
                The producers are the slower side: the pipeline is busy \(busyText) of the time, finishes \
                \(Decimal.rate(rate)), and could finish \(Decimal.rate(mostRate)).
                """
    }

    /// Whether most actions were in the queue before the first was finished. If all actions come at once, the middle
    /// one waits for half of all work. If they come twice as fast as they are finished, it waits for a quarter.
    private var isBacklog: Bool {
        let wait = waiting / Double(max(1, count))
        return count >= 100 && wait >= wholeWork / 5 && wait <= wholeWork
    }

    private var waitingHint: String {
        if isBacklog {
            return """
                The actions came as one backlog, all at once or far faster than they can be finished, and the pipeline \
                drained it at \(Decimal.rate(mostRate)): compare this rate between runs, not the waits. How long an \
                action waited tells only how many were before it. (The pipeline is busy \(Decimal.percent(busy)) of the \
                time that was measured.) For a higher rate make the work shorter (below), or divide the state among \
                several stores.
                """
        }
        guard busy < 0.7 else {
            return """
                \(bottleneck) Make the work shorter (below), divide the state among several stores, or give the store a \
                capacity (a lower one, if it has one).
                """
        }
        // In a burst, the middle action waits for half of the burst. A burst has no more than all actions.
        let burst = working > 0 ? 2 * waiting / working : 0
        let isBurst = burst >= 2 && burst <= wholeWork / working * Double(count)
        return """
            \(bottleneck) Actions wait because they come in bursts\
            \(isBurst ? " (about \(Decimal.grouped(UInt64(burst))) at once)" : ""), or because the pipeline must wake up \
            first: spread them, dispatch them with one call (`dispatch(contentsOf:)`), or choose \
            `.thread(latency: .lowLatency)`.\(longQueue)
            """
    }

    /// A sentence for a queue that is long although the pipeline is seldom busy; otherwise empty.
    private var longQueue: String {
        // Little's law: the mean length of a queue is the rate times the mean wait.
        let length = rate * waiting / Double(max(1, count)) / 1e9
        guard length >= 100, length < 1e15 else { return "" }
        return """
             On average \(Decimal.grouped(UInt64(length))) actions waited. If that is most of the store's capacity, \
            the producers wait for room, and the pipeline has work but does not run: its thread waits for a processor \
            or for the journal. Then use fewer threads, or see the stage of the journal.
            """
    }

    private func firstStage(_ snapshot: InstrumentationSnapshot) -> SlownessFinding? {
        guard let stage = stages.first else { return nil }
        var text = "Of the work \(Decimal.percent(stage.time / working)) is \(stage.subject)"
        if kinds.count > 1, let part = parts.first(where: { $0.stage == stage.stage }) {
            let share = part.time / stage.time
            text +=
                share >= 0.995
                ? ", all of it for \(part.kind)"
                : share >= 0.5
                    ? ", most of it (\(Decimal.percent(share))) for \(part.kind)"
                    : ", spread over the kinds (\(Decimal.percent(share)) for \(part.kind))"
        }
        guard stage.time / working >= 0.2 else {
            return SlownessFinding(text: text + ".", hint: "No stage stands out: the work is spread over many.")
        }
        return SlownessFinding(text: "\(text).\(stage.copySentence)\(copySign(of: stage, snapshot))", hint: stage.hint)
    }

    private func secondStage(_ snapshot: InstrumentationSnapshot) -> SlownessFinding? {
        guard stages.count > 1, working > 0, stages[1].time / working >= 0.2 else { return nil }
        // If the two stages take more than the whole work, the second one is nested in the first.
        let isHeld = stages[0].time + stages[1].time > working * 1.001
        let share = Decimal.percent(stages[1].time / working)
        let text = "\(isHeld ? "Within it:" : "Then") \(stages[1].subject), \(share) of the work."
        let isSame = stages[1].work == stages[0].work
        return SlownessFinding(
            text: text + stages[1].copySentence + copySign(of: stages[1], snapshot),
            hint: isSame ? "What helps the first one helps here." : stages[1].hint
        )
    }

    /// Returns a sentence with figures on whether the reducers' time looks like that of a copy; empty for other stages.
    ///
    /// A copy takes the same time for every action, because the time depends only on the size of the state.
    private func copySign(of stage: Part, _ snapshot: InstrumentationSnapshot) -> String {
        guard stage.mayCopy else { return "" }
        var text = ""
        let kinds = snapshot.kinds.filter { $0.count > 0 && $0.nanosecondsByStage.indices.contains(stage.stage) }
            .map { (name: Self.title($0.name), count: $0.count, time: Double($0.nanosecondsByStage[stage.stage])) }
            .sorted { $0.time / Double($0.count) < $1.time / Double($1.count) }
        if kinds.count > 1, let least = kinds.first, let most = kinds.last {
            let (shortest, longest) = (least.time / Double(least.count), most.time / Double(most.count))
            let range = """
                from \(SlownessReport.average(least.time, least.count)) for \(least.name) to \
                \(SlownessReport.average(most.time, most.count)) for \(most.name)
                """
            text =
                longest < 2 * shortest
                ? " The time is nearly the same for each kind, which is a sign of a copy: \(range)."
                : " The time depends on the kind, which is a sign of the reducers' own work: \(range)."
        } else if snapshot.stages.indices.contains(stage.stage), stage.count > 1 {
            let values = snapshot.stages[stage.stage].latency.values(atPercentiles: [5, 95])
            text =
                values[1] < 2 * values[0]
                ? " The time is nearly the same for each action, which is a sign of a copy: "
                : " The time differs from action to action, which is a sign of the reducers' own work: "
            text += "nine of ten take from \(Decimal.duration(values[0])) to \(Decimal.duration(values[1]))."
        }
        // With a sample, the number of publications between actions is not known.
        let published = snapshot.stages.first { $0.role == .publication }?.latency.count ?? 0
        if snapshot.sampling == 1, Double(published) >= Double(count) / 2 {
            text += """
                 The state was published \(Decimal.count(published, "time")). A published state is kept, so the next change \
                makes a copy.
                """
        }
        return text
    }

    /// A kind whose share of the work is much greater than its share of the actions.
    private var heaviestKind: SlownessFinding? {
        guard kinds.count > 1, working > 0, let kind = kinds.max(by: { $0.working < $1.working }) else { return nil }
        let (share, part) = (kind.working / working, Double(kind.count) / Double(count))
        guard share >= 0.25, share >= 2 * part else { return nil }
        return SlownessFinding(
            text: """
                \(kind.name) is \(Decimal.percent(part)) of the actions and \(Decimal.percent(share)) of the work: \
                \(SlownessReport.average(kind.working, kind.count)) each.
                """,
            hint: """
                All other kinds wait behind it: shorten it first, split it into several actions, or dispatch it less often.
                """
        )
    }

    /// The slowest of a thousand actions, if they are far above the median.
    private func tail(_ snapshot: InstrumentationSnapshot) -> SlownessFinding? {
        guard let total = snapshot.stages.first(where: { $0.role == .total }), total.latency.count >= 1000 else {
            return nil
        }
        let values = total.latency.values(atPercentiles: [50, 99.9])
        guard values[0] > 0, values[1] / values[0] >= 20 else { return nil }
        let longest = kinds.max { $0.longestWork < $1.longestWork }
        let cause = longest.map { " The longest work is \(Decimal.duration($0.longestWork)), for \($0.name)." } ?? ""
        return SlownessFinding(
            text: """
                One action in a thousand takes \(Decimal.duration(values[1])) or longer, the median is \
                \(Decimal.duration(values[0])).\(cause)
                """,
            // If no single action is long enough to cause these waits, too many actions are the cause.
            hint: Double(longest?.longestWork ?? 0) * 4 >= Double(values[1])
                ? """
                One long action makes a whole queue late: look at the trace around the longest ones, and split them.
                """
                : """
                No action is that long: for a while more actions came than the pipeline could handle. The heat map shows \
                when; give the store a capacity for such times (a lower one, if it has one), or dispatch less often.
                """
        )
    }

    private var fewActions: SlownessFinding? {
        guard count < 100 else { return nil }
        return SlownessFinding(
            text: "Only \(Decimal.count(count, "action")) \(count == 1 ? "was" : "were") measured.",
            hint: "Shares of so few actions say little: measure longer, or measure more of them."
        )
    }
}
