// SPDX-License-Identifier: Apache-2.0

extension SlownessShares {
    /// Sentences about what stands out, what matters most first.
    func findings(_ snapshot: InstrumentationSnapshot) -> [SlownessFinding] {
        guard count > 0, time > 0 else {
            return [
                SlownessFinding(
                    text: "Nothing was measured.",
                    hint: "Switch the instrumentation on, dispatch actions, and take another snapshot."
                )
            ]
        }
        let all: [SlownessFinding?] = [
            waitingOrWorking, firstStage, secondStage, heaviestKind, tail(snapshot), fewActions,
        ]
        return all.compactMap { $0 }
    }

    private var waitingOrWorking: SlownessFinding {
        let wait = "waiting in the queue (\(SlownessReport.average(waiting, count)) on average)"
        let work = "work (\(SlownessReport.average(working, count)))"
        let (share, busyText) = (waiting / time, Decimal.percent(busy))
        let texts = Decimal.percents(share)
        guard share >= 0.5 else {
            return SlownessFinding(
                text: "\(texts.rest) of an action's time is \(work), \(texts.share) \(wait).",
                hint: "The queue is not what makes it slow, the work is; the pipeline is busy \(busyText) of the time."
            )
        }
        return SlownessFinding(
            text: "\(texts.share) of an action's time is \(wait), \(texts.rest) is \(work).",
            hint: busy >= 0.7
                ? """
                The pipeline is busy \(busyText) of the time, so actions queue up: make the work shorter (below), \
                divide the state among several stores, or give the queue a bound (a lower one, if it has one).
                """
                : """
                The pipeline is busy only \(busyText) of the time, so actions wait because they come in bursts, or \
                for the pipeline to wake up: spread them, send them as one batch, or let the engine idle less deeply.
                """
        )
    }

    private var firstStage: SlownessFinding? {
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
        return SlownessFinding(text: text + ".", hint: stage.hint)
    }

    private var secondStage: SlownessFinding? {
        guard stages.count > 1, working > 0, stages[1].time / working >= 0.2 else { return nil }
        // Stages that do not hold each other can not be more than the whole.
        let isHeld = stages[0].time + stages[1].time > working * 1.001
        let share = Decimal.percent(stages[1].time / working)
        let text = "\(isHeld ? "Within it:" : "Then") \(stages[1].subject), \(share) of the work."
        let isSame = stages[1].work == stages[0].work
        return SlownessFinding(text: text, hint: isSame ? "What helps the first one helps here." : stages[1].hint)
    }

    /// A kind that works far more than its number lets expect.
    private var heaviestKind: SlownessFinding? {
        guard kinds.count > 1, working > 0, let kind = kinds.max(by: { $0.working < $1.working }) else { return nil }
        let (share, part) = (kind.working / working, Double(kind.count) / Double(count))
        guard share >= 0.25, share >= 2 * part else { return nil }
        return SlownessFinding(
            text: """
                \(kind.name) is \(Decimal.percent(part)) of the actions and \(Decimal.percent(share)) of the work: \
                \(SlownessReport.average(kind.working, kind.count)) each.
                """,
            hint: "All other kinds wait behind it: shorten it first, split it into several actions, or send it less."
        )
    }

    /// The slowest of a thousand, where they are far from the middle.
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
                One action in a thousand takes \(Decimal.duration(values[1])) or longer, the one in the middle \
                \(Decimal.duration(values[0])).\(cause)
                """,
            // Waits that one action can not have caused are those of too many.
            hint: Double(longest?.longestWork ?? 0) * 4 >= Double(values[1])
                ? """
                One long action makes a whole queue late: look at the trace around the longest ones, and split them.
                """
                : """
                No action is that long: for a while more came than the pipeline could do. The heat map shows when; \
                give the queue a bound for such times (a lower one, if it has one), or send less.
                """
        )
    }

    private var fewActions: SlownessFinding? {
        guard count < 100 else { return nil }
        return SlownessFinding(
            text: "Only \(count) actions were measured.",
            hint: "Shares of so few say little: measure longer, or more of them."
        )
    }
}
